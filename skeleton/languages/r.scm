; grammar: r
; files: *.R *.Rprofile .Rprofile
; shebang: Rscript r littler
; comments: #
; names: (?<![\w.$@])(?!\d|\.\d)[\w.]+
; doc comments: #
; module doc: #
; name marks: `
; begins: ^[ \t]*[\w.]+[ \t]*(?:<-|=)[ \t]*function[ \t]*\(
; fold L1: " {}"
; fold L2: " {}"
; fold statements: "# ..."
; fold value: "..."
; fold inside: "..."

(comment) @comment

((call function: [(identifier) (namespace_operator)] @_call) @import
  (#any-of? @_call "library" "require" "source" "requireNamespace" "loadNamespace" "box::use" "import"))

; Functions, and what else is assigned.
((program (binary_operator lhs: [(identifier) @name (string content: (_) @name)] operator: _ @_assign rhs: (_) @value)
  @definition.constant)
  (#any-of? @_assign "<-" "=" "<<-")
  (#not-match? @value "^(function|\\\\)\\s*\\("))
((binary_operator
  lhs: [(identifier) @name (string content: (_) @name)]
  operator: _ @_assign
  rhs: (function_definition body: (_) @body)) @definition.function
  (#any-of? @_assign "<-" "=" "<<-"))
((binary_operator
  lhs: (extract_operator lhs: (_) @container rhs: (_) @name)
  operator: _ @_assign
  rhs: (function_definition body: (_) @body)) @definition.function
  (#any-of? @_assign "<-" "=" "<<-"))

; Classes, generics and methods that calls declare.
((call
  function: (identifier) @_call
  arguments: (arguments . (argument value: (string content: (_) @name)))) @definition.class
  (#any-of? @_call "setClass" "setClassUnion" "setRefClass"))
((call
  function: (identifier) @_call
  arguments: (arguments
    . (argument value: (string content: (_) @name))
    (argument value: (function_definition body: (_) @body)))) @definition.function
  (#any-of? @_call "setGeneric" "setMethod" "setValidity" "setReplaceMethod"))
((call
  function: (identifier) @_call
  arguments: (arguments
    . (argument value: (string content: (_) @name))
    . (comma)
    . (argument value: (string content: (_) @container))
    (argument value: (function_definition body: (_) @body)))) @definition.method
  (#eq? @_call "setMethod"))
((call
  function: (identifier) @_call
  arguments: (arguments
    . (argument value: (string content: (_) @name))
    (argument value: (braced_expression) @body))) @definition.function
  (#set! fold.L1 " {}")
  (#any-of? @_call "test_that" "describe" "it"))
(argument name: (_) @name value: (function_definition body: (_) @body)) @definition.method

; Classes whose members stand in lists.
((binary_operator
  lhs: (identifier) @name
  rhs: (call function: [(identifier) (namespace_operator)] @_call arguments: (arguments) @shape)) @definition.class
  (#match? @_call "^(R6::)?(R6Class|setRefClass|ggproto)$"))
((call
  function: [(identifier) (namespace_operator)] @_call
  arguments: (arguments
    (argument
      value: (call function: (identifier) @_list arguments: (arguments) @shape) @shape) @shape))
  (#match? @_call "^(R6::)?(R6Class|setRefClass)$")
  (#eq? @_list "list"))

(if_statement consequence: (braced_expression) @scope) @frame
(if_statement alternative: (braced_expression) @scope)
