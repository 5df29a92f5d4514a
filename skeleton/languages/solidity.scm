; grammar: solidity
; files: *.sol
; comments: //|/[*]
; doc comments: /// /**
; reach: 1
; begins: ^[ \t]*(?:(?:abstract[ \t]+)?contract|interface|library|function|modifier|struct|enum|event|error|constructor)\b[ \t]*[\w(]
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "

(comment) @comment
[(pragma_directive) (import_directive)] @import
(using_directive) @keep

(contract_declaration name: (_) @name body: (_) @scope) @definition.class
(interface_declaration name: (_) @name body: (_) @scope) @definition.interface
(library_declaration name: (_) @name body: (_) @scope) @definition.module

(struct_declaration name: (_) @name body: (_) @shape) @definition.struct
(enum_declaration name: (_) @name body: (_) @shape) @definition.enum
(user_defined_type_definition name: (_) @name) @definition.type
[(event_definition name: (_) @name) (error_declaration name: (_) @name)] @definition.type

(state_variable_declaration name: (_) @name value: (_)? @value) @definition.field
(state_variable_declaration "constant" name: (_) @name value: (_) @value ";" @value) @definition.constant
(constant_variable_declaration name: (_) @name value: (_) @value ";" @value) @definition.constant

(function_definition name: (_) @name body: (_)? @body) @definition.function
(modifier_definition name: (_) @name body: (_)? @body) @definition.macro
((constructor_definition "constructor" @name body: (_) @body) @definition.constructor
  (#set! fold.L2 " {/*...*/}"))
(fallback_receive_definition ["fallback" "receive" "function"] @name body: (_)? @body) @definition.method
