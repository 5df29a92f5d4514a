; grammar: lua
; files: *.lua *.rockspec *.luau .luacheckrc
; shebang: lua luajit
; marks: . :
; returned: ^return[ \t]+(?:[\w.]{1,80}\([ \t]*)?(?P<name>[A-Za-z_]\w*)
; uses: loose-types
; comments: --
; block ends: end\w*
; doc comments: --
; name marks: "'
; begins: ^[ \t]*(?:local[ \t]+)?function[ \t]+[\w.:]+[ \t]*\(
; fold L1: " end"
; fold L2: " end"
; fold statements: "-- ..."
; fold value: "..."
; fold inside: " --[[ ... ]] "
; sketch: function (?:local[ \t]+)?function[ \t]+(?:(?P<container>[A-Za-z_][\w.]{0,200})[.:])?(?P<name>[A-Za-z_]\w*)[ \t]*(?:\([^()\n]{0,400}\)(?P<body>)|(?=[(<]))
; sketch: function (?:local[ \t]+)?(?:(?P<container>[A-Za-z_][^\s=(){},;]{0,200})\.)?(?P<name>[A-Za-z_]\w*)(?:[ \t]*<\w+>)?[ \t]*=\s{0,200}function\b(?:[ \t]*\([^()\n]{0,400}\)(?P<body>))?
; sketch: - (?:for|while|repeat)\b[^\n]*
; sketch: module@. (?<=\n)(?:local[ \t]+)?(?:(?P<container>[A-Za-z_][^\s=(){},;]{0,200})\.)?(?P<name>[A-Za-z_]\w*)[ \t]*=(?P<body>)[ \t]*\{(?=[^\n]*\n(?:(?:[ \t][^\n]*)?\n){0,80}?[ \t]+(?:\[["'])?\w+(?:["']\])?[ \t]*=\s{0,200}function\b|[^\n]*=[ \t]*function\b)
; sketch: module@module (?:\[["'])?(?P<name>[A-Za-z_]\w*)(?:["']\])?[ \t]*=(?P<body>)[ \t]*\{(?=[^\n]*\n(?:\1[ \t][^\n]*\n|[ \t]*\n){0,80}?\1[ \t]+\w+[ \t]*=\s{0,200}function\b)
; sketch: constant@module (?P<name>[A-Za-z_]\w*)[ \t]*=(?!=)(?!\s{0,200}function\b)
; sketch: constant@. (?<=\n)(?:local[ \t]+)?(?P<names>[A-Za-z_]\w*(?:[ \t]*,\s{0,80}[A-Za-z_]\w*){1,60})\s{0,80}=(?!=)(?!\s{0,200}(?:require|function)\b)
; sketch: constant@. (?<=\n)local[ \t]+(?P<name>[A-Za-z_]\w*)(?:[ \t]*<\w+>|[ \t]*:[^\n=]{1,200})?\s{0,80}=(?!=)(?!\s{0,200}(?:require|function)\b)
; sketch: constant@. (?<=\n)(?:(?P<container>[A-Za-z_][^\s=(){},;]{0,200})\.)?(?P<name>[A-Za-z_]\w*)[ \t]*=(?!=)(?!\s{0,200}function\b)
; sketch: - (?!(?:if|elseif|else|do|then)\b|return[ \t]*\{)[^\n]*(?:\{[ \t\r]*$|\w(?=[ \t]?[(\[][ \t\r]*$)|\bfunction[ \t]*\([^()\n]*\)(?:[ \t\r]*$|(?![^\n]{0,200}\bend\b)))
; sketch hides: \-\-\[\[ ]]
; sketch hides: \-\-\[=\[ ]=]
; sketch hides: \-\-\[==\[ ]==]
; sketch hides: \-\-\[===\[ ]===]
; sketch hides: \-\-(?!\[={0,3}\[) $
; sketch hides: \[\[ ]]
; sketch hides: \[=\[ ]=]
; sketch hides: \[==\[ ]==]
; sketch hides: \[===\[ ]===]
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\(?s:.)[^"\\\n]*+){0,1000})" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\(?s:.)[^'\\\n]*+){0,1000})' -
; sketch joins: ::|[.,=:"'{+*/%<>~^\[]|and\b|or\b
; sketch behind: \n[ \t]*end\b(?![^\n]*\bfunction\b)[^\n;]*;?
; sketch blocks: indented

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

; Tables that hold functions: modules, and what modules return.
((variable_declaration
  (assignment_statement
    (variable_list name: (identifier) @name)
    (expression_list value: (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape))) @definition.module)
((assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list value: (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape)) @definition.module)
((assignment_statement
  (variable_list name: (dot_index_expression table: (_) @container field: (_) @name))
  (expression_list value: (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape)) @definition.module)
(return_statement
  (expression_list
    (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape) @frame) @frame

; Their fields; those without a name may be tables, too.
(field name: [(identifier) (string)] @name value: (_) @value) @definition.constant
(field
  name: [(identifier) (string)] @name
  value: (function_definition (block)? @body "end" @body)) @definition.function
(field
  name: [(identifier) (string)] @name
  value: (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape) @definition.module
(field !name value: (function_definition (block)? @body "end" @body))
(field !name value: (table_constructor [
      (field value: (function_definition))
      (field value: (table_constructor (field value: (function_definition))))
    ]) @shape) @frame
