; grammar: clojure
; files: *.clj *.cljs *.cljc *.cljx *.cljd *.bb build.boot
; shebang: bb clojure clj
; comments: ;|#_|#!
; mixes: jvm
; names: (?<![\w*+!?<>=$&%|:.-])(?!['#\d])[\w*+!?<>='$&%|#-]{1,400}
; uses: slashes brackets-group
; tests: ^\((?:\w+/)?deftest\b
; calls: (list_lit . value: (sym_lit name: (sym_name) @name))
; doc comments: ;
; reach: 3
; begins: ^\((?:def[\w-]*|extend-(?:type|protocol)|ns)[ \t]+\S
; fold L1: " ..."
; fold L2: " ..."
; fold statements: "..."
; fold value: "..."
; fold inside: "..."

[(comment) (dis_expr)] @comment

((list_lit . value: (sym_lit) @_word) @import
  (#any-of? @_word "ns" "in-ns" "require" "import" "use" "refer" "declare"))

; Functions and macros: of one arity, of several, and those that are chosen by a value. A doc string stands in the signature, and stays.
; Several arities are the members of what they belong to, and the body of each folds by itself.
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (vec_lit)
  value: (_)* @body) @definition.function
  (#any-of? @_word "defn" "defn-"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (list_lit . value: (vec_lit))) @definition.function @scope
  (#any-of? @_word "defn" "defn-"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (sym_lit) @body
  value: (_)* @body) @definition.function
  (#any-of? @_word "defn" "defn-"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (vec_lit)
  value: (_)* @body) @definition.macro
  (#eq? @_word "defmacro"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (list_lit . value: (vec_lit))) @definition.macro @scope
  (#eq? @_word "defmacro"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: (sym_lit) @body
  value: (_)* @body) @definition.macro
  (#eq? @_word "defmacro"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  value: (_)* @body) @definition.function
  (#eq? @_word "deftest"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: [(kwd_lit) (sym_lit) (var_quoting_lit)] @_dispatch) @definition.function
  (#eq? @_word "defmulti")
  (#not-eq? @_dispatch "..."))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . [(map_lit) (comment)]*
  . value: [(list_lit) (anon_fn_lit) (sym_lit)] @_dispatch @body
  value: (_)* @body) @definition.function
  (#eq? @_word "defmulti")
  (#match? @_dispatch "^#?\\(|^[.]{3}$"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit)
  value: [(str_lit) (map_lit) (list_lit . value: (vec_lit))] @keep)
  (#any-of? @_word "defn" "defn-" "defmacro"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit)
  value: (list_lit . value: (vec_lit) value: (_)* @body))
  (#any-of? @_word "defn" "defn-" "defmacro"))
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . value: (_)
  . value: (vec_lit)
  value: (_)* @body) @definition.method
  (#eq? @_word "defmethod"))

; Values.
((list_lit
  . value: (sym_lit) @_word
  . value: (sym_lit name: (sym_name) @name)
  . [(str_lit) (comment)]*
  . value: (_) @value .) @definition.constant
  (#any-of? @_word "def" "defonce"))

; Types, protocols and what implements them.
((list_lit . value: (sym_lit) @_word . value: (sym_lit name: (sym_name) @name)) @definition.interface @scope
  (#any-of? @_word "defprotocol" "definterface"))
((list_lit . value: (sym_lit) @_word . value: (sym_lit name: (sym_name) @name)) @definition.struct @scope
  (#any-of? @_word "defrecord" "deftype"))
((list_lit . value: (sym_lit) @_word . value: (sym_lit name: (sym_name) @name)) @definition.impl @scope
  (#any-of? @_word "extend-type" "extend-protocol"))
((list_lit . value: (sym_lit) @_word value: [(sym_lit) (vec_lit) (str_lit) (kwd_lit) (map_lit)] @keep)
  (#any-of? @_word "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "extend-protocol"))
((list_lit
  . value: (sym_lit) @_word
  value: (list_lit . value: (sym_lit name: (sym_name) @name) . value: (vec_lit)) @definition.method)
  (#any-of? @_word "defprotocol" "definterface"))
((list_lit
  . value: (sym_lit) @_word
  value: (list_lit
    . value: (sym_lit name: (sym_name) @name)
    . value: (vec_lit)
    value: (_)* @body) @definition.method)
  (#any-of? @_word "defrecord" "deftype" "extend-type" "extend-protocol"))
