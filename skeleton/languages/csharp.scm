; grammar: csharp
; files: *.cs *.csx
; reserved: abstract as async await base bool break byte case catch char class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach get if implicit import in int interface internal is lock long namespace new null object out override params private protected public readonly ref return sealed set short sizeof static string struct super switch this throw true try typeof unsafe using var virtual void volatile while
; visible: file \n[^(=\n]*\bprivate\b
; uses: bare-members overloads spread-modules members-around counted-arguments
; of types: \bstatic\b
; lends: ^([ \t]+)extension[ \t]*(?:<[^<>\n]{0,200}>[ \t]*)?\(
; comments: #|//|/[*]
; block ends: end\w*
; doc comments: /// /**
; blank: (?##if)^[ \t]*#if[^\n]*\n(?:[ \t]*(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern)(?:[ \t]+(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern)){0,5}[ \t]*\r?\n){1,3}(?:[ \t]*#else[^\n]*\n(?:[ \t]*(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern)(?:[ \t]+(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern)){0,5}[ \t]*\r?\n){1,3})?[ \t]*#endif[^\n]*
; blank: (?##if)^[ \t]*#if[^\n]*\n[ \t]*(?:[,:.]|&&|\|\||\?\?|(?:case|else|or|and)\b)(?:(?![ \t]*#)[^\n]*\n)*[ \t]*#endif[^\n]*
; blank: (?##if)^[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*?[ \t]*else[ \t]*\r?\n[ \t]*#endif[^\n]*
; blank: (?##if)[(,][ \t]*\r?\n[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*([ \t]*#(?:else[^\n]*\n(?:(?![ \t]*#)[^\n]*\n)*[ \t]*#)?endif[^\n]*)
; blank: (?##if)[(,][ \t]*\r?\n([ \t]*#if[^\n]*)
; blank: (?##if)^(?P<_>[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n;{}]*\n){1,8}?[ \t]*#else[^\n]*)\n(?:(?![ \t]*#)[^\n;{}]*\n){1,8}?(?P<__>[ \t]*#endif[^\n]*)(?=\r?\n[ \t]*[{;])
; blank: (?##if)=>[ \t]*\r?\n([ \t]*#if[^\n]*)(?=\r?\n(?:(?![ \t]*#)[^\n]*\n){1,120}?[ \t]+;[ \t]*\r?$)
; blank: (?##if)^(?P<_>[ \t]*#if[^\n]*)\n(?:[ \t]*(?:using\b[^\n]*)?\n){0,30}(?P<__>[ \t]*namespace\b[^\n;{]*\n(?:[ \t]*\r?\n)?[ \t]*#else[^\n]*)\n(?:[ \t]*(?:using\b[^\n]*)?\n){0,30}[ \t]*namespace\b[^\n;{]*\n(?P<___>[ \t]*#endif[^\n]*)(?=\r?\n[ \t]*\{)
; read as: "}" (?##if)\)[ \t]*\r?\n[ \t]*#if[^\n]*\n(?=[ \t]*\{)(?:(?![ \t]*#)[^\n]*\n){1,200}([ \t]*#else[^\n]*\n[ \t]*;[ \t]*\r?\n[ \t]*#endif)
; read as: "}" (?##if)\)[ \t]*\r?\n[ \t]*#if[^\n]*\n(?=[ \t]*=>)(?:(?![ \t]*(?:\}|#(?!else)))[^\n]*\n){1,60}([ \t]*#endif[^\n]*\n[ \t]*(?:(?:[-?:+*/%|&]|is\b|as\b)[^;{}#]{0,400})?;)
; read as: "{;;" (?##if)\)[ \t]*\r?\n([ \t]*#if)[^\n]*\n(?=[ \t]*\{(?:(?![ \t]*#)[^\n]*\n){1,200}?[ \t]*\r?\n[ \t]*\r?\n[ \t]*\}[ \t]*\r?$)
; read as: "{;;" (?##if)\)[ \t]*\r?\n([ \t]*#if)[^\n]*\n(?=[ \t]*=>(?:(?![ \t]*(?:\}|#(?!else)))[^\n]*\n){1,60}[ \t]*\}[ \t]*\r?$)
; read as: "+" (?##else)=>[ \t]*\r?\n[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n){0,60}?[^\n;#]*(;[ \t]*\r?\n[ \t]*#else[ \t]*)\r?\n
; read as: ";" (?##endif)=>[ \t]*\r?\n[ \t]*#if[^\n]*\n(?:(?![ \t]*#)[^\n]*\n){1,120}?[^\n;#]*(;[ \t]*\r?\n[ \t]*#endif[ \t]*)\r?$
; read as: "_sync" (?#async)(async(?<!\wasync)(?=\s*(?:[),;?:.=!&|\]}]|is\b)))
; read as: "//" (?##:)^(#:)(?=[a-z])
; blank: (?#allows )(,\s{0,40}allows[ \t]+ref[ \t]+struct)\b
; blank: (?#allows )(where(?<!\wwhere)[ \t]+\w+[ \t]*:[ \t]*allows[ \t]+ref[ \t]+struct)\b
; blank: (?#{;;)\{;;[^\n]{0,400}\n([ \t]*=>(?:(?![ \t]*(?:\}|#(?!else)))[^\n]*\n){1,60})(?=[ \t]*\})
; blank: (?#{;;)\{;;([^\r\n]*)
; blank: (?#?.|?[)(\?)(?=(?:\.\w+|\[[^\[\]\n]{1,200}\])(?:[?!]{0,2}\.\w+|[?!]{0,2}\[[^\[\]\n]{0,200}\]|\([^()\n]{0,200}\)){0,20}[ \t]*(?:\?\?|<<|>>|[-+*/%&|^])?=(?![=>]))
; blank: (?#}""")(?:\$@|@\$)"(?>(?:[^"}\n]|""|\}(?!""")){0,400})\}("")(?=")
; blank: (?#out |ref |in )(?<![\w>])\((out|ref|in)[ \t]+[\w.<>?,\[\] ]{1,200}\)(?=[ \t]*=>)
; namespace: ^[ \t]*namespace[ \t]+(?P<name>[\w.]+)[ \t]*;
; begins: ^[ \t]*(?:\[[^\n]*\]\r?\n[ \t]*){0,20}(?:(?:public|private|protected|internal|static|sealed|abstract|partial|override|virtual|async|readonly|new|unsafe|extern|ref)[ \t]+)*(?:(?:class|struct|interface|enum|record|namespace|delegate)[ \t]+\w|(?!(?:return|new|await|throw|else|using|var|yield|case|goto|in|is|as|out|ref)\b)[\w.<>\[\],?]+[ \t]+\w+(?:<[^<>()\n]*>)?\([^;\n]*$)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; read as: "class __e" (?#extension)^[ \t]+(extension)(?=[ \t]*(?:<[^<>\n]{0,200}>[ \t]*)?\([^()\n]{0,300}\)\s{0,40}(?:where\b[^;{}]{0,400})?\{)
; sketch words: class=class struct=struct interface=interface enum=enum record=class
; sketch: * (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?P<word>class|struct|interface|enum|record)(?:[ \t]+(?:class|struct)\b)?[ \t]+(?P<name>@?\w+)(?![ \t]*[=,)])
; sketch: module@.,module namespace[ \t]+(?P<name>[\w.]++)(?![ \t]*;)
; sketch: type (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})delegate[ \t]+(?:ref[ \t]+)?(?:readonly[ \t]+)?(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?P<name>@?\w+)(?=(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?[ \t]*\()
; sketch: function@class,struct,interface,. (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?!(?:return|throw|await|else|case|yield|goto|in|is|as|out|var|using|do|when|or|and|not)\b)(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?:\w+(?:<[^\n()=;{}]{0,200}>)?\.){0,6}(?P<name>@?\w+)(?=(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?[ \t]*\()
; sketch: method@class,struct,interface (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?:\w+(?:<[^\n()=;{}]{0,200}>)?\.){0,6}(?P<name>this)[ \t]*(?=\[)
; sketch: -@. \{|(?:if|for|foreach|while|switch|try|catch|finally|else|do|lock|using[ \t]*\(|await[ \t]+foreach)\b
; sketch: -@. [^\n]*[({\[][ \t]*$
; sketch: member@enum (?P<names>@?[^\W\d]\w*(?:,[ \t]*@?[^\W\d]\w*){1,60})(?=[ \t]*[,\n}])
; sketch: member@enum (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?P<name>@?[^\W\d]\w*)[ \t]*(?=[=,\n}])
; sketch: constructor@class,struct (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?!extension\b)(?P<name>@?\w+)(?=[ \t]*+\n?[ \t]*+\((?![^\n{=]*\)[ \t]*;[ \t]*$))
; sketch: constant@class,struct,interface (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?=(?:\w+[ \t]+){0,6}(?:const[ \t]|static[ \t]+(?:\w+[ \t]+){0,4}readonly[ \t]))(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?P<name>@?\w+)[ \t]*(?=[=;,]|\n)
; sketch: field@class,struct (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?P<names>@?[^\W\d]\w*(?:[ \t]*=[ \t]*-?\d[\w.]*)?(?:,[ \t]*@?[^\W\d]\w*(?:[ \t]*=[ \t]*-?\d[\w.]*)?){1,60})[ \t]*(?=[;=])
; sketch: field@class,struct,interface (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?:\w+(?:<[^\n()=;{}]{0,200}>)?\.){0,6}(?P<name>@?\w+)[ \t]*(?=[=;,{\n]|\[\w)(?!==)
; sketch: method@class,struct,interface (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4}[ \t]+(?:\w+(?:<[^\n()=;{}]{0,200}>)?\.){0,6}operator[ \t]*(?:checked[ \t]+)?(?P<name>true\b|false\b|[^\s\w(]+)[ \t]*(?=\()
; sketch: method@class,struct,interface (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})(?:implicit|explicit)[ \t]+(?:\w+(?:<[^\n()=;{}]{0,200}>)?\.){0,6}operator[ \t]+(?:checked[ \t]+)?(?P<name>(?:[A-Za-z_@][\w.:]*+|\((?:[^\n()]|\([^\n()]*\))*\))(?:[ \t]*<[^\n()=;{}]{0,200}(?:\([^\n()]{0,200}\)[^\n()=;{}]{0,200}){0,2}>)?(?:\.[\w.]+(?:<[^\n()=;{}]{0,200}>)?)?(?:\?|\*|\[[, \t]*\]){0,4})[ \t]*(?=\()
; sketch: method@class (?:\[(?:[^\n\[\]]|\[[^\n\[\]]*\])*\][ \t]*){0,5}(?>(?:(?:public|private|protected|internal|static|readonly|async|override|virtual|abstract|sealed|partial|const|new|event|unsafe|extern|ref|required|volatile|fixed|file)[ \t]+){0,7})~[ \t]*(?P<name>\w+)[ \t]*(?=\()
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: \# $
; sketch hides: "(?<=@"|"") "
; sketch hides: """(?<!"""") """
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?:[^'\\\n]|\\.){1,10}' -
; sketch above: ///|/[*][*]|\[(?![^\n]{0,200}\][ \t]*@?\w[^\n]{0,200},[ \t]*+(?://[^\n]*)?\s*$)
; sketch behind: [ \t]*;
; sketch arrow: =>

(comment) @comment
[(preproc_region) (preproc_endregion) (preproc_nullable) (preproc_pragma) (preproc_line) (preproc_warning)
 (preproc_error)] @comment
[(using_directive) (extern_alias_directive) (file_scoped_namespace_declaration) (preproc_define) (preproc_undef)
 (shebang_directive)] @import
[(attribute_list) (preproc_if_in_attribute_list)] @attribute
[(preproc_if) (preproc_elif) (preproc_else)] @scope

(namespace_declaration name: (_) @name body: (_) @scope) @definition.module
((class_declaration name: (_) @name body: (_)? @scope) @definition.class (#not-eq? @name "__e"))
; A block of extensions is read as a class of a name that nobody gives one.
((class_declaration name: (_) @_name body: (_) @scope) @frame (#eq? @_name "__e"))
(record_declaration name: (_) @name body: (_)? @scope) @definition.class
(struct_declaration name: (_) @name body: (_)? @scope) @definition.struct
(interface_declaration name: (_) @name body: (_)? @scope) @definition.interface
(enum_declaration name: (_) @name body: (_)? @shape) @definition.enum
(enum_member_declaration name: (_) @name value: (_)? @value) @definition.member
(delegate_declaration name: (_) @name) @definition.type

; Fields

(field_declaration
  (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.field

((field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.constant
  (#eq? @_const "const"))
((field_declaration
  (modifier) @_static
  (modifier) @_readonly
  (variable_declaration (variable_declarator name: (_) @name))) @definition.constant
  (#eq? @_static "static")
  (#eq? @_readonly "readonly"))
((field_declaration
  (modifier) @_static
  (modifier) @_readonly
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @value))) @definition.constant
  (#eq? @_static "static")
  (#eq? @_readonly "readonly"))

; Properties, indexers and events with accessors. An initialiser goes with its semicolon, which needs no other.

(property_declaration name: (_) @name accessors: (_) @accessors) @definition.field
(property_declaration name: (_) @name accessors: (_) @accessors value: (_) @value ";" @value) @definition.field
((property_declaration name: (_) @name value: (arrow_expression_clause) @body ";" @body) @definition.field
  (#set! fold.L2 " { get; }"))
(indexer_declaration "this" @name accessors: (_) @accessors) @definition.method
((indexer_declaration "this" @name value: (arrow_expression_clause) @body ";" @body) @definition.method
  (#set! fold.L2 " { get; }"))
(event_declaration name: (_) @name accessors: (_)? @accessors) @definition.field
(accessor_list (accessor_declaration body: (block) @body))
(accessor_list (accessor_declaration body: (arrow_expression_clause) @body ";" @body))

; Methods

(method_declaration name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (block) @body) @definition.method
(method_declaration name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(constructor_declaration
  name: (_) @name
  (constructor_initializer)? @body
  body: (block) @body) @definition.constructor
(constructor_declaration
  name: (_) @name
  (constructor_initializer)? @body
  body: (arrow_expression_clause) @body ";" @body) @definition.constructor
(constructor_declaration name: (_) @name ";") @definition.constructor
(destructor_declaration name: (_) @name) @definition.method
(destructor_declaration name: (_) @name body: (block) @body) @definition.method
(destructor_declaration name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(operator_declaration operator: _ @name) @definition.method
(operator_declaration operator: _ @name body: (block) @body) @definition.method
(operator_declaration operator: _ @name body: (arrow_expression_clause) @body ";" @body) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(conversion_operator_declaration type: (_) @name body: (block) @body) @definition.method
(conversion_operator_declaration type: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.method

(local_function_statement name: (_) @name) @definition.function
(local_function_statement name: (_) @name body: (block) @body) @definition.function
(local_function_statement name: (_) @name body: (arrow_expression_clause) @body ";" @body) @definition.function
(global_statement (local_function_statement)) @wrapper

; What a record is made of; it stands in the signature.
(record_declaration (parameter_list (parameter name: (_) @name) @definition.field))
