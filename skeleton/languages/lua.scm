; grammar: lua
; files: *.lua *.rockspec *.luau .luacheckrc
; shebang: lua luajit
; comments: --
; block ends: end\w*
; doc comments: --
; begins: ^[ \t]*(?:local[ \t]+)?function[ \t]+[\w.:]+[ \t]*\(
; fold L1: " end"
; fold L2: " end"
; fold statements: "-- ..."
; fold value: "..."
; fold inside: " --[[ ... ]] "

(comment) @comment

; Functions, by the name they are declared under.
(function_declaration name: (identifier) @name (block)? @body "end" @body) @definition.function
(function_declaration
  name: [
    (dot_index_expression table: (_) @container field: (_) @name)
    (method_index_expression table: (_) @container method: (_) @name)
  ]
  (block)? @body
  "end" @body) @definition.function

; Functions that are assigned.
(assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list value: (function_definition (block)? @body "end" @body))) @definition.function
(assignment_statement
  (variable_list name: (dot_index_expression table: (_) @container field: (_) @name))
  (expression_list value: (function_definition (block)? @body "end" @body))) @definition.function
(variable_declaration
  (assignment_statement
    (variable_list name: (identifier) @name)
    (expression_list value: (function_definition (block)? @body "end" @body)))) @definition.function

; Modules that are loaded, and constants.
((variable_declaration
  (assignment_statement (expression_list value: (function_call name: (_) @_call)))) @import
  (#eq? @_call "require"))
((chunk
  (variable_declaration
    (assignment_statement
      (variable_list name: (identifier) @name)
      (expression_list value: (_) @value))) @definition.constant)
  (#not-match? @value "^(require|function)\\b"))
((chunk
  (assignment_statement
    (variable_list name: (identifier) @name)
    (expression_list value: (_) @value)) @definition.constant)
  (#not-match? @value "^function\\b"))
((chunk
  (assignment_statement
    (variable_list name: (dot_index_expression table: (_) @container field: (_) @name))
    (expression_list value: (_) @value)) @definition.constant)
  (#not-match? @value "^function\\b"))

(if_statement consequence: (block) @scope) @frame
(else_statement body: (block) @scope) @frame
(elseif_statement consequence: (block) @scope) @frame
(do_statement body: (block) @scope) @frame
