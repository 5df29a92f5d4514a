; grammar: ruby
; files: *.rb *.rake *.gemspec *.ru *.podspec *.jbuilder *.thor *.rbi Rakefile Gemfile Capfile Guardfile Podfile Fastfile Vagrantfile Brewfile Dangerfile Berksfile Thorfile Steepfile Appraisals .irbrc .pryrc
; reserved: alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield
; shebang: ruby jruby macruby rake rackup
; uses: loose-types bare-calls spread-modules members-around bare-statements mixed-in
; comments: #|^=begin|^__END__
; names: (?<![\w@$])(?>(?!\d)[\w]+(?:[?!](?![=~]))?)(?!:(?!:))
; block ends: end\w*
; doc comments: # =begin
; name marks: :"'
; qualified: scope_resolution
; blank: (?#<%)()(?:^|\s)#[^\n]*|(?<=\w)(<%=[^\n]{0,200}?%>)
; blank: (?#<%)(?:^|\s)#[^\n]*|(?P<word><%=[^\n]{0,200}?%>)(?P<call>)
; blank: (?#<%)()(?:^|\s)#[^\n]*|<%[^\n]{0,200}?%>
; begins: ^[ \t]*(?:(?:private|protected|public|private_class_method|module_function)[ \t]+)?(?:def[ \t]+[\w\[\]+*/<>=!~%^&|-]|class[ \t]+[A-Z<]|module[ \t]+[A-Z])
; fold L1: "; end"
; fold L2: "; end"
; fold statements: "# ..."
; fold value: "\"...\""
; sketch: module module[ \t]+(?:::)?(?:(?:[A-Z]\w*::){0,9}(?P<container>[A-Z]\w*)::)?(?P<name>[A-Z]\w*)(?![\w:])(?:[ \t]*;(?P<body>)(?=[^\n]{0,300}\bend[ \t\r]*$))?
; sketch: class class[ \t]+(?:::)?(?:(?:[A-Z]\w*::){0,9}(?P<container>[A-Z]\w*)::)?(?P<name>[A-Z]\w*)(?![\w:])(?:[^\n;]{0,200};(?P<body>)(?=[^\n]{0,300}\bend[ \t\r]*$))?
; sketch: method@. (?:(?:[a-z]\w*[ \t(]+){1,2})?def[ \t]+(?P<container>[A-Z]\w*)(?:::[A-Z]\w*){0,9}\.(?P<name>[A-Za-z_][\w]*(?:[?!]|=(?=[ \t]*\(|[ \t]*[a-z_]\w*[ \t]*$))?|[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3})(?:[ \t]*\((?:[^\n()]|\([^\n()]*\)){0,300}\))?(?:(?P<body>)(?:[ \t]*(?:;|=(?![=~>]))|(?<=\))[^\n]{1,300}[ \t]end[ \t\r]*$))?
; sketch: method (?:(?:[a-z]\w*[ \t(]+){1,2})?def[ \t]+(?:[A-Za-z]\w*(?:::[A-Z]\w*){0,9}\.)?(?P<name>[A-Za-z_][\w]*(?:[?!]|=(?=[ \t]*\(|[ \t]*[a-z_]\w*[ \t]*$))?|[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3})(?:[ \t]*\((?:[^\n()]|\([^\n()]*\)){0,300}\))?(?:(?P<body>)(?:[ \t]*(?:;|=(?![=~>]))|(?<=\))[^\n]{1,300}[ \t]end[ \t\r]*$))?
; sketch: field (?:attr(?:_accessor|_reader|_writer)?|(?:thread_)?[cm]attr_(?:accessor|reader|writer)|class_attribute)(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?P<names>:\w+(?:,\s*+:\w+){0,90})
; sketch: method alias[ \t]+(?P<name>:?(?:[A-Za-z_][\w]*[?!=]?|[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3})|\$\S{1,60})[ \t]
; sketch: method alias_method(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?P<name>:[A-Za-z_][\w]*[?!=]?|:(?:[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3})|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')[ \t]*,
; sketch: method (?:[a-z]\w*[ \t(]+)?define_(?:singleton_)?method(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?P<name>:[A-Za-z_][\w]*[?!=]?|:(?:[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3})|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')(?:[ \t]*\)(?P<body>)[ \t]*\{|(?=[^\n]{0,300}(?:[,(][ \t]*\n[^\n]{0,300}){0,4}\bdo(?:[ \t]*\|[^|\n]{0,200}\|)?(?:[ \t\r]*$|[ \t;][^\n]{0,200}\bend[ \t\r]*$)))
; sketch: method scope(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?P<name>:\w+[?!]?)[ \t]*,\s{0,40}(?![^\n]{0,300}\}[ \t]*do\b)(?:->[ \t]*(?:\([^()\n]{0,200}\)|\w+(?:,[ \t]*\w+){0,9})?(?P<body>)[ \t]*\{|(?=->|(?:lambda|proc)\b))
; sketch: module (?:RSpec\.|[a-z]\w*\.)?(?:describe|context|feature|shared_examples(?:_for)?|shared_context|namespace|factory)(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?:(?:::)?(?:(?:\w+::){0,9}(?P<container>\w+)::)(?=[A-Z]))?(?P<name>[A-Za-z]\w*(?=[ \t]*[,)\n]|[ \t]+do\b|:[ \t])|:?(?:"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')|:(?:\w+[?!=]?|[-+!~]@|[-+*/%<>=!~^&|`\[\]]{1,3}))(?=[^\n]{0,300}(?:(?:[,(\\][ \t]*\n|\n[ \t]*\))[^\n]{0,300}){0,4}\bdo(?:[ \t]*\|[^|\n]{0,200}\|)?(?:[ \t\r]*$|[ \t;][^\n]{0,200}\bend[ \t\r]*$))
; sketch: function (?:it|specify|example|scenario|test|should|(?:multi)?task|get|post|put|patch|delete|head|options)(?:[ \t]+(?:\\\r?\n[ \t]*)?|\(\s*+)(?P<name>"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}'|:\w+[?!]?|\w+(?=:[ \t]))(?:(?=[^\n]{0,300}(?:[,(][ \t]*\n[^\n]{0,300}){0,4}\bdo(?:[ \t]*\|[^|\n]{0,200}\|)?(?:[ \t\r]*$|[ \t;][^\n]{0,200}\bend[ \t\r]*$))|[^\n{]{0,300}\)(?P<body>)[ \t]*\{)
; sketch: module@. [A-Z][\w:.]{0,200}\.(?P<name>\w+)\.draw(?=[ \t]+do\b)
; sketch: module@. (?P<container>ActiveRecord|Gem|Pod)::(?P<name>Schema|Spec(?:ification)?)(?:\[[\d.]+\])?\.(?:new|define)\b(?=[^\n]{0,300}\bdo\b)
; sketch: struct create_table[ \t(]+(?P<name>:\w+|"[^"\n]{1,200}"|'[^'\n]{1,200}')(?=[^\n]{0,300}\bdo\b)
; sketch: struct (?P<name>[A-Z]\w*)[ \t]*=[ \t]*(?:::)?(?:Struct|Data)\.(?:new|define)\b
; sketch: class (?P<name>[A-Z]\w*)[ \t]*=[ \t]*(?:::)?Class\.new\b
; sketch: module (?P<name>[A-Z]\w*)[ \t]*=[ \t]*(?:::)?Module\.new\b
; sketch: constant (?:(?:[A-Z]\w*::){0,9}(?P<container>[A-Z]\w*)::)?(?P<name>[A-Z]\w*)[ \t]*(?:\|\||&&|[-+*|])?=(?![=~>]|[ \t]*(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b|[^\n]{0,300}[^=\s][ \t](?:if|unless)[ \t]+!?defined\?)
; sketch: constant (?P<names>[A-Z]\w*(?:,[ \t]*[A-Z]\w*){1,20})[ \t]*=(?![=~>])
; sketch: constant@.,class,module (?P<name>@@\w+)[ \t]*=(?![=~>])
; sketch: constant@. (?<=\n)(?P<name>\$\w+)[ \t]*=(?![=~>])
; sketch: - if[ \t][^\n]{0,300}(?:__FILE__|\$0|PROGRAM_NAME)
; sketch: - (?:while|until|for)[ \t]
; sketch: - [a-z_@][\w.]*[ \t]*(?:\|\||&&)?=(?![=~>])
; sketch: - (?<=\n)__END__[ ]?$[\s\S]*
; sketch hides: \#(?<=[\s;)},]\#)(?!\{) $
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: `(?<!\\`)[^`\\\n]*+(?>(?:\\.[^`\\\n]*+)*)` -
; sketch hides: /(?:(?<=[(,\[{!|&=]/)|(?<=[(,=~|&] /)|(?<=[ \t]/)(?![ \t=]))[^/\\\n]*+(?>(?:\\.[^/\\\n]*+)*)/ -
; sketch hides: <<(?<![\w)\]]<<)(?:[-~]["'`]?|["'](?=[A-Z])|(?=[A-Z_][A-Z0-9_]*\b))(?P<word>[A-Za-z_]\w*+)[^\n]{0,300}+(?=\n) =
; sketch hides: =begin(?<=\n=begin)\b =end
; sketch above: \#
; sketch joins: (?:rescue|ensure|else|elsif|when|in|(?:private|protected|public|module_function)[ \t]*(?=[\r\n]))(?!\w)
; sketch behind: \n[ \t]*(?:end|/[imx]+)\b[^\n;]*
; sketch blocks: indented

(comment) @comment
(uninterpreted) @comment
(heredoc_body) @tail

; Types

(module name: (_) @name body: (_) @scope) @definition.module
(module name: (_) @name !body "end" @shape) @definition.module
(class name: (_) @name body: (_) @scope) @definition.class
(class name: (_) @name !body "end" @shape) @definition.class
(singleton_class (body_statement) @scope) @frame

; Constants

((assignment left: [(constant) (scope_resolution)] @name right: (_) @value) @definition.constant
  (#not-match? @value "^(::)?(Struct|Class|Module|Data)\\.(new|define)\\b"))
((assignment left: [(constant) (scope_resolution)] @name) @definition.constant
  . (comment)? . (heredoc_body)+ @tail)
(assignment
  left: (left_assignment_list (constant) @name)
  right: (_) @value) @definition.constant
(operator_assignment left: [(constant) (scope_resolution)] @name right: (_) @value) @definition.constant
([(program (assignment~ left: [(global_variable) (class_variable)] @name "=" right: (_) @value) @definition.constant)
  (body_statement (assignment~ left: (class_variable) @name "=" right: (_) @value) @definition.constant)])

((assignment
  left: (constant) @name
  right: (call~
    receiver: [(constant) (scope_resolution)] @_type
    method: (identifier) @_new
    block: [(do_block body: (_) @scope) (do_block !body "end" @shape) (block body: (_) @scope)]?)) @definition.struct
  (#match? @_type "^(::)?(Struct|Data)$")
  (#any-of? @_new "new" "define"))
((assignment
  left: (constant) @name
  right: (call~
    receiver: [(constant) (scope_resolution)] @_type
    method: (identifier) @_new
    block: [(do_block body: (_) @scope) (do_block !body "end" @shape) (block body: (_) @scope)]?)) @definition.class
  (#match? @_type "^(::)?Class$")
  (#eq? @_new "new"))
((assignment
  left: (constant) @name
  right: (call~
    receiver: [(constant) (scope_resolution)] @_type
    method: (identifier) @_new
    block: [(do_block body: (_) @scope) (do_block !body "end" @shape) (block body: (_) @scope)]?)) @definition.module
  (#match? @_type "^(::)?Module$")
  (#eq? @_new "new"))

; Methods

(method name: (_) @name ";"? @body body: (_)? @body "end" @body) @definition.method
(method name: (_) @name "=" @body body: (_) @body) @definition.method
(singleton_method name: (_) @name ";"? @body body: (_)? @body "end" @body) @definition.method
(singleton_method name: (_) @name "=" @body body: (_) @body) @definition.method
(singleton_method object: [(constant) (scope_resolution)] @container name: (_) @name) @definition.method

[(if_modifier body: [(method) (singleton_method) (alias)]) (unless_modifier body: [(method) (singleton_method) (alias)])]
  @wrapper
([
    (if_modifier body: (call~ !receiver method: (identifier) @_attribute))
    (unless_modifier body: (call~ !receiver method: (identifier) @_attribute))
  ] @wrapper
  (#match? @_attribute "^(attr(_accessor|_reader|_writer)?|alias_method)$"))

; `private def name`
(call arguments: (argument_list [(method) (singleton_method)])) @wrapper
(call
  arguments: (argument_list~
    [(method~ "def" name: (_) @name ";"? @body body: (_)? @body "end" @body)
     (singleton_method~ "def" name: (_) @name ";"? @body body: (_)? @body "end" @body)] @definition.method))
(call
  arguments: (argument_list~
    [(method~ "def" name: (_) @name "=" @body body: (_) @body)
     (singleton_method~ "def" name: (_) @name "=" @body body: (_) @body)] @definition.method))
(alias name: (_) @name) @definition.method

; What calls define

((call
  !receiver
  method: (identifier) @_attr
  arguments: (argument_list~ (simple_symbol) @name)) @definition.field
  (#any-of? @_attr
    "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "cattr_reader" "cattr_writer" "mattr_accessor"
    "mattr_reader" "mattr_writer" "class_attribute" "thread_mattr_accessor"))
((call
  !receiver
  method: (identifier) @_alias
  arguments: (argument_list~ . [(simple_symbol) (string)] @name)) @definition.method
  (#eq? @_alias "alias_method"))

; A block's brackets stay: `it "adds" do; end`.
((call
  method: (identifier) @_define
  arguments: (argument_list~ . [(simple_symbol) (string)] @name)
  block: (do_block ";"? @body body: (_)? @body "end" @body)) @definition.method
  (#any-of? @_define "define_method" "define_singleton_method"))
((call
  method: (identifier) @_define
  arguments: (argument_list~ . [(simple_symbol) (string)] @name)
  block: (block "{" @body "}" @body)) @definition.method
  (#set! fold.L1 " { }")
  (#set! fold.L2 " { }")
  (#any-of? @_define "define_method" "define_singleton_method"))

; `scope :open, ->(at) { where(open: at) }`
((call
  !receiver
  method: (identifier) @_scope
  arguments: (argument_list~ . (simple_symbol) @name . (lambda body: (block "{" @body "}" @body)))
  !block) @definition.method
  (#set! fold.L1 " { }")
  (#set! fold.L2 " { }")
  (#eq? @_scope "scope"))
((call
  !receiver
  method: (identifier) @_scope
  arguments: (argument_list~
    . (simple_symbol) @name
    . (lambda body: (do_block ";"? @body body: (_)? @body "end" @body)))
  !block) @definition.method
  (#eq? @_scope "scope"))
((call
  !receiver
  method: (identifier) @_scope
  arguments: (argument_list~ . (simple_symbol) @name . (call !receiver block: (_)))
  !block) @definition.method
  (#eq? @_scope "scope"))

; Tests, tasks and routes

((call
  method: (identifier) @_group
  arguments: (argument_list~ . (_) @name)
  block: [(do_block body: (_) @scope) (do_block !body "end" @shape)]) @definition.module
  (#any-of? @_group
    "describe" "context" "feature" "shared_examples" "shared_examples_for" "shared_context" "namespace" "factory"))
((call
  method: (identifier) @_one
  arguments: (argument_list~
    . [(simple_symbol) @name (string) @name (pair key: [(simple_symbol) (string) (hash_key_symbol)] @name)])
  block: (do_block ";"? @body body: (_)? @body "end" @body)) @definition.function
  (#any-of? @_one
    "it" "specify" "example" "scenario" "test" "should" "task" "multitask" "get" "post" "put" "patch" "delete" "head"
    "options"))
((call
  method: (identifier) @_one
  arguments: (argument_list~ . [(simple_symbol) (string)] @name)
  block: (block "{" @body "}" @body)) @definition.function
  (#set! fold.L1 " { }")
  (#set! fold.L2 " { }")
  (#any-of? @_one
    "it" "specify" "example" "scenario" "test" "should" "task" "multitask" "get" "post" "put" "patch" "delete" "head"
    "options"))

; What a program, a schema or a package is told to be: its routes, tables and settings

((call
  receiver: (call~ method: (identifier) @name)
  method: (identifier) @_draw
  block: [(do_block body: (_) @scope) (do_block !body "end" @shape)]) @definition.module
  (#eq? @_draw "draw"))
((call
  receiver: [(scope_resolution) @name (element_reference object: (_) @name)]
  method: (identifier) @_define
  block: [(do_block body: (_) @scope) (do_block !body "end" @shape)]) @definition.module
  (#match? @name "^(ActiveRecord::Schema|(Gem|Pod)::Spec(ification)?)$")
  (#any-of? @_define "define" "new"))
((call
  !receiver
  method: (identifier) @_create
  arguments: (argument_list~ . [(simple_symbol) (string)] @name)
  block: (do_block body: (_) @shape)) @definition.struct
  (#eq? @_create "create_table"))
((call
  receiver: (_)
  method: (identifier) @_drawn
  block: (do_block body: (body_statement~ (call !receiver arguments: (_)) @keep)))
  (#any-of? @_drawn "draw" "define"))
((call
  !receiver
  method: (identifier) @_inner
  block: (do_block body: (body_statement~ (call !receiver arguments: (_) !block) @keep)))
  (#eq? @_inner "namespace"))
((call
  receiver: (scope_resolution) @_package
  method: (identifier) @_new
  block: (do_block body: (body_statement~ [(call~ receiver: (identifier)) (assignment~ left: (call))] @detail)))
  (#match? @_package "^(Gem|Pod)::Spec(ification)?$")
  (#eq? @_new "new"))
((call
  receiver: (_)
  method: (identifier) @_configure
  block: (do_block body: (body_statement~ [(call receiver: (_) !block) (assignment~ left: (call))] @detail)))
  (#match? @_configure "^(configure|setup$)"))

; Imports, and the calls that make up a class

((call !receiver method: (identifier) @_import) @import
  (#any-of? @_import "require" "require_relative" "require_dependency" "load" "autoload" "using" "gem"))
((if_modifier body: (call~ !receiver method: (identifier) @_import)) @import
  (#any-of? @_import "require" "require_relative" "require_dependency" "load" "autoload" "using" "gem"))
((program (call~ !receiver method: (identifier) @_mixin) @keep)
  (#any-of? @_mixin "include" "extend" "prepend"))
(class body: (body_statement~ (call !receiver !block) @keep))
(module body: (body_statement~ (call !receiver !block) @keep))
(singleton_class (body_statement (call !receiver !block) @keep))
((call
  method: (identifier) @_mixed
  block: (do_block body: (body_statement~ (call !receiver !block) @keep)))
  (#any-of? @_mixed "included" "extended" "prepended" "class_methods" "concerning"))
((identifier) @keep
  (#any-of? @keep "private" "protected" "public" "module_function" "private_class_method"))

; What stands under a condition or in a block

(call block: [(do_block body: (_) @scope) (block body: (_) @scope)] @frame) @frame
((if condition: (_) @_condition) @frame
  (#not-match? @_condition "__FILE__|\\$0|PROGRAM_NAME"))
[(unless) (elsif) (case) (when) (rescue)] @frame
[(then) (else) (begin) (ensure)] @scope
