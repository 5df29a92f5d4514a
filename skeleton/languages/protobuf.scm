; grammar: proto
; files: *.proto *.proto3 *.protodevel
; modeline: proto
; namespace: ^[ \t]*package[ \t]+(?P<name>[\w.]+)[ \t]*;
; comments: //|/[*]
; mixes: all
; doc comments: // /*
; begins: ^[ \t]*(?:(?:message|enum|service|extend)[ \t]+\w|rpc[ \t]+\w)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"

(comment) @comment

[(syntax) (edition) (package) (import)] @import

; Messages and enums are shapes: kept whole, but for the options of their fields at L2.
(message (message_name) @name (message_body) @shape) @definition.struct
(extend (full_ident) @name (message_body) @shape) @definition.impl
(enum (enum_name) @name (enum_body) @shape) @definition.enum
(oneof . (identifier) @name) @definition.field @shape
(field (identifier) @name) @definition.field
(field (identifier) @name "[" @value "]" @value) @definition.field
(map_field (identifier) @name) @definition.field
(map_field (identifier) @name "[" @value "]" @value) @definition.field
(oneof_field (identifier) @name) @definition.field
(oneof_field (identifier) @name "[" @value "]" @value) @definition.field
(enum_field (identifier) @name) @definition.member
(enum_field (identifier) @name "[" @value "]" @value) @definition.member
(oneof (empty_statement) @keep)

(service (service_name) @name @keep) @definition.interface @scope
(rpc (rpc_name) @name) @definition.method
(rpc (rpc_name) @name "{" @body "}" @body) @definition.method
((rpc (rpc_name) @name "{" @body . "}" @body) @definition.method
  (#set! fold.L1 ";"))
