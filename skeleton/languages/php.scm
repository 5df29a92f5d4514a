; grammar: php
; files: *.php *.php3 *.php4 *.php5 *.php7 *.php8 *.phps *.phpt *.phtml *.inc .php_cs .php-cs-fixer.dist
; shebang: php
; comments: #|//|/[*]|<
; block ends: end\w*
; doc comments: /**
; begins: ^[ \t]*(?:#\[[^\n]*\]\n[ \t]*){0,20}(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*(?:function[ \t]+&?\w|(?:class|interface|trait|enum)[ \t]+\w)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "

(comment) @comment
(program . (text) @comment)
((php_tag) @keep
  (#match? @keep "php"))
(attribute_list (attribute_group) @attribute)

(namespace_use_declaration) @import
(namespace_definition !body) @import
(expression_statement
  [(require_expression) (require_once_expression) (include_expression) (include_once_expression)]) @import
(use_declaration) @keep

; Types

(namespace_definition name: (_) @name body: (_) @scope) @definition.module
(namespace_definition !name body: (_) @scope) @frame
(class_declaration name: (_) @name body: (_) @scope) @definition.class
(interface_declaration name: (_) @name body: (_) @scope) @definition.interface
(trait_declaration name: (_) @name body: (_) @scope) @definition.trait
(enum_declaration name: (_) @name body: (_) @scope) @definition.enum
(enum_case name: (_) @name value: (_)? @value) @definition.member

; A class without a name is called what it is assigned to, or `class`; so is a function.
(expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: (object_creation_expression (anonymous_class body: (_) @scope)))) @definition.class
(return_statement (object_creation_expression (anonymous_class "class" @name body: (_) @scope))) @definition.class

; Constants and properties

(const_declaration (const_element . (name) @name "=" (_) @value)) @definition.constant
((expression_statement
  (function_call_expression
    function: (name) @_define
    arguments: (arguments . (argument (string (string_content) @name)) . (argument (_) @value)))) @definition.constant
  (#eq? @_define "define"))
(property_declaration (property_element name: (variable_name (name) @name) default_value: (_)? @value))
  @definition.field
(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list) @accessors) @definition.field
(property_hook_list (property_hook body: (compound_statement) @body))
(property_hook_list (property_hook "=>" @body body: (_) @body ";" @body))

; Functions

(method_declaration name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (_) @body) @definition.method
((method_declaration name: (_) @name body: (_)? @body) @definition.constructor
  (#eq? @name "__construct"))
((function_definition name: (_) @name body: (_) @body) @definition.function
  (#set! fold.L2 " {}"))
((expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: (anonymous_function body: (_) @body))) @definition.function
  (#set! fold.L2 " {}"))
((return_statement (anonymous_function "function" @name body: (_) @body)) @definition.function
  (#set! fold.L2 " {}"))

; What stands under a condition

[(if_statement) (else_clause) (else_if_clause) (try_statement) (catch_clause) (finally_clause)] @frame
(if_statement body: [(compound_statement) (colon_block)] @scope)
(else_clause body: [(compound_statement) (colon_block)] @scope)
(else_if_clause body: [(compound_statement) (colon_block)] @scope)
(try_statement body: (_) @scope)
(catch_clause body: (_) @scope)
(finally_clause body: (_) @scope)
