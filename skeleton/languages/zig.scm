; grammar: zig
; files: *.zig *.zon
; comments: //
; mixes: c
; uses: files-are-types
; tests: ^test\b[^\n;]*\{
; doc comments: ///
; module doc: //!
; begins: ^[ \t]*(?:pub[ \t]+)?(?:(?:export|inline|extern)[ \t]+)?(?:fn[ \t]+\w|const[ \t]+\w+[ \t]*=[ \t]*(?:packed[ \t]+|extern[ \t]+)?(?:struct|enum|union|opaque)\b)
; fold L1: " {}"
; fold L2: ";"
; fold statements: "// ..."
; fold value: "\"...\""
; fold inside: " "
; blank: ^[ \t]*(pub[ \t]+)(?=[a-z])
; blank: (?#, const|, var|,\n)\b((?:const|var)[ \t]+\w+[ \t]*(?::[^,=;(){}\n]{1,120}(?:\{[^{}\n]{0,120}\}[^,=;(){}\n]{0,80})?)?,\s{1,80})(?=(?:const|var)[ \t]+\w)
; blank: (?#, const|, var)^[ \t]*([A-Za-z_][\w.]{0,200},[ \t]*)(?=(?:const|var)[ \t]+\w)
; blank: (?#const|var)\b(?:const|var)[ \t]+\w+(,[ \t]*\w[\w.]{0,200})(?=[ \t]*=[^=>])
; mends: "" (?#: switch)(?<==[ \t])(\w+:[ \t])(?=switch[ \t]*\()|\bcontinue[ \t]+:\w+([ \t]+[^;,{}\n]{1,200})(?=[;,])|^[ \t]*(\w+:[ \t])(?=switch[ \t]*\([^\n]{1,400}\{[ \t]*$)
; namespace: ^(?:pub[ \t]+)?const[ \t]+(?P<name>(?!Self\b|This\b)[A-Z]\w*)[ \t]*=[ \t]*@This\(\)[ \t]*;

[(line_comment) (doc_comment) (container_doc_comment)] @comment

; A declaration that only imports is an import, and so is one that gives a name of elsewhere to this scope.
(Decl "usingnamespace") @import
((Decl (VarDecl (ErrorUnionExpr (SuffixExpr . (BUILTINIDENTIFIER) @_builtin)) .)) @import
  (#eq? @_builtin "@import"))
((Decl (VarDecl "=" . (_) .) @_alias) @import
  (#match? @_alias "^const\\s+(\\w+)\\s*=\\s*(?:\\w+\\.)+\\1\\s*;$"))

; Names of types are written in title case.
(Decl (VarDecl variable_type_function: (_) @name ":")) @definition.constant
((Decl (VarDecl variable_type_function: (_) @name "=" . (_) @value .) @_alias) @definition.constant
  (#not-match? @name "^[A-Z][A-Z0-9]*[a-z][A-Za-z0-9]*$")
  (#not-match? @value "^@import\\(")
  (#not-match? @_alias "^const\\s+(\\w+)\\s*=\\s*(?:\\w+\\.)+\\1\\s*;$"))
((Decl (VarDecl variable_type_function: (_) @name "=" . (_) @value .)) @definition.constant
  (#match? @value "[{;\"]")
  (#not-match? @value "^@import\\("))
(Decl (VarDecl variable_type_function: (_) @name (InitList) @value .)) @definition.constant
((Decl (VarDecl "const" variable_type_function: (_) @name "=" . (_) @_value) @_alias) @definition.type
  (#match? @name "^[A-Z][A-Z0-9]*[a-z][A-Za-z0-9]*$")
  (#not-match? @_value "^@import\\(|[{;\"]")
  (#not-match? @_alias "^const\\s+(\\w+)\\s*=\\s*(?:\\w+\\.)+\\1\\s*;$"))

((Decl (VarDecl variable_type_function: (_) @name
    (ErrorUnionExpr (SuffixExpr (ContainerDecl) @scope)) .)) @definition.struct)
((Decl (VarDecl variable_type_function: (_) @name
    (ErrorUnionExpr (SuffixExpr (ContainerDecl (ContainerDeclType) @_type) @scope)) .)) @definition.enum
  (#match? @_type "^enum"))
(Decl (VarDecl variable_type_function: (_) @name
    (ErrorUnionExpr (SuffixExpr (ErrorSetDecl) @shape)) .)) @definition.enum
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.member)

(ContainerDeclType) @keep
(ContainerField) @keep
(ContainerField (doc_comment)? @doc field_member: (_) @name) @definition.field
(ContainerField (doc_comment)? @doc field_member: (_) @name "=" . (_)+ @value .) @definition.field
(ContainerField !field_member (doc_comment)? @doc (ErrorUnionExpr
  (SuffixExpr . variable_type_function: (_) @name .))) @definition.member
(ContainerField !field_member (doc_comment)? @doc (ErrorUnionExpr
  (SuffixExpr . variable_type_function: (_) @name .)) . "=" . (_)+ @value .) @definition.member

(Decl (FnProto function: (_) @name) .) @definition.function
((Decl (FnProto function: (_) @name) (Block) @body) @definition.function
  (#not-match? @body "^\\{\\s*return (?:packed |extern )?(?:struct|union|enum|opaque)\\b"))

; A function that returns a type is one.
((Decl (FnProto function: (_) @name)
  (Block . (Statement (AssignExpr (ErrorUnionExpr (SuffixExpr . (ContainerDecl) @scope .)))) .) @_body) @definition.struct
  (#match? @_body "^\\{\\s*return (?:packed |extern )?(?:struct|union|enum|opaque)\\b"))
