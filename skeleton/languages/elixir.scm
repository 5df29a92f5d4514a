; grammar: elixir
; files: *.ex *.exs .formatter.exs
; shebang: elixir
; comments: #|@
; names: (?:(?<![\w@])(?<!(?<!:):)|(?<=plug :))(?>(?!\d)[\w]+(?:[?!](?![=~]))?)(?!:(?!:))
; uses: clauses types-apart
; block ends: end\w*
; doc comments: @doc @typedoc
; reach: 1
; line mark: ";"
; begins: ^[ \t]*(?:def\w*[ \t]+\w)
; fold L1: " do ... end"
; fold L2: ""
; fold statements: "# ..."
; fold value: "\"...\""
; fold inside: "..."
; sketch: module defmodule(?:[ \t]+|\()(?P<name>(?>:?[^\W\d][\w.]*(?:\([^\n()]*\))?|:"[^"\n]*"))(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: interface defprotocol(?:[ \t]+|\()(?P<name>(?>:?[^\W\d][\w.]*(?:\([^\n()]*\))?|:"[^"\n]*"))(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: impl defimpl(?:[ \t]+|\()(?P<name>(?>:?[^\W\d][\w.]*(?:\([^\n()]*\))?|:"[^"\n]*"))(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: function defn?p?[ \t]+(?:[^\W\d]\w*+|%?\{[^\n{}]*\}|%[\w.]++\{[^\n{}]*\}|\[[^\n\[\]]*\]|"[^"\n]*")[ \t]{1,9}(?P<name>[-+*/<>=|&^~!.@]{1,3}|and|or|in)[ \t](?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: function defn?p?[ \t]+(?P<name>[-+!^&@]|~~~)(?=[\w(])(?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: function defn?p?(?:[ \t]+|\()(?P<name>(?>unquote\([^\n()]*(?:\([^\n()]*\))?\)|[^\W\d]\w*+[?!]?))(?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: macro defmacrop?[ \t]+(?:[^\W\d]\w*+|%?\{[^\n{}]*\}|%[\w.]++\{[^\n{}]*\}|\[[^\n\[\]]*\]|"[^"\n]*")[ \t]{1,9}(?P<name>[-+*/<>=|&^~!.@]{1,3}|and|or|in)[ \t](?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: macro defmacrop?[ \t]+(?P<name>[-+!^&@]|~~~)(?=[\w(])(?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: macro defmacrop?(?:[ \t]+|\()(?P<name>(?>unquote\([^\n()]*(?:\([^\n()]*\))?\)|[^\W\d]\w*+[?!]?))(?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: macro defguardp?(?:[ \t]+|\()(?P<name>[^\W\d]\w*[?!]?)(?P<whole>)
; sketch: function defdelegate(?:[ \t]+|\()(?P<name>(?>unquote\([^\n()]*(?:\([^\n()]*\))?\)|[^\W\d]\w*+[?!]?))(?P<whole>)
; sketch: type @(?:typep?|opaque)[ \t]+(?P<name>unquote\([^\n()]*\)|[^\W\d]\w*[?!]?)(?P<whole>)
; sketch: method @(?:macro)?callback[ \t]+(?P<name>unquote\([^\n()]*\)|[^\W\d]\w*[?!]?)(?P<whole>)
; sketch: constant @(?!(?:spec|impl|doc|moduledoc|typedoc|optional_callbacks|typep?|opaque|(?:macro)?callback|derive|deprecated|behaviour|(?:describe|module)?tag)\b)(?P<name>[^\W\d]\w*)(?P<body>)[ \t]+(?=[^\s|=<>+*/&.,-]|-\w|<<|&[^&\s])(?!(?:and|or|in|do|when|not[ \t]+in)\b)(?P<whole>)
; sketch: module (?:describe|scope|live_session|pipeline)(?:[ \t]+|\()(?P<name>(?>"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"|[a-z_]\w*:[ \t][^\n]*?(?=[ \t]{1,9}do[ \t\r]*$)|:?[^\W\d][\w.]*+[?!]?(?:\([^\n()]*\))?|@\w+|:"[^"\n]*"))(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: function (?:test|property|feature)(?:[ \t]+|\()(?P<name>"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)")(?:(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=,\s{1,60}do:(?![^\n()]{0,80}\))|[ \t]{1,9}do[ \t\r\n]))?(?P<whole>)
; sketch: function (?P<name>setup(?:_all)?)(?=[ \t(])(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: struct schema(?:[ \t]+|\()(?P<name>(?>"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"|[a-z_]\w*:[ \t][^\n]*?(?=[ \t]{1,9}do[ \t\r]*$)|:?[^\W\d][\w.]*+[?!]?(?:\([^\n()]*\))?|@\w+|:"[^"\n]*"))(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch: struct (?P<name>embedded_schema)(?:[^\n]*\n\1[ \t)\]}]){0,40}?[^\n]*?(?P<body>)(?=[ \t]{1,9}do[ \t\r\n])(?P<whole>)
; sketch hides: """ """
; sketch hides: ''' '''
; sketch hides: ~[a-zA-Z]{1,20}+(?:\((?>(?:[^)\#\\\n]{0,400}+(?:\\.|\#\{[^\n}]{0,100}\}|\#)){0,40})[^)\\\n]{0,400}+\)|\[(?>(?:[^\]\#\\\n]{0,400}+(?:\\.|\#\{[^\n}]{0,100}\}|\#)){0,40})[^\]\\\n]{0,400}+\]|\{(?>(?:[^}\#\\\n]{0,400}+(?:\\.|\#\{[^\n}]{0,100}\}|\#)){0,40})[^}\\\n]{0,400}+\}|<(?>(?:[^>\#\\\n]{0,400}+(?:\\.|\#\{[^\n}]{0,100}\}|\#)){0,40})[^>\\\n]{0,400}+>|\|(?>(?:[^|\#\\\n]{0,400}+(?:\\.|\#\{[^\n}]{0,100}\}|\#)){0,40})[^|\\\n]{0,400}+\||/[^/\\\n]*+(?>(?:\\.[^/\\\n]*+)*)/|"(?!"")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"|'(?!'')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)') -
; sketch hides: ~[a-zA-Z]{1,20}+\( )
; sketch hides: ~[a-zA-Z]{1,20}+\[ ]
; sketch hides: ~[a-zA-Z]{1,20}+\{ }
; sketch hides: ~[a-zA-Z]{1,20}+< >
; sketch hides: ~[a-zA-Z]{1,20}+\| |
; sketch hides: ~[a-zA-Z]{1,20}+/ /
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: " "
; sketch hides: \?(?<!\w\?)\\?["'\#()\[\]{},;] -
; sketch hides: \#(?!\{) $
; sketch above: @(?:doc|typedoc|spec|impl|derive|deprecated|tag|describetag)\b
; sketch behind: \n(?P<indent>[ \t]*+)(?:(?:rescue|catch|else|after)\b[^\n]*(?>(?:\n(?!(?P=indent)end\b)[^\n]*){0,300})\n(?P=indent))?(?:end\b|>>)
; sketch blocks: indented

(comment) @comment
((unary_operator
  operand: (call~ target: (identifier) @_doc (arguments [(string) (sigil) (boolean) (binary_operator)]))) @comment
  (#any-of? @_doc "doc" "typedoc"))
((unary_operator operand: (call~ target: (identifier) @_doc (arguments (boolean)))) @comment
  (#eq? @_doc "moduledoc"))

((call target: (identifier) @_import) @import
  (#any-of? @_import "use" "import" "alias" "require" "import_config"))

; Modules, protocols and their implementations

((call target: (identifier) @_def (arguments . (_) @name) (do_block) @scope) @definition.module
  (#eq? @_def "defmodule"))
((call
  target: (identifier) @_def
  (arguments . (_) @name)
  (do_block
    (unary_operator~ operand: (call~ target: (identifier) @_doc (arguments [(string) (sigil)]))) @doc) @scope)
  @definition.module
  (#eq? @_def "defmodule")
  (#eq? @_doc "moduledoc"))
((call target: (identifier) @_def (arguments . (_) @name) (do_block) @scope) @definition.interface
  (#eq? @_def "defprotocol"))
((call
  target: (identifier) @_def
  (arguments . (_) @name)
  (do_block
    (unary_operator~ operand: (call~ target: (identifier) @_doc (arguments [(string) (sigil)]))) @doc) @scope)
  @definition.interface
  (#eq? @_def "defprotocol")
  (#eq? @_doc "moduledoc"))
((call target: (identifier) @_def (arguments . (_) @name) (do_block) @scope) @definition.impl
  (#eq? @_def "defimpl"))

; Functions and macros, each clause of them

((call
  target: (identifier) @_def
  (arguments . [
    (binary_operator~ left: (_) operator: _ @name)
    (unary_operator~ operator: _ @name operand: (_))
    (binary_operator~
      left: [(binary_operator~ left: (_) operator: _ @name) (unary_operator~ operator: _ @name operand: (_))]
      operator: "when")
  ] .)
  (do_block)? @body) @definition.function
  (#not-eq? @name "when")
  (#any-of? @_def "def" "defp" "defn" "defnp"))
((call
  target: (identifier) @_def
  (arguments . [
    (binary_operator~ left: (_) operator: _ @name)
    (unary_operator~ operator: _ @name operand: (_))
    (binary_operator~
      left: [(binary_operator~ left: (_) operator: _ @name) (unary_operator~ operator: _ @name operand: (_))]
      operator: "when")
  ] "," @body . (keywords . (pair key: (keyword) @_do)) @body .)) @definition.function
  (#set! fold.L1 ", do: ...")
  (#not-eq? @name "when")
  (#any-of? @_def "def" "defp" "defn" "defnp")
  (#match? @_do "^do:"))
((call
  target: (identifier) @_def
  (arguments . [
    (call~ target: (_) @name)
    (identifier) @name
    (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name] operator: "when")
  ] .)
  (do_block)? @body) @definition.function
  (#any-of? @_def "def" "defp" "defn" "defnp"))
((call
  target: (identifier) @_def
  (arguments . [
    (call~ target: (_) @name)
    (identifier) @name
    (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name] operator: "when")
  ] "," @body . (keywords . (pair key: (keyword) @_do)) @body .)) @definition.function
  (#set! fold.L1 ", do: ...")
  (#any-of? @_def "def" "defp" "defn" "defnp")
  (#match? @_do "^do:"))
((call
  target: (identifier) @_def
  (arguments . [
    (binary_operator~ left: (_) operator: _ @name)
    (unary_operator~ operator: _ @name operand: (_))
    (binary_operator~
      left: [(binary_operator~ left: (_) operator: _ @name) (unary_operator~ operator: _ @name operand: (_))]
      operator: "when")
  ] .)
  (do_block)? @body) @definition.macro
  (#not-eq? @name "when")
  (#any-of? @_def "defmacro" "defmacrop"))
((call
  target: (identifier) @_def
  (arguments . [
    (binary_operator~ left: (_) operator: _ @name)
    (unary_operator~ operator: _ @name operand: (_))
    (binary_operator~
      left: [(binary_operator~ left: (_) operator: _ @name) (unary_operator~ operator: _ @name operand: (_))]
      operator: "when")
  ] "," @body . (keywords . (pair key: (keyword) @_do)) @body .)) @definition.macro
  (#set! fold.L1 ", do: ...")
  (#not-eq? @name "when")
  (#any-of? @_def "defmacro" "defmacrop")
  (#match? @_do "^do:"))
((call
  target: (identifier) @_def
  (arguments . [
    (call~ target: (_) @name)
    (identifier) @name
    (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name] operator: "when")
  ] .)
  (do_block)? @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop"))
((call
  target: (identifier) @_def
  (arguments . [
    (call~ target: (_) @name)
    (identifier) @name
    (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name] operator: "when")
  ] "," @body . (keywords . (pair key: (keyword) @_do)) @body .)) @definition.macro
  (#set! fold.L1 ", do: ...")
  (#any-of? @_def "defmacro" "defmacrop")
  (#match? @_do "^do:"))
((call
  target: (identifier) @_def
  (arguments . [
    (call~ target: (_) @name)
    (identifier) @name
    (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name] operator: "when")
  ])) @definition.macro
  (#any-of? @_def "defguard" "defguardp"))
((call
  target: (identifier) @_def
  (arguments . [(call~ target: (_) @name) (identifier) @name])) @definition.function
  (#eq? @_def "defdelegate"))

; Module attributes: constants, but for what is the shape of a type or of a function

((unary_operator operand: (call~ target: (identifier) @name (arguments (_) @value))) @definition.constant
  (#not-match? @name
    "^(spec|impl|doc|moduledoc|typedoc|typep?|opaque|(macro)?callback|optional_callbacks|derive|deprecated|behaviour|(describe|module)?tag)$"))
((unary_operator operand: (call~ target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute "spec" "impl" "derive" "deprecated" "tag" "describetag"))
((unary_operator operand: (call~ target: (identifier) @_attribute (arguments (keywords)))) @attribute
  (#eq? @_attribute "doc"))
((unary_operator operand: (call~ target: (identifier) @_attribute)) @keep
  (#any-of? @_attribute "behaviour" "optional_callbacks" "moduletag"))
((unary_operator
  operand: (call
    target: (identifier) @_type
    (arguments [
      (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name])
      (binary_operator~ left: (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name]) operator: "when")
    ]))) @definition.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator
  operand: (call
    target: (identifier) @_type
    (arguments [
      (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name])
      (binary_operator~ left: (binary_operator~ left: [(call~ target: (_) @name) (identifier) @name]) operator: "when")
    ]))) @definition.method
  (#any-of? @_type "callback" "macrocallback"))

; What calls make of a module, and of the function component below them

((call target: (identifier) @_assign) @attribute
  (#any-of? @_assign "attr" "slot"))
((call target: (identifier) @_slot (do_block (call) @line))
  (#eq? @_slot "slot"))

((call target: (identifier) @_shape) @keep
  (#any-of? @_shape
    "defstruct" "defexception" "defoverridable" "defrecord" "defrecordp" "plug" "action_fallback"
    "embed_templates" "on_mount" "socket" "channel" "pipe_through" "resources" "live" "forward" "field" "belongs_to"
    "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many" "timestamps"))
((call target: (identifier) @_group (arguments . (_) @name) (do_block) @shape) @definition.struct
  (#eq? @_group "schema"))
((call target: (identifier) @name (do_block) @shape) @definition.struct
  (#eq? @name "embedded_schema"))
((call target: (identifier) @_group (arguments . (_) @name) (do_block) @scope) @definition.module
  (#any-of? @_group "describe" "scope" "live_session"))
((call target: (identifier) @_group (arguments . (_) @name) (do_block) @shape) @definition.module
  (#eq? @_group "pipeline"))
((call target: (identifier) @_one (arguments . (string) @name) (do_block)? @body) @definition.function
  (#any-of? @_one "test" "property" "feature"))
((call target: (identifier) @name (do_block) @body) @definition.function
  (#set! fold.L2 " do end")
  (#any-of? @name "setup" "setup_all"))
((call
  target: (identifier) @_one
  (arguments . (string) @name "," @body . (keywords . (pair key: (keyword) @_do)) @body)) @definition.function
  (#set! fold.L1 ", do: ...")
  (#any-of? @_one "test" "property" "feature")
  (#match? @_do "^do:"))
((call target: (identifier) @_one (arguments . (string) @name . (_) "," @body . (keywords . (pair key: (keyword) @_do)) @body)) @definition.function
  (#set! fold.L1 ", do: ...")
  (#any-of? @_one "test" "property" "feature")
  (#match? @_do "^do:"))
((call target: (identifier) @_verb (arguments . (string)) .) @keep
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "options" "head"))

((call target: (identifier) @_if (do_block) @scope) @frame
  (#any-of? @_if "if" "unless" "for" "quote" "case" "cond"))
(stab_clause right: (body) @scope) @frame
(else_block) @scope
