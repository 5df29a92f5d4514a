; grammar: graphql
; files: *.graphql *.gql *.graphqls
; comments: #|"
; mixes: all
; doc comments: #
; reach: 5
; begins: ^(?:extend[ \t]+)?(?:type|interface|union|enum|input|scalar|directive|query|mutation|subscription|fragment)[ \t]+[\w@]
; read as: "extend type _" (?#extend)\b(extend[ \t]+schema)\b(?=(?:\s{0,80}@\w+(?:\s{0,80}\((?:[^()"]|"[^"\n]*")*\))?)+\s*(?:\Z|[^\s{@(]))
; fold L1: " { ..._ }"
; fold L2: " { ..._ }"
; fold statements: "# ..."
; fold value: "\"...\""

(comment) @comment
(document) @scope

(schema_definition (description)? @doc)
(definition (type_system_definition (schema_definition))) @keep
(definition (type_system_extension (schema_extension))) @keep
((definition (type_system_extension (type_extension (object_type_extension (name) @_schema)))) @keep
  (#eq? @_schema "_")) ; a schema that nothing but directives extend

; Types and what they consist of.
(object_type_definition (description)? @doc . (name) @name (fields_definition)? @shape) @definition.struct
(interface_type_definition (description)? @doc . (name) @name (fields_definition)? @shape) @definition.interface
(input_object_type_definition
  (description)? @doc . (name) @name (input_fields_definition)? @shape) @definition.struct
(enum_type_definition (description)? @doc . (name) @name (enum_values_definition)? @shape) @definition.enum
(union_type_definition (description)? @doc . (name) @name) @definition.type
(scalar_type_definition (description)? @doc . (name) @name) @definition.type
((object_type_extension (name) @name (fields_definition)? @shape) @definition.impl
  (#not-eq? @name "_"))
(interface_type_extension (name) @name (fields_definition)? @shape) @definition.impl
(input_object_type_extension (name) @name (input_fields_definition)? @shape) @definition.impl
(enum_type_extension (name) @name (enum_values_definition)? @shape) @definition.impl
(union_type_extension (name) @name) @definition.impl
(scalar_type_extension (name) @name) @definition.impl

(field_definition (description)? @doc . (name) @name) @definition.field
(field_definition (description)? @doc . (name) @name (arguments_definition)) @definition.method
(enum_value_definition (description)? @doc . (enum_value (name) @name)) @definition.member
(input_fields_definition
  (input_value_definition
    (description)? @doc . (name) @name (default_value (value) @value)?) @definition.field)
(arguments_definition (input_value_definition (description) @comment))

(directive_definition (description)? @doc . (name) @name) @definition.function

; What is asked of a server.
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function
