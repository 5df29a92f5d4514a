; grammar: gdscript
; files: *.gd
; modeline: gd
; reserved: and as assert await break breakpoint class class_name const continue elif else enum extends false for func if in is match namespace not null or pass preload return self setget signal static super trait true tool var void when while yield
; comments: #
; uses: bare-members members-around loose-types files-are-types counted-arguments
; prose: (get_node) @prose
; doc comments: ## #_ #\n
; blank: ^([ \t]*)(#[^\n]*(?:\n[ \t]*(?:#[^\n]*)?){0,20})(?=\n\1[ \t]+[^\s#])
; blank: (?#@)^[ \t]+(@\w+(?:\([^()\n]{0,200}\))?)(?=\s{1,9}(?:signal|const|enum|class)\b)
; blank: (?#func)\bfunc[ \t]*\([^()\n]{0,200}\)[^\n:]{0,60}:[ \t]*(if\b[^\n:]{1,200}:)(?=[ \t]*[^\s#])
; begins: ^[ \t]*(?:@\w+[^\n]*\n[ \t]*){0,20}(?:static[ \t]+)?(?:func[ \t]+\w|class[ \t]+\w|signal[ \t]+\w|enum\b)
; fold L1: ""
; fold L2: ""
; fold statements: "# ..."
; fold value: "\"...\""
; fold inside: "\"...\""
; empty scope: " pass"
; sketch: class@. class_name[ \t]+(?P<name>\w+)[^\n]*(?P<rest>)
; sketch: class (?:@\w+(?:\([^\n()]*\))?[ \t]+){0,4}class[ \t]+(?P<name>\w+)[^\n:]*:?(?P<body>)
; sketch: constructor (?:@\w+(?:\([^\n()]*\))?[ \t]+){0,4}func[ \t]+(?P<name>_init)\b(?:[ \t]*\((?:[^()]|\([^()]{0,200}\)){0,2000}\)[^\n:]{0,200}?(?P<body>)(?=[ \t]*:))?
; sketch: function (?:@\w+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:static|remote|remotesync|master|puppet)[ \t]+)?func[ \t]+(?P<name>\w+)(?:[ \t]*\((?:[^()]|\([^()]{0,200}\)){0,2000}\)[^\n:]{0,200}?(?P<body>)(?=[ \t]*:))?
; sketch: field signal[ \t]+(?P<name>\w+)
; sketch: member enum[ \t]*\{(?P<names>[^{}\n]{0,2000}\w[^{}\n]{0,400})\}
; sketch: enum enum[ \t]+(?P<name>\w+)(?P<body>)(?:\s{0,40}\{[ \t]*(?P<members>[^{}\n]{0,2000}[\w,]))?
; sketch: enum enum(?P<body>)[ \t]*(?=\{)
; sketch: constant const[ \t]+(?P<name>\w+)(?:(?P<body>)(?=[ \t]*:[ \t]*=))?(?![^\n=]{0,200}=[ \t]*(?:pre)?load[ \t]*\([^()]*\)[ \t]*$)
; sketch: field (?:@\w+(?:\([^\n()]*\))?[ \t]+){0,4}(?:static[ \t]+)?(?:onready[ \t]+|export(?:\([^\n()]*\))?[ \t]+)?var[ \t]+(?P<name>\w+)(?:(?:[ \t]*:[^\n=:]{1,200})?(?P<body>)(?=[ \t]*:[ \t]*(?:=|$)))?
; sketch: member@enum (?P<names>[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*){1,60})(?=[ \t]*[,=}\n])
; sketch: member@enum (?P<name>[A-Za-z_]\w*)[ \t]*(?=[,=}\n])
; sketch names: (?<![\w.=])(?<!= )[A-Za-z_]\w*+
; sketch hides: """ """
; sketch hides: ''' '''
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: \# $
; sketch above: @(?!export_(?:sub)?(?:group|category)\b)|#(?!(?:end)?region\b)
; sketch blocks: indented

(comment) @comment
(region_start) @comment
(region_end) @comment

(extends_statement) @keep
(source (annotation) @keep . (extends_statement))
((annotation (identifier) @_heading) @detail
  (#any-of? @_heading "export_category" "export_group" "export_subgroup"))
(annotation) @attribute

; Types: the file itself, classes in it and enums

(class_name_statement name: (name) @name @rest) @definition.class
(class_definition name: (name) @name body: (class_body) @scope) @definition.class
(enum_definition name: (name) @name body: (enumerator_list) @scope) @definition.enum
(enum_definition !name body: (enumerator_list) @scope) @frame
(enumerator left: (identifier) @name right: (_)? @value) @definition.member

; Functions

(function_definition name: (name) @name ":"? @body body: (body)? @body) @definition.function
((constructor_definition "_init" @name ":" @body body: (body) @body) @definition.constructor
  (#set! fold.L1 ": pass")
  (#set! fold.L2 ": pass"))

((function_definition name: (name) @name) @definition.constructor
  (#eq? @name "_init"))

; What a class holds

(signal_statement name: (name) @name) @definition.field
((const_statement name: (name) @name value: (_) @value) @definition.constant
  (#not-match? @value "^(pre)?load *[(][^()]*[)]$"))
((const_statement value: (call (identifier) @_call)) @import
  (#any-of? @_call "preload" "load"))
(variable_statement name: (name) @name) @definition.field
(variable_statement name: (name) @name value: (_) @value (setget [(setter) (getter)])? @value) @definition.field
(onready_variable_statement name: (name) @name value: (_)? @value) @definition.field
(export_variable_statement name: (name) @name value: (_)? @value) @definition.field
(variable_statement name: (name) @name (setget [(set_body) (get_body)]) @body) @definition.field
(variable_statement
  name: (name) @name value: (_) @value (setget [(set_body) (get_body)]) @body) @definition.field
