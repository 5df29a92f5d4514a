; grammar: java
; files: *.java *.jsh
; comments: //|/[*]
; doc comments: /** ///
; begins: ^[ \t]*(?:@[^\n]*\n[ \t]*){0,20}(?:@[\w.]+(?:\([^()\n]*\))?[ \t]+)*(?:(?:public|private|protected|static|final|abstract|default|synchronized|native|sealed|strictfp)[ \t]+)*(?:(?:class|interface|enum|record|@interface)[ \t]+\w|(?:<[^\n()]*>[ \t]*)?(?!(?:return|new|throw|else|case|yield|assert|package|import)\b)[\w.<>\[\],?]+[ \t]+\w+\([^;\n]*$)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "

[(line_comment) (block_comment)] @comment
[(package_declaration) (import_declaration)] @import
(modifiers [(annotation) (marker_annotation)] @attribute)

(module_declaration name: (_) @name body: (_) @shape) @definition.module
(class_declaration name: (_) @name body: (_) @scope) @definition.class
(record_declaration name: (_) @name body: (_) @scope) @definition.class
(interface_declaration name: (_) @name body: (_) @scope) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @scope) @definition.interface
(enum_declaration name: (_) @name body: (_) @scope) @definition.enum
(enum_body_declarations) @scope
((enum_constant name: (_) @name arguments: (_)? @value body: (_)? @body) @definition.member
  (#set! fold.L2 ""))

(field_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.field
((field_declaration (modifiers) @_modifiers
  declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.constant
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b"))
(constant_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.constant

(method_declaration name: (_) @name body: (_)? @body) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
((constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
  (#set! fold.L2 " {}"))
((compact_constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
  (#set! fold.L2 " {}"))
