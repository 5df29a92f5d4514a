; grammar: perl
; files: *.pl *.pm *.PL *.psgi cpanfile
; content: *.t \n#![^\n]*perl
; content: *.t \n(?:use|no|package|require)[ \t]+[\w:.]+[ \t]*(?:[-;'"\d({]|qw|\w+[ \t]*=>)
; content: *.t \n(?:print|plan|ok)[ \t]*[("]
; content: *.t \nmy[ \t]*[($@%]
; shebang: perl perl5
; comments: #|^=\w
; names: (?<![\w$@%])(?>(?!\d)[\w]+)(?!\}|[ \t]*=>)
; marks: -> ::
; uses: functions-are-methods bare-calls
; doc comments: #
; begins: ^[ \t]*(?:sub[ \t]+\w|package[ \t]+\w)
; fold L1: " { ... }"
; fold L2: " {}"
; fold statements: "# ..."
; fold value: "\"...\""
; reach: 1
; fold inside: "\"...\""

(comment) @comment
(pod) @comment
(heredoc_content) @tail

[(use_statement) (use_version_statement)] @import
(expression_statement (require_expression)) @import

; A package or class with a block holds its members; without one the rest of the file, up to the next.
(package_statement name: (_) @name ";" @rest) @definition.module
(package_statement name: (_) @name (block) @scope) @definition.module
(class_statement name: (_) @name ";" @rest) @definition.class
(class_statement name: (_) @name (block) @scope) @definition.class

(subroutine_declaration_statement name: (_) @name body: (_) @body) @definition.function
(method_declaration_statement name: (_) @name body: (_) @body) @definition.method

; Subs that are assigned: `my $f = sub { … }`, `*name = sub { … }`.
(expression_statement
  (assignment_expression
    left: [
      (variable_declaration variable: (_ (varname) @name))
      (scalar (varname) @name)
      (glob (varname) @name)
    ]
    "=" . (anonymous_subroutine_expression body: (_) @body))) @definition.function

; Variables of the file, and constants.
((expression_statement
  (assignment_expression
    left: (variable_declaration variable: (_ (varname) @name))
    "=" . (_) @value)) @definition.constant
  (#not-match? @value "^sub\\b"))
(expression_statement
  (assignment_expression
    left: (variable_declaration variables: (_ (varname) @name))
    "=" . (_) @value)) @definition.constant
(expression_statement (variable_declaration variable: (_ (varname) @name))) @definition.constant
(expression_statement (variable_declaration "field" variable: (_ (varname) @name))) @definition.field
(expression_statement
  (assignment_expression
    left: (variable_declaration "field" variable: (_ (varname) @name))
    "=" . (_) @value)) @definition.field
((use_statement module: (_) @_constant (list_expression . (_) @name . (_) @value)) @definition.constant
  (#eq? @_constant "constant"))
((use_statement
  module: (_) @_constant
  (anonymous_hash_expression (list_expression (autoquoted_bareword) @name))) @definition.constant
  (#eq? @_constant "constant"))

; Attributes of objects, and what is wrapped around methods.
((expression_statement
  (_ function: (_) @_has . "("? . [
    (autoquoted_bareword) @name
    (string_literal content: (_) @name)
    (list_expression . (autoquoted_bareword) @name)
    (anonymous_array_expression [
      (string_literal content: (_) @name)
      (list_expression (string_literal content: (_) @name))
    ])
  ])) @definition.field
  (#eq? @_has "has"))
((expression_statement
  (_ function: (_) @_has . "("? . (anonymous_array_expression (quoted_word_list content: (_) @name)))) @definition.field
  (#set! name.words)
  (#eq? @_has "has"))
((expression_statement
  (_
    function: (_) @_has
    [
      (anonymous_subroutine_expression body: (_) @body)
      (list_expression (anonymous_subroutine_expression body: (_) @body))
      (list_expression (list_expression (anonymous_subroutine_expression body: (_) @body)))
    ]))
  (#eq? @_has "has"))
((expression_statement
  (_ function: (_) @_around . "("? . [
    (autoquoted_bareword) @name
    (string_literal content: (_) @name)
  ] . "=>"? . (anonymous_subroutine_expression body: (_) @body))) @definition.method
  (#any-of? @_around "around" "before" "after" "override" "augment" "helper" "test" "subtest" "hook"))
((expression_statement (_ function: (_) @_call)) @keep
  (#any-of? @_call "extends" "with" "requires"))

(conditional_statement block: (block) @scope) @frame
(else (block) @scope) @frame
(elsif (block) @scope) @frame
(block_statement) @scope
