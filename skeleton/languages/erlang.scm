; grammar: erlang
; files: *.erl *.hrl *.escript *.app.src *.app.src.script rebar.config rebar.config.script sys.config
; shebang: escript
; comments: %
; names: (?<![\w@?#'])(?!\d)[\w@]{1,400}
; marks: :
; uses: clauses types-apart
; tests: \A\w+_test_?\n
; doc comments: % -doc -moduledoc -typedoc
; name marks: '
; reach: 2
; begins: ^(?:[a-z][\w@]*|'[^'\n]{1,200}')\([^\n]*->|^-[ \t]*(?:spec|type|opaque|callback|record|define)\b
; read as: "_->" (?#catch|;)(?:\bcatch|;)(?:[ \t\r]*\n|[ \t]*%[^\n]{0,400}\n){1,8}[ \t]*(\?[A-Z]\w*\((?:[^\n()]|\([^\n()]*\)){0,200}\))[ \t]*(?:%[^\n]*)?\r?\n(?!\s*(?:->|when\b|[,;.)]|end\b))
; read as: "_" (?#->)^-define\([^\n]{1,400}\),[ \t]*+([^\n]{0,400}(?:->|,))\)\.
; fold L1: " -> _"
; fold L2: " -> _"
; fold statements: "% ..."
; fold value: "_"
; fold inside: ""
; sketch: function@. (?<=\n)(?P<name>[a-z][\w@]*+|'[^'\n]*')(?=[ \t]*\()(?:[^\n]*\n[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=\s{0,60}->)(?P<whole>)
; sketch: function@. (?<=\n)\?(?P<name>[A-Z]\w*+)(?=\()(?:[^\n]*\n[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=\s{0,60}->)(?P<whole>)
; sketch: struct@. -[ \t]*record\([ \t]*(?P<name>\??\w++|'[^'\n]*')(?P<body>)[ \t]*,[ \t]*(?:\{[ \t]*(?P<members>[a-z]\w*(?:,[ \t]*[a-z]\w*(?=[ \t]*[,=:}]))*))?(?P<whole>)
; sketch: field@struct \{?[ \t]*(?P<name>[a-z]\w*+|'[^'\n]*')(?=[ \t]*(?:=[^\n]*)?::)(?P<whole>)
; sketch: field@struct \{?[ \t]*(?P<name>[a-z]\w*+|'[^'\n]*')(?=[ \t]*(?:,|=|\}|$))
; sketch: type@. -[ \t]*(?:type|opaque|nominal)\b[ \t(]*(?P<name>[a-z]\w*+|'[^'\n]*')(?P<whole>)
; sketch: method@. -[ \t]*callback\b[ \t(]*(?P<name>[a-z]\w*+|'[^'\n]*')(?P<whole>)
; sketch: macro@. -[ \t]*define\([ \t]*(?P<name>\w++|'[^'\n]*')\([^\n()]*\)[ \t]*,(?P<body>)(?P<whole>)
; sketch: constant@. -[ \t]*define\([ \t]*(?P<name>\w++|'[^'\n]*')[ \t]*,(?P<body>)(?P<whole>)
; sketch: field@. (?<=\n)\{(?:[a-z]\w*,[ \t]*)?(?P<name>[a-z]\w*+),(?P<body>)(?=[ \t]*(?:[^\n]|\n[ \t]))(?P<whole>)
; sketch hides: """ """
; sketch hides: \$\\?["'%(){}\[\],;] -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: " "
; sketch hides: % $
; sketch above: %|-[ \t]*(?:spec|doc|typedoc)\b
; sketch blocks: indented

[(comment) (shebang)] @comment
((wild_attribute name: (attr_name name: (atom) @_doc) value: [(string) (atom) (paren_expr)]) @comment
  (#any-of? @_doc "doc" "typedoc"))
((wild_attribute name: (attr_name name: (atom) @_doc) value: (atom)) @comment
  (#eq? @_doc "moduledoc"))
((wild_attribute name: (attr_name name: (atom) @_doc) value: (map_expr)) @attribute
  (#any-of? @_doc "doc" "typedoc"))
((wild_attribute name: (attr_name name: (atom) @_doc) value: [(string) (paren_expr (string))]) @doc
  (#eq? @_doc "moduledoc"))
((wild_attribute name: (attr_name name: (atom) @_word)) @detail
  (#not-any-of? @_word "doc" "typedoc" "moduledoc"))

; What a file is called, what it takes in and what it gives out

[(module_attribute) (import_attribute) (pp_include) (pp_include_lib)] @import
[
  (export_attribute)
  (export_type_attribute)
  (behaviour_attribute)
  (optional_callbacks_attribute)
] @keep
[(pp_ifdef) (pp_ifndef) (pp_if) (pp_elif) (pp_else) (pp_endif)] @keep
[
  (compile_options_attribute)
  (file_attribute)
  (feature_attribute)
  (deprecated_attribute)
  (pp_undef)
] @detail

; Functions, each clause of them, with what their types are

(fun_decl clause: (function_clause name: [(atom) @name (macro_call_expr name: (_) @name)] body: (_) @body)) @definition.function
(spec) @attribute
(callback fun: (_) @name) @definition.method

; Types and records are kept whole, but for the values of fields

[(type_alias name: (type_name name: (_) @name)) (opaque name: (type_name name: (_) @name))] @definition.type
(record_decl name: (_) @name) @definition.struct @shape
(record_field name: (_) @name expr: (field_expr (_) @value)? !ty) @definition.field
(record_field name: (_) @name ty: (_)) @definition.field

; Macros

(pp_define lhs: (macro_lhs name: (_) @name !args) replacement: (_)? @value) @definition.constant
((pp_define lhs: (macro_lhs name: (_) @name args: (_)) replacement: (_)? @body) @definition.macro
  (#set! fold.L1 " _")
  (#set! fold.L2 " _"))

; Files of terms

((source_file (tuple . (atom) @name . (_) @value .) @definition.field)
  (#set! value.L2 " _"))
((source_file (tuple . (atom) . (atom) @name . (_) @value .) @definition.field)
  (#set! value.L2 " _"))
