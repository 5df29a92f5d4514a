; grammar: csharp
; files: *.cs *.csx
; comments: #|//|/[*]
; block ends: end\w*
; doc comments: /// /**
; blank: (?##if)^[ \t]*#if[^\n]*\n[ \t]*(?:[,:.]|case\b|else\b)(?:(?![ \t]*#)[^\n]*\n)*[ \t]*#endif[^\n]*
; blank: (?##if)^[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*?[ \t]*else[ \t]*\r?\n[ \t]*#endif[^\n]*
; blank: (?##if)[(,][ \t]*\r?\n[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*([ \t]*#(?:else[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*[ \t]*#)?endif[^\n]*)
; blank: (?##if)[(,][ \t]*\r?\n([ \t]*#if[^\n]*)
; blank: (?##if)^(?P<_>[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n;{}]*\n){1,8}?[ \t]*#else[^\n]*)\n(?:(?![ \t]*#)[^\n;{}]*\n){1,8}?(?P<__>[ \t]*#endif[^\n]*)(?=\r?\n[ \t]*[{;])
; begins: ^[ \t]*(?:\[[^\n]*\]\r?\n[ \t]*){0,20}(?:(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern|ref)[ \t]+)*(?:(?:class|struct|interface|enum|record|namespace|delegate)[ \t]+\w|(?!(?:return|new|await|throw|else|using|var|yield|case|goto|in|is|as|out|ref)\b)[\w.<>\[\],?]+[ \t]+\w+(?:<[^<>()\n]*>)?\([^;\n]*$)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "

(comment) @comment
[(preproc_region) (preproc_endregion) (preproc_nullable) (preproc_pragma) (preproc_line) (preproc_warning)
 (preproc_error)] @comment
[(using_directive) (extern_alias_directive) (file_scoped_namespace_declaration) (preproc_define) (preproc_undef)
 (shebang_directive)] @import
[(attribute_list) (preproc_if_in_attribute_list)] @attribute
[(preproc_if) (preproc_elif) (preproc_else)] @scope

(namespace_declaration name: (_) @name body: (_) @scope) @definition.module
(class_declaration name: (_) @name body: (_)? @scope) @definition.class
(record_declaration name: (_) @name body: (_)? @scope) @definition.class
(struct_declaration name: (_) @name body: (_)? @scope) @definition.struct
(interface_declaration name: (_) @name body: (_)? @scope) @definition.interface
(enum_declaration name: (_) @name body: (_)? @shape) @definition.enum
(enum_member_declaration name: (_) @name value: (_)? @value) @definition.member
(delegate_declaration name: (_) @name) @definition.type

; Fields

(field_declaration
  (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.field

((field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.constant
  (#eq? @_const "const"))
((field_declaration
  (modifier) @_static
  (modifier) @_readonly
  (variable_declaration (variable_declarator name: (_) @name))) @definition.constant
  (#eq? @_static "static")
  (#eq? @_readonly "readonly"))
((field_declaration
  (modifier) @_static
  (modifier) @_readonly
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.constant
  (#eq? @_static "static")
  (#eq? @_readonly "readonly"))

; Properties, indexers and events with accessors. An initialiser goes with its semicolon, which needs no other.

(property_declaration name: (_) @name accessors: (_) @accessors) @definition.field
(property_declaration name: (_) @name accessors: (_) @accessors value: (_) @value ";" @value) @definition.field
((property_declaration name: (_) @name value: (arrow_expression_clause) @body ";" @body) @definition.field
  (#set! fold.L2 " { get; }"))
(indexer_declaration "this" @name accessors: (_) @accessors) @definition.method
((indexer_declaration "this" @name value: (arrow_expression_clause) @body ";" @body) @definition.method
  (#set! fold.L2 " { get; }"))
(event_declaration name: (_) @name accessors: (_)? @accessors) @definition.field
(accessor_list (accessor_declaration body: (block) @body))
(accessor_list (accessor_declaration body: (arrow_expression_clause) @body ";" @body))

; Methods

(method_declaration name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (block) @body) @definition.method
(method_declaration name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(constructor_declaration
  name: (_) @name
  (constructor_initializer)? @body
  body: (block) @body) @definition.constructor
(constructor_declaration
  name: (_) @name
  (constructor_initializer)? @body
  body: (arrow_expression_clause) @body ";" @body) @definition.constructor
(constructor_declaration name: (_) @name ";") @definition.constructor
(destructor_declaration name: (_) @name) @definition.method
(destructor_declaration name: (_) @name body: (block) @body) @definition.method
(destructor_declaration name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(operator_declaration operator: _ @name) @definition.method
(operator_declaration operator: _ @name body: (block) @body) @definition.method
(operator_declaration operator: _ @name body: (arrow_expression_clause) @body ";" @body) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(conversion_operator_declaration type: (_) @name body: (block) @body) @definition.method
(conversion_operator_declaration type: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(local_function_statement name: (_) @name) @definition.function
(local_function_statement name: (_) @name body: (block) @body) @definition.function
(local_function_statement name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.function
(global_statement (local_function_statement)) @wrapper
