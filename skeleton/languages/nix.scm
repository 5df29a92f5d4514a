; grammar: nix
; files: *.nix
; comments: #|/[*]
; names: (?<![\w'-])(?![\d'-])[\w'-]{1,400}
; reserved: assert else if in inherit let or rec then with
; uses: brackets-group loose-types function-values
; mixes: nix
; calls: (apply_expression function: [(variable_expression name: (identifier) @name) (select_expression attrpath: (attrpath (identifier) @name .))])
; doc comments: #_ #\n /*
; module doc: #_ #\n /*
; reach: 7
; sketch: - (?:imports|type)[ \t]*=
; sketch: - (?:(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})[ \t]*=(?!=)\s{0,80}(?:builtins\.)?import\b
; sketch: module@. (?P<name>outputs|perSystem)[ \t]*=(?P<body>)(?=\s{0,80}(?:\{[^{}]{0,1000}\}(?:[ \t]*@[ \t]*\w+)?|\w+[ \t]*@[ \t]*\{[^{}]{0,1000}\}|[A-Za-z_][\w'-]*)[ \t]*:(?=\s))
; sketch: function (?P<name>(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})[ \t]*=(?!=)(?:\s{0,80}(?:\{[^{}]{0,2000}(?:\{[^{}]{0,200}\}[^{}]{0,1000}){0,9}\}(?:[ \t]*@[ \t]*\w+)?|\w+[ \t]*@[ \t]*\{[^{}]{0,1000}\}|[A-Za-z_][\w'-]*)[ \t]*:(?=\s)){1,8}(?P<body>)
; sketch: field (?P<name>(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})[ \t]*=(?!=)\s{0,80}(?:[\w.]{1,40}\.)?mk(?:Enable|Package)?Option\b(?:[^\n;{]{0,200}//)?(?P<body>)[ \t]*(?=\{)
; sketch: field (?P<name>(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})(?P<body>)[ \t]*=(?!=)(?=\s{0,80}(?:[\w.]{1,40}\.)?mk(?:Enable|Package)?Option\b)
; sketch: module (?P<name>(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})[ \t]*=(?!=)[ \t]*(?:rec[ \t]*)?(?P<body>)\{(?=[^\n]*\n(?:\1[ \t][^\n]*\n|[ \t]*\n){0,60}?\1[ \t]+[A-Za-z_"$][^\s=;()\[\]:,?@]{0,200}[ \t]*=\s{0,80}(?:(?:\{[^{}]{0,1000}\}(?:[ \t]*@[ \t]*\w+)?|\w+[ \t]*@[ \t]*\{[^{}]{0,1000}\}|[A-Za-z_][\w'-]*)[ \t]*:(?=\s)|(?:[\w.]{1,40}\.)?mk(?:Enable|Package)?Option\b))
; sketch: field (?P<name>(?:"[^"\n]{0,200}"|[A-Za-z_$])[^\s=;()\[\]:,?@]{0,200})[ \t]*=(?!=)
; sketch hides: /[*] */
; sketch hides: \# $
; sketch hides: '(?<![\w']')'(?>(?:[^']++|'(?!')|''['$\\])*)(?:''|\Z) -
; sketch hides: "(?<!\\")(?>(?:[^"\\]++|\\(?s:.))*)(?:"|\Z) -
; sketch apart: in\b
; sketch behind: \n[ \t]*(?:'')?;
; sketch blocks: indented
; fold L1: " _"
; fold L2: " _"
; fold statements: "/* ... */"
; fold value: "_"
; fold inside: " /* ... */ "

(comment) @comment

; What stands around the bindings of a file

[
  (function_expression)
  (with_expression)
  (let_expression)
  (assert_expression)
  (attrset_expression)
  (rec_attrset_expression)
  (parenthesized_expression)
  (apply_expression)
  (binary_expression)
] @frame
(binding_set) @scope

; Values. What is imported is none, nor what says the type of an option.

((binding
  attrpath: (attrpath) @name
  expression: [
    (apply_expression) (assert_expression) (attrset_expression) (binary_expression) (float_expression)
    (has_attr_expression) (hpath_expression) (if_expression) (indented_string_expression) (integer_expression)
    (let_attrset_expression) (let_expression) (list_expression) (parenthesized_expression) (path_expression)
    (rec_attrset_expression) (select_expression) (spath_expression) (string_expression) (unary_expression)
    (uri_expression) (variable_expression) (with_expression)
  ] @value) @definition.constant
  (#not-match? @name "^(imports|type)$")
  (#not-match? @value "^(builtins[.])?import\\b"))
; In a set, and not in what describes an option, the names are what a reader looks for.
([
    (attrset_expression (binding_set (binding attrpath: (attrpath) @name expression: (_) @_value) @definition.field))
    (rec_attrset_expression
      (binding_set (binding attrpath: (attrpath) @name expression: (_) @_value) @definition.field))
  ]
  (#set! value.L2 " = _")
  (#not-match? @name
    "^(imports|type|default|defaultText|description|example|apply|internal|readOnly|visible|relatedPackages)$")
  (#not-match? @_value "^(builtins[.])?import\\b"))
((binding attrpath: (attrpath) @_imports) @import
  (#eq? @_imports "imports"))
((binding expression: (apply_expression) @_import) @import
  (#match? @_import "^(builtins[.])?import\\b"))
[(inherit) (inherit_from)] @detail

; Functions, of several arguments one after another

((binding attrpath: (attrpath) @name expression: (function_expression body: (_) @body)) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))
((binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (_) @body))) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))
((binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (function_expression body: (_) @body)))) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))
((binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (_) @body))))) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))
((binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (_) @body)))))) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))
((binding attrpath: (attrpath) @name expression: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (function_expression body: (_) @body))))))) @definition.function
  (#not-match? @name "^(outputs|perSystem)$"))

; Options: their types stay

((binding attrpath: (attrpath) @name expression: (_) @_option) @definition.field
  (#set! value.L2 " = mkOption _")
  (#match? @_option "^([\\w.]+[.])?mkOption\\b"))
((binding attrpath: (attrpath) @name expression: (_) @_option) @definition.field
  (#set! value.L2 " = mkEnableOption _")
  (#match? @_option "^([\\w.]+[.])?mkEnableOption\\b"))
((binding attrpath: (attrpath) @name expression: (_) @_option) @definition.field
  (#set! value.L2 " = mkPackageOption _")
  (#match? @_option "^([\\w.]+[.])?mkPackageOption\\b"))
((binding
  attrpath: (attrpath) @name
  expression: (apply_expression
    function: (_) @_option
    argument: [(attrset_expression) @scope (rec_attrset_expression) @scope])) @definition.field
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
((binding
  attrpath: (attrpath) @name
  expression: (binary_expression
    left: (_) @_option
    right: [(attrset_expression) @scope (rec_attrset_expression) @scope])) @definition.field
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
((binding
  attrpath: (attrpath) @name
  expression: (binary_expression
    left: (_) @_option
    right: (apply_expression argument: [(attrset_expression) @scope (rec_attrset_expression) @scope]))) @definition.field
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
((binding attrpath: (attrpath) @_type expression: (_) @_value) @keep
  (#eq? @_type "type")
  (#not-match? @_value "=|mk(Enable|Package)?Option\\b"))
((binding attrpath: (attrpath) @_type expression: (_) @body)
  (#eq? @_type "type")
  (#match? @body "\n")
  (#not-match? @body "=|mk(Enable|Package)?Option\\b"))
((binding attrpath: (attrpath) @_type expression: (_) @_value) @frame
  (#eq? @_type "type")
  (#match? @_value "="))

; Sets that hold functions, options or outputs

(binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: (function_expression)))) @scope
    (rec_attrset_expression (binding_set (binding expression: (function_expression)))) @scope
  ]) @definition.module
((binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: (apply_expression) @_option))) @scope
    (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option))) @scope
  ]) @definition.module
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
(binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ]))) @scope
    (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ]))) @scope
  ]) @definition.module
((binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ]))) @scope
    (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ]))) @scope
  ]) @definition.module
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
(binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ])))
      (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ])))
    ]))) @scope
    (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ])))
      (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (function_expression))))
      (rec_attrset_expression (binding_set (binding expression: (function_expression))))
    ])))
    ]))) @scope
  ]) @definition.module
((binding
  attrpath: (attrpath) @name
  expression: [
    (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ])))
      (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ])))
    ]))) @scope
    (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ])))
      (rec_attrset_expression (binding_set (binding expression: [
      (attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
      (rec_attrset_expression (binding_set (binding expression: (apply_expression) @_option)))
    ])))
    ]))) @scope
  ]) @definition.module
  (#match? @_option "^([\\w.]+[.])?mk(Enable|Package)?Option\\b"))
((binding attrpath: (attrpath) @name expression: (function_expression) @scope) @definition.module
  (#any-of? @name "outputs" "perSystem"))
