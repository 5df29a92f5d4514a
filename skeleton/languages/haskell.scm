; grammar: haskell
; files: *.hs *.hs-boot *.hsc
; shebang: runhaskell runghc stack
; returns: blanks
; comments: #|--|\{-
; names: (?<![\w])(?<![\w]')(?!\d)[\w]['\w]{0,400}
; uses: clauses brackets-group
; doc comments: -- {-|
; name marks: ()`
; reach: 1
; blank: (?#{-#)^\{-#\s*(?:LANGUAGE|OPTIONS\w*)\b[^#]*#-\}
; blank: (?#'\)(?P<word>'(?<![\w']')\\(?:[abfnrtv\\"'&]|\^[@-_]|[0-9]{1,7}|x[0-9A-Fa-f]{1,6}|o[0-7]{1,7}|[A-Z][A-Z0-9]{1,2})')(?P<call>)
; fold L1: " = _"
; fold L2: " = _"
; fold statements: "-- ..."
; fold value: "_"
; fold inside: " "

[(comment) (haddock) (pragma) (cpp)] @comment
[(header) (import)] @import
[(imports) (declarations)] @scope
(imports) @open ; what stands above the first definition is counted in

; A type signature is what a reader wants of a function. The equations under one go, as do all but the first of those
; that have none.
(signature name: (_) @name) @definition.function
(signature names: (binding_list name: (_) @name)) @definition.function
(foreign_import signature: (signature name: (_) @name)) @definition.function
(([
    (signature name: (_) @_a)
    (signature name: (prefix_id (_) @_a))
    (default_signature signature: (signature name: (_) @_a))
    (function name: (_) @_a)
    (function (infix operator: (operator) @_a))
    (function (infix operator: (infix_id (_) @_a)))
    (function parens: (_ (infix operator: (operator) @_a)))
  ]
  . [(comment) (haddock) (pragma) (cpp)]* .
  [
    (function name: (_) @_b)
    (bind name: (_) @_b)
    (function (infix operator: (operator) @_b))
    (function (infix operator: (infix_id (_) @_b)))
    (function parens: (_ (infix operator: (operator) @_b)))
    (bind name: (prefix_id (_) @_b))
  ] @comment)
  (#eq? @_a @_b))

(function name: (_) @name match: (_)+ @body binds: (_)? @body) @definition.function
(function (infix operator: (_) @name) match: (_)+ @body binds: (_)? @body) @definition.function
(function parens: (_) @name match: (_)+ @body binds: (_)? @body) @definition.function
(bind name: (_) @name match: (_)+ @body binds: (_)? @body) @definition.function
(bind pattern: (_) @name match: (_)+ @body binds: (_)? @body) @definition.function

; Types are kept whole, with their constructors and fields.
[(data_type name: (_) @name) (newtype name: (_) @name)] @definition.type
(data_type name: (_) @name constructors: [(data_constructors) (gadt_constructors)] @shape) @definition.type
(newtype name: (_) @name constructor: (newtype_constructor field: (record) @shape)) @definition.type
[
  (data_constructor constructor: (prefix name: (constructor) @name))
  (data_constructor constructor: (infix operator: (_) @name))
  (gadt_constructor name: (constructor) @name)
  (gadt_constructor names: (binding_list name: (constructor) @name))
] @definition.member
(data_constructor constructor: (record name: (constructor) @name fields: (fields) @shape)) @definition.member
(gadt_constructor name: (constructor) @name type: (record fields: (fields) @shape)) @definition.member
(field name: (field_name (variable) @name)) @definition.field
[(type_synomym name: (_) @name) (type_family name: (_) @name) (data_family name: (_) @name)] @definition.type
[(type_instance name: (_) @name) (data_instance (data_type name: (_) @name))] @definition.type
(class name: (_) @name declarations: (_)? @scope) @definition.interface
(instance name: (_) @name declarations: (_)? @scope) @definition.impl

(pattern_synonym (equation synonym: [
  (constructor) @name
  (infix operator: (_) @name)
  (record name: (constructor) @name)
  (apply function: (constructor) @name)
  (apply function: (apply function: (constructor) @name))
  (apply function: (apply function: (apply function: (constructor) @name)))
  (apply function: (apply function: (apply function: (apply function: (constructor) @name))))
  (apply function: (apply function: (apply function: (apply function: (apply function: (constructor) @name)))))
] constructors: (_)? @shape)) @definition.function
(pattern_synonym (signature synonym: (constructor) @name)) @definition.function

[(deriving_instance) (pattern_synonym) (default_signature) (kind_signature) (fixity)] @keep
