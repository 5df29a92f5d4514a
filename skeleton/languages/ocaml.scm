; grammar: ocaml
; files: *.ml *.eliom
; shebang: ocaml
; comments: \([*]|\[@@@
; names: (?<![\w'])(?>(?!\d)[\w]['\w]*)(?!:(?![:=]))
; uses: brackets-group
; tests: ^let%(?:expect_)?test(?:_\w+)?\b
; block ends: end\w*
; terminator: ;;
; doc comments: (**
; name marks: ( )"
; reach: 1
; begins: ^(?:let|and|type|module|class|exception|val|external)\b[ \t]*[\w\'(]
; fold L1: " = _"
; fold L2: " = _"
; fold statements: "(* ... *)"
; fold value: "_"
; fold inside: ""

[(comment) (floating_attribute)] @comment
[(open_module) (toplevel_directive)] @import
(include_module (module_path)) @keep
(include_module_type) @keep
(include_module (structure) @scope) @frame

; `let … and …` is a scope of its bindings: functions, and constants where nothing tells that they are functions.
(value_definition) @scope
; The attributes of `let[@inline] f x = …` and `let%test "…" = …` stay with a definition; `let%test _ = …` is a statement.
((value_definition [(attribute_id) (attribute)] @keep (let_binding pattern: (_) @_name))
  (#not-match? @_name "^(\\(\\)|_$)"))
((value_definition
  ["let" "and"] @first . [(attribute_id) (attribute)]* . "rec"? . (let_binding pattern: (_) @name) @definition.constant)
  (#not-match? @name "^(\\(\\)|_$|\")"))
(value_definition
  ["let" "and"] @first . [(attribute_id) (attribute)]* . "rec"? . (let_binding pattern: (string) @name) @definition.function)
((let_binding pattern: (_) @name "=" body: (_) @value (item_attribute)* @value) @definition.constant
  (#set! value.L2 " = _")
  (#not-match? @name "^(\\(\\)|_$|\")"))
; A test: `let%test "name" = …`.
(let_binding pattern: (string) @name "=" @body body: (_) @body (item_attribute)* @body) @definition.function
((let_binding
  pattern: (_) @name
  "=" @body
  body: [(fun_expression) (function_expression)] @body
  (item_attribute)* @body) @definition.function
  (#set! fold.L1 " = fun _ -> _")
  (#set! fold.L2 " = fun _ -> _"))
(let_binding
  pattern: (_) @name
  (parameter)
  "=" @body
  body: (_) @body
  (item_attribute)* @body) @definition.function
(let_binding
  pattern: (_) @name
  type: [(function_type) (polymorphic_type) (abstract_type)]
  "=" @body
  body: (_) @body
  (item_attribute)* @body) @definition.function

; An operator is a function, however it is made.
((let_binding pattern: (parenthesized_operator) @name "=" @body body: (_) @body (item_attribute)* @body)
  @definition.function)

; Types are kept whole.
(type_definition (type_binding name: (_) @name)) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(external [(value_name) (parenthesized_operator)] @name) @definition.function
(class_type_definition (class_type_binding (class_type_name) @name)) @definition.interface
(class_type_definition
  (class_type_binding (class_type_name) @name body: (class_body_type) @shape)) @definition.interface
(class_definition (class_binding (class_name) @name)) @definition.class
(class_definition (class_binding (class_name) @name body: (object_expression) @shape)) @definition.class
(method_definition (method_name) @name) @definition.method
(method_definition (method_name) @name "=" @body body: (_) @body) @definition.method

; Modules
(module_definition) @scope
(module_definition
  ["module" "and"] @first . [(attribute_id) (attribute)]* . "rec"? . (module_binding (module_name) @name) @definition.module)
(module_binding (module_name) @name) @definition.module
(module_binding (module_name) @name body: (structure) @scope) @definition.module
(module_binding (module_name) @name body: (functor body: (structure) @scope)) @definition.module
(module_binding (module_name) @name module_type: (signature) @shape !body) @definition.module
(module_type_definition (module_type_name) @name) @definition.interface
(module_type_definition (module_type_name) @name body: (signature) @shape) @definition.interface
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.function
(method_specification (method_name) @name) @definition.method
