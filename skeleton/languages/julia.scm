; grammar: julia
; files: *.jl
; shebang: julia
; comments: #|"
; names: (?<![\w!])(?<!(?<!:):)(?>(?!\d)[\w]+(?:!(?!=))*)
; block ends: end\w*
; doc comments: "
; reach: 3
; begins: ^[ \t]*(?:@\w+[ \t]+)*(?:function[ \t]+\S|(?:mutable[ \t]+)?struct[ \t]+\w|abstract[ \t]+type\b|module[ \t]+\w|macro[ \t]+\w)
; fold L1: " end"
; fold L2: " end"
; fold statements: "# ..."
; fold value: "\"...\""
; fold inside: " #= ... =# "

[(line_comment) (block_comment)] @comment
; A docstring stands above what it documents, as a comment does elsewhere.
(source_file [(string_literal) (prefixed_string_literal)] @comment)
(module_definition (block [(string_literal) (prefixed_string_literal)] @comment))
(struct_definition (block [(string_literal) (prefixed_string_literal)] @comment))

[(using_statement) (import_statement) (export_statement) (public_statement)] @import
((call_expression . (identifier) @_include) @import
  (#eq? @_include "include"))

(module_definition name: (_) @name (block) @scope) @definition.module
(module_definition name: (_) @name . (line_comment)* . "end" @shape) @definition.module

; Types

(abstract_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
  ])) @definition.type
(primitive_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
  ])) @definition.type
(struct_definition (type_head [
    (identifier) @name
    (parametrized_type_expression . (identifier) @name)
    (binary_expression . (identifier) @name)
    (binary_expression . (parametrized_type_expression . (identifier) @name))
  ]) (block)? @shape) @definition.struct

; Functions. A body in one line leaves a hole.

(function_definition
  (signature [
    (call_expression . (_) @name)
    (typed_expression . (call_expression . (_) @name))
    (where_expression . (call_expression . (_) @name))
    (where_expression . (typed_expression . (call_expression . (_) @name)))
    (where_expression . (where_expression . (call_expression . (_) @name)))
  ])
  (block)? @body
  "end" @body) @definition.function
(function_definition (signature (identifier) @name) (block)? @body "end" @body) @definition.function
(macro_definition (signature [
    (call_expression . (_) @name)
    (typed_expression . (call_expression . (_) @name))
    (where_expression . (call_expression . (_) @name))
    (where_expression . (typed_expression . (call_expression . (_) @name)))
    (where_expression . (where_expression . (call_expression . (_) @name)))
  ])
  (block)? @body
  "end" @body) @definition.macro
((assignment
  . [
    (call_expression . (_) @name)
    (typed_expression . (call_expression . (_) @name))
    (where_expression . (call_expression . (_) @name))
    (where_expression . (typed_expression . (call_expression . (_) @name)))
    (where_expression . (where_expression . (call_expression . (_) @name)))
  ]
  . (operator) @body
  . (_) @body) @definition.function
  (#set! fold.L1 " = _")
  (#set! fold.L2 " = _"))
((assignment . (binary_expression (operator) @name) . (operator) @body . (_) @body) @definition.function
  (#set! fold.L1 " = _")
  (#set! fold.L2 " = _"))

(macrocall_expression
  (macro_argument_list [(function_definition) (assignment) (struct_definition) (module_definition) (const_statement)] .)) @wrapper

; Constants, and the variables of a module

(const_statement
  (assignment
    . [(identifier) @name (typed_expression . (identifier) @name) (parametrized_type_expression . (identifier) @name) (open_tuple (identifier) @name)]
    . (operator)
    . (_) @value)) @definition.constant
(struct_definition
  (block
    (const_statement [
      (assignment . [(identifier) @name (typed_expression . (identifier) @name)] . (operator) . (_) @value)
      (typed_expression . (identifier) @name)
    ]) @definition.field))
(macrocall_expression
  (macro_argument_list
    (struct_definition
      (block
        (const_statement [
          (assignment . [(identifier) @name (typed_expression . (identifier) @name)] . (operator) . (_) @value)
          (typed_expression . (identifier) @name)
        ]) @definition.field))))
(source_file
  (assignment
    . [(identifier) @name (typed_expression . (identifier) @name)]
    . (operator)
    . (_) @value) @definition.constant)
(module_definition
  (block
    (assignment
      . [(identifier) @name (typed_expression . (identifier) @name)]
      . (operator)
      . (_) @value) @definition.constant))
((macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list
    . [(identifier) @name (typed_expression . (identifier) @name)]
    (compound_statement)? @shape)) @definition.enum
  (#eq? @_enum "enum"))

(if_statement (block) @scope) @frame
(elseif_clause (block) @scope) @frame
(else_clause (block) @scope) @frame
