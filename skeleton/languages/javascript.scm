; grammar: tsx
; files: *.js *.mjs *.cjs *.jsx *.es6 Jakefile
; reserved: as async await break case catch class const continue default delete do else enum export extends false finally for from function if import in instanceof interface let new null of private protected public return static super switch this throw true try typeof undefined var void while with yield
; visible: file@. \A(?![^\n]+\n[^({=]*\bexport\b)
; offers: ^export\b(?:[ \t]*(?:type[ \t]*)?\{([^}]*)\}|[ \t]+default[ \t]+([\w$]+))?
; shebang: node nodejs
; modeline: js jsx ecmascript
; comments: #!|//|/[*]|<!|-->
; mixes: web
; uses: held-members loose-types types-imported names-imported function-values
; own values: [?!]?[ \t]*(?::[ \t]*(?:readonly[ \t]+)?(?:(?:(?:Readonly)?(?:Array|Map|Set)|WeakMap|WeakSet|Promise|Date|RegExp|string|number|boolean)\b(?:<[^\n=()]{0,80}>)?|[\w.]{1,60}(?:<[^\n=()]{0,60}>)?\[\])(?![ \t]*[|&<\[])|(?::[^=\n(){}]{0,80})?=[ \t]*(?:\[|["'`]|new[ \t]+(?:Array|Map|Set|WeakMap|WeakSet|Date|RegExp)\b))
; of types: \bstatic\b
; names: (?<![\w$#])(?>#?(?!\d)[\w$]+)(?!\??:)
; doc comments: /**
; begins: ^[ \t]*(?:export[ \t]+(?:default[ \t]+)?)?(?:(?:declare|abstract|async)[ \t]+)*(?:function\b|class[ \t]+\w|interface[ \t]+\w|enum[ \t]+\w|namespace[ \t]+\w|type[ \t]+\w[^=\n]*=)|^[ \t]*(?:(?:static|async|get|set|public|private|protected|readonly|override|abstract)[ \t]+)*(?!(?:if|for|while|switch|catch|with|function|return)\b)[\w$#]+\([^;\n]{0,300}\{[ \t]*$
; fold L1: " { /* ... */ }"
; fold L2: " {}"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; sketch: function (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*(?P<name>[\w$]+)
; sketch: class (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:abstract[ \t]+)?class[ \t]+(?!extends\b|implements\b)(?P<name>[\w$]+)
; sketch: class@. export[ \t]+(?P<name>default)[ \t]+(?=class\b)
; sketch: function@. export[ \t]+(?P<name>default)[ \t]+(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: module@. export[ \t]+(?P<name>default)[ \t]+\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: - export[ \t]+default[ \t]+[\w$]+(?:\.[\w$]+){0,9}(?:\([\w$., ]*\)){0,3}[ \t]*+;?[ \t]*+$
; sketch: constant@. export[ \t]+(?P<name>default)[ \t]+(?!(?:abstract[ \t]+)?(?:async[ \t]+)?(?:class|function|interface|type|enum)\b)
; sketch: function@. [\w$]+(?:\.[\w$]+){0,5}\((?:[^\n()]*,)?[ \t]*(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*(?P<name>[\w$]+)(?=[ \t]*\()
; sketch: interface@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?interface[ \t]+(?P<name>[\w$]+)
; sketch: enum@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const[ \t]+)?enum[ \t]+(?P<name>[\w$]+)
; sketch: type@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?type[ \t]+(?P<name>[\w$]+)[ \t]*(?=[=<\n])
; sketch: module@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:namespace|module)[ \t]+(?P<name>[\w$.]+)[ \t]*(?=\{)
; sketch: module@. declare[ \t]+module[ \t]+['"](?P<name>[^'"\n]+)(?=['"])
; sketch: - (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?:\{[^{}]{0,2000}\}|[\w$]+)[ \t]*=\s{0,80}(?:await[ \t]+import|require)\([^()]{0,300}\)[\w$.]*(?:\(['\"][^()\n]*['\"]\))?[ \t]*(?=[;,]?[ \t]*$)
; sketch: - (?:const|let|var)[ \t]+(?:[\w$]+(?:[ \t]*:[^\n=]{0,200})?|\{(?>(?:[^{}]|\{[^{}]{0,300}\}){0,2000})\}(?:[ \t]*:(?>(?:[^={}]|\{[^{}]{0,2000}\}){0,400}))?)[ \t]*=\s{0,40}(?:define(?:Props|Emits|Slots|Model)(?=<)|withDefaults(?=\(define)|\$props(?=\())
; sketch: class@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)(?:[ \t]*:[^\n=]*(?:=>[^\n=]*)?)?[ \t]*=[ \t]*+\n?[ \t]*+(?=class\b)
; sketch: module@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)(?:[ \t]*:[^\n=]*(?:=>[^\n=]*)?)?[ \t]*=[ \t]*+\n?[ \t]*+(?:(?:module\.)?exports[ \t]*=[ \t]*){0,2}(?:[\w$]+(?:\.[\w$]+){0,5}(?:<[^\n()]*>)?\((?:[^\n(){}]*,[ \t]*)?)?\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: module@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)(?:[ \t]*:[^\n=]*(?:=>[^\n=]*)?)?[ \t]*=[ \t]*+\n?[ \t]*+\((?:async[ \t]*)?(?:function\b[^\n]*|(?:\([^\n()]*\)|[\w$]+)[ \t]*=>[ \t]*)\{[ \t]*$
; sketch: function@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)(?:[ \t]*:[^\n=]*(?:=>[^\n=]*)?)?[ \t]*=[ \t]*+\n?[ \t]*+(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: field@.,module export[ \t]+let[ \t]+(?P<name>[\w$]+)
; sketch: constant@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<names>[\w$]+(?:[ \t]*,[ \t]*[\w$]+){1,30})(?=[ \t]*(?:[;=]|$))
; sketch: constant@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)
; sketch: constant@.,module (?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:const|let|var)[ \t]+(?P<names>[\[{][^={}()\[\]]{1,2000}[}\]])(?=[ \t]*(?:=|:))
; sketch: function@.,module (?:module\.)?exports[ \t]*=[ \t]*(?:(?:module\.)?exports[ \t]*=[ \t]*)?(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*(?P<name>[\w$]+)
; sketch: class@.,module (?:module\.)?exports[ \t]*=[ \t]*(?:(?:module\.)?exports[ \t]*=[ \t]*)?class[ \t]+(?!extends\b)(?P<name>[\w$]+)
; sketch: class@.,module (?P<name>(?:module\.)?exports)[ \t]*=[ \t]*+\n?[ \t]*+(?=class\b)
; sketch: function@.,module (?P<name>(?:module\.)?exports)[ \t]*=[ \t]*+\n?[ \t]*+(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: module@.,module (?P<name>(?:module\.)?exports)[ \t]*=[ \t]*+\n?[ \t]*+\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: - (?:module\.)?exports[ \t]*=[ \t]*+(?:\{[\w$.,\s]{0,5000}\}|[\w$.= ]++(?:\([^()\n]*\))*[ \t]*+;?[ \t]*+$)
; sketch: constant@.,module (?P<name>(?:module\.)?exports)[ \t]*=(?!=)
; sketch: class@.,module (?:(?:module\.)?exports|this)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+(?=class\b)
; sketch: module@.,module (?:(?:module\.)?exports|this)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: function@.,module (?:(?:module\.)?exports|this)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+(?:(?:module\.)?exports\.[\w$]+[ \t]*=[ \t]*+\n?[ \t]*+)?(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: - (?:module\.)?exports\.[\w$]+[ \t]*=[ \t]*(?:(?:await[ \t]+import|require)\([^()]{0,300}\)[\w$.]*(?:\(['\"][^()\n]*['\"]\))?[ \t]*(?=[;,]?[ \t]*$)|[\w$.]+[ \t]*+;?[ \t]*+$)
; sketch: constant@.,module (?:module\.)?exports\.(?P<name>[\w$]+)[ \t]*=(?!=)
; sketch: module@.,module (?P<name>[\w$]+(?:\.[\w$]+)*)\.prototype[ \t]*=[ \t]*+\n?[ \t]*+\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: method@.,module (?P<container>[\w$]+(?:\.[\w$]+){0,6}?)\.prototype(?:\.(?P<name>[\w$]+))[ \t]*=[ \t]*+\n?[ \t]*+(?:[\w$.]+[ \t]*=[ \t]*+\n?[ \t]*+)?(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: constant@.,module (?P<container>[\w$]+(?:\.[\w$]+){0,6}?)\.prototype\.(?P<name>[\w$]+)[ \t]*=(?!=)
; sketch: class@.,module (?P<container>[\w$]+(?:\.[\w$]+){0,6}?)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+(?=class\b)
; sketch: module@.,module (?P<container>[\w$]+(?:\.[\w$]+){0,6}?)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: function@.,module (?P<container>[\w$]+(?:\.[\w$]+){0,6}?)\.(?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+(?:[\w$.]+[ \t]*=[ \t]*+\n?[ \t]*+)?(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: constant@.,module (?P<container>[A-Z][\w$]*)\.(?P<name>[\w$]+)[ \t]*=(?!=)
; sketch: function@.,module (?P<name>[\w$]+)[ \t]*=[ \t]*+\n?[ \t]*+(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: constructor@class,interface,type (?:(?:public|private|protected)[ \t]+)?(?P<name>constructor)[ \t]*(?=\()
; sketch: method@class,interface,type (?!new[ \t]*[(<])(?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|async|get|set|readonly|override|abstract|declare|accessor)[ \t]+){0,6}(?:\*[ \t]*)?(?P<name>#?[\w$]+|\[[^\]\n]+\]|'[^'\n]*'|"[^"\n]*")[?!]?[ \t]*(?=\(|<[^\n(]*\(|<[ \t]*$)
; sketch: method@class (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|async|get|set|readonly|override|abstract|declare|accessor)[ \t]+){0,6}(?:\*[ \t]*)?(?P<name>#?[\w$]+|\[[^\]\n]+\])(?:[ \t]*:[^\n=]*(?:=>[^\n=]*)?)?[ \t]*=[ \t]*+\n?[ \t]*+(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: field@class,interface,type (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|async|get|set|readonly|override|abstract|declare|accessor)[ \t]+){0,6}(?:\*[ \t]*)?(?P<name>#?[\w$]+|\[(?![^\]\n]*[ ]in[ ])[^\]\n:]+\]|'[^'\n]*'|"[^"\n]*")[?!]?[ \t]*(?=[:=;]|$(?!\s{0,80}>))
; sketch: member@enum (?P<name>[\w$]+|'[^'\n]*'|"[^"\n]*")[ \t]*(?=[,=}]|$)
; sketch: method@module (?!(?:if|for|while|switch|catch|with|return|function|await|new|throw|super|do|else|typeof|import|export|const|let|var)\b[^\n:=?]*[({ ])(?:(?:async|get|set)[ \t]+)?(?:\*[ \t]*)?(?P<name>(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")|\[[^\]\n]+\])[ \t]*(?=\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n{]*)?[ \t]*\{)
; sketch: method@module (?P<name>(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")|\[[^\]\n]+\])[ \t]*:[ \t]*(?=(?:async\b[ \t]*)?(?:function\b|(?:<[^\n()]*>)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*=>|[\w$]+[ \t]*=>))
; sketch: module@module (?P<name>(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\"))[ \t]*:[ \t]*\{[ \t]*(?=\n(?>(?:[ \t]*+\n){0,80})(?P<deep>[ \t]+)(?=\S)(?:[^\n]*\n(?>(?:[ \t]*\n|(?P=deep)[ \t}\])][^\n]*\n){0,300})(?P=deep)){0,100}?(?:(?:(?:async|get|set)[ \t]+|\*[ \t]*)?(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*\([^\n]*\{[ \t]*(?:\}|$)|(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")[ \t]*:[ \t]*(?:async\b[ \t]*)?(?:function\b|(?:\([^\n]*\)[ \t]*(?::[^\n]*)?|\([ \t]*\n(?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,600}\)(?:[ \t]*:[^\n=]{0,200})?[ \t]*)=>|[\w$]+[ \t]*=>)))
; sketch: constant@module (?!default\b|case\b)(?P<name>(?:[\w$]+|'[^'\n]*'|\"[^\"\n]*\")|\[[^\]\n]+\])[ \t]*(?=:)
; sketch: field@.,module (?:Object|Reflect)\.defineProperty\([ \t]*(?P<container>[\w$]+(?:\.[\w$]+){0,6}?)(?:\.prototype)?,[ \t]*['"](?!__esModule)(?P<name>[\w$]+)(?=['"],[ \t]*\{)
; sketch: - (?!(?:\}[ \t]*)?(?:else|catch|finally)\b|(?:if|try)\b|[;!+(]*\(?(?:async[ \t]*)?(?:function\b|\([^\n()]*\)[ \t]*=>)|define\(|(?:export[ \t]+)?declare[ \t]+global)[^\n]*(?:[({\[]|=>)[ \t]*$
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: `[^`\\$]*+(?>(?:(?:(?s:\\.)|\$(?!\{)|\$\{(?>(?:[^`{}]++|\{[^`{}]*+\}|`(?>(?:[^`\\]++|(?s:\\.))*)`){0,200})\})[^`\\$]*+){0,200})` -
; sketch hides: ` `
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: /(?:(?<=[(,=:\[!&|?;+{>]/)|(?<=[ ][ ]/)(?![ ])|(?<=[(,=:\[!&|?;+{>][ ]/)|(?<=return[ ]/))(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/ -
; sketch above: /[*][*]|@
; sketch blocks: lines

; The grammar is that of TSX: it reads all of JavaScript, and most of Flow besides.

[(comment) (html_comment) (hash_bang_line)] @comment
(decorator) @attribute

; Imports, and the exports that only give names

[(import_statement) (import_alias)] @import
(export_statement [(export_clause) "*" (namespace_export)]) @import
(export_statement "=") @import
(export_statement "as") @import
((_ (variable_declarator value: (_) @_value)) @import
  (#match? @_value "^(await import|require)[(](?!.[.]{3}.[)])[^()]*[)][A-Za-z0-9_$.]*([(]['\"][^()]*[A-Za-z0-9]['\"][)])?$"))
((expression_statement (call_expression~ function: (identifier) @_require arguments: (_))) @import
  (#eq? @_require "require"))
((expression_statement (string) @_directive) @keep
  (#match? @_directive "^.use (client|server)"))
((export_statement value: (_) @_value) @keep
  (#match? @_value "^[A-Za-z_$][A-Za-z0-9_$.]*([(][A-Za-z0-9_$., ]*[)])*$"))
((expression_statement
  (assignment_expression~ left: (_) @_left "=" right: (_) @_value)) @keep
  (#match? @_left "^(module[.])?exports$")
  (#match? @_value "^[{][A-Za-z0-9_$.,\\s]*[}]$|^((module[.])?exports ?= ?|new )?[A-Za-z_$][A-Za-z0-9_$.]*([(](?!.[.]{3}.[)])[^(){}]*[)])*$"))
((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @_object property: (property_identifier))
    "=" right: (_) @_value)) @keep
  (#match? @_object "^(module[.])?exports$")
  (#match? @_value "^([A-Za-z_$][A-Za-z0-9_$.]*|require[(](?!.[.]{3}.[)])[^()]*[)][A-Za-z0-9_$.]*)$"))

; What a component takes and gives, where its compiler reads that from calls

((_ (variable_declarator value: (call_expression) @_value)) @keep
  (#match? @_value "^(define(Props|Emits|Slots|Model)<|withDefaults[(]\\s*define|[$]props[(])"))
((expression_statement (call_expression) @_value) @keep
  (#match? @_value "^(define(Props|Emits|Slots|Model)<|withDefaults[(]\\s*define|[$]props[(])"))
((call_expression
  function: (identifier) @_macro
  arguments: (arguments~ (call_expression) . (_) @body .))
  (#eq? @_macro "withDefaults"))

; A module in a function that is called at once, and what stands under a condition

(expression_statement [
  (call_expression~
    function: (parenthesized_expression (_ body: (statement_block) @scope) @frame) @frame arguments: (_))
  (parenthesized_expression
    (call_expression~ function: (_ body: (statement_block) @scope) @frame arguments: (_)) @frame)
  (parenthesized_expression
    (call_expression~
      function: (member_expression object: (_ body: (statement_block) @scope) @frame) @frame arguments: (_)) @frame)
  (call_expression~
    function: (member_expression
      object: (parenthesized_expression (_ body: (statement_block) @scope) @frame) @frame) @frame arguments: (_))
  (unary_expression
    argument: (call_expression~ function: (_ body: (statement_block) @scope) @frame arguments: (_)) @frame)
  ] @frame) @frame
(expression_statement
  (parenthesized_expression
    (call_expression~
      function: (_ body: (statement_block) @scope)
      arguments: (arguments~ (_ body: (statement_block) @scope) @frame) @frame))) @frame
(expression_statement
  (call_expression~
    function: (parenthesized_expression (_ body: (statement_block) @scope))
    arguments: (arguments~ (_ body: (statement_block) @scope) @frame) @frame)) @frame
(expression_statement
  (unary_expression
    argument: (call_expression~
      function: (_ body: (statement_block) @scope)
      arguments: (arguments~ (_ body: (statement_block) @scope) @frame) @frame))) @frame
((expression_statement
  (call_expression~
    function: (identifier) @_define
    arguments: (arguments~ (_ body: (statement_block) @scope) @frame .) @frame) @frame) @frame
  (#any-of? @_define "define" "require" "requirejs"))
; what is mixed into a class, and the options of an object
(expression_statement
  (call_expression~ function: (_)
    arguments: (arguments~
      . [(string) (identifier) (member_expression)]
      . [(string) (identifier) (member_expression)]?
      . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape
      .) @frame) @frame) @frame
(expression_statement
  (new_expression
    arguments: (arguments~
      . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape
      .) @frame) @frame) @frame

; what a module in a function gives
(return_statement (object~ [
  (method_definition)
  (pair value: [(arrow_function) (function_expression)])
]) @shape) @frame

(if_statement consequence: (statement_block) @scope) @frame
(else_clause (statement_block) @scope) @frame
(try_statement body: (statement_block) @scope) @frame
(catch_clause body: (statement_block) @scope) @frame

; what is made of each of several: `methods.forEach(function (method) { app[method] = function …`
((expression_statement
  (call_expression~
    function: (member_expression~ property: (property_identifier) @_each)
    arguments: (arguments~ (_ body: (statement_block [
      (function_declaration)
      (class_declaration)
      (expression_statement (assignment_expression right: [
        (arrow_function) (function_expression) (generator_function) (class)
        (assignment_expression right: [(arrow_function) (function_expression)])
      ]))
    ]) @scope) @frame .) @frame) @frame) @frame
  (#eq? @_each "forEach"))
(for_in_statement body: (statement_block [
      (function_declaration)
      (class_declaration)
      (expression_statement (assignment_expression right: [
        (arrow_function) (function_expression) (generator_function) (class)
        (assignment_expression right: [(arrow_function) (function_expression)])
      ]))
    ]) @scope) @frame
(for_statement initializer: (_)? @keep body: (statement_block [
      (function_declaration)
      (class_declaration)
      (expression_statement (assignment_expression right: [
        (arrow_function) (function_expression) (generator_function) (class)
        (assignment_expression right: [(arrow_function) (function_expression)])
      ]))
    ]) @scope) @frame

; Functions and classes

(export_statement declaration: (_)) @wrapper

(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(function_signature name: (_) @name) @definition.function
(class_declaration name: (_) @name body: (_) @scope) @definition.class
(abstract_class_declaration name: (_) @name body: (_) @scope) @definition.class

((method_definition name: (_) @name body: (_) @body) @definition.method
  (#not-eq? @name "constructor"))
((method_definition name: (_) @name body: (_) @body) @definition.constructor
  (#eq? @name "constructor"))
((method_signature name: (_) @name) @definition.method
  (#not-eq? @name "constructor"))
((method_signature name: (_) @name) @definition.constructor
  (#eq? @name "constructor"))
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: (_)? @value) @definition.field
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(class_body (index_signature) @keep)

; Types

(interface_declaration name: (_) @name body: (_) @shape) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(type_alias_declaration name: (_) @name value: (object_type) @shape) @definition.type
(enum_declaration name: (_) @name body: (_) @shape) @definition.enum
(enum_body name: (_) @name @definition.member)
(enum_assignment name: (_) @name value: (_) @value) @definition.member
(property_signature name: (_) @name) @definition.field
(property_signature name: (_) @name type: (type_annotation (object_type) @shape)) @definition.field

(object_type [
  (property_signature)
  (method_signature)
  (call_signature)
  (construct_signature)
  (index_signature)
] @line)

; Namespaces and ambient declarations

(ambient_declaration (declaration)) @wrapper
(ambient_declaration (statement_block) @scope) @frame
(expression_statement (internal_module)) @wrapper
(internal_module name: (_) @name body: (statement_block) @scope) @definition.module
(module name: [(string (string_fragment) @name) (identifier) @name (nested_identifier) @name]
  body: (statement_block)? @scope) @definition.module

; Variables, and what one can hold: a function, a call that takes one, a class, an object with methods

((_ (variable_declarator
    name: (identifier) @name
    value: (_) @value)) @definition.constant
  (#not-match? @value "^(await import|require)[(](?!.[.]{3}.[)])[^()]*[)][A-Za-z0-9_$.]*([(]['\"][^()]*[A-Za-z0-9]['\"][)])?$")
  (#not-match? @value "^(define(Props|Emits|Slots|Model)<|withDefaults[(]\\s*define|[$]props[(])"))
((_ (variable_declarator
    name: (identifier) @name
    !value)) @definition.constant)
((_ (variable_declarator
    name: (_ [
      (shorthand_property_identifier_pattern) @name
      (identifier) @name
      (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
      (object_assignment_pattern left: (_) @name)
      (assignment_pattern left: (identifier) @name)
      (rest_pattern (identifier) @name)
    ])
    value: (_) @value)) @definition.constant
  (#set! value.L2 " = {}")
  (#not-match? @value "^(await import|require)[(](?!.[.]{3}.[)])[^()]*[)][A-Za-z0-9_$.]*([(]['\"][^()]*[A-Za-z0-9]['\"][)])?$")
  (#not-match? @value "^(define(Props|Emits|Slots|Model)<|withDefaults[(]\\s*define|[$]props[(])"))

(export_statement
  declaration: (lexical_declaration
    kind: "let"
    (variable_declarator name: (identifier) @name value: (_)? @value)) @definition.field)

((_ (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
      (parenthesized_expression [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
      (call_expression~
        function: (_) @_callee
        arguments: (arguments~
          . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
          . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
          . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
          (_)? @body .))
      (call_expression~
        function: (_) @_callee
        arguments: (arguments~
          . (call_expression~ function: (_) arguments: (arguments~
            . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
            (_)? @body .))
          .))
    ])) @definition.function
  (#match? @_callee "^[A-Za-z0-9_$.]+$")
  (#not-match? @_callee
    "[.](map|filter|reduce|reduceRight|flatMap|find|findIndex|findLast|some|every|sort|toSorted|forEach|then|catch|replace|from|fromEntries)$"))

((_ (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @scope))) @definition.class)

((_ (variable_declarator
    name: (identifier) @name
    value: [
      (call_expression~ function: (parenthesized_expression (_ body: (statement_block) @scope)) arguments: (_))
      (parenthesized_expression (call_expression~ function: (_ body: (statement_block) @scope) arguments: (_)))
    ])) @definition.module)

((_ (variable_declarator
    name: (identifier) @name
    value: [
      (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape
      (as_expression . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape)
      (satisfies_expression . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape)
      (call_expression~ function: (_) arguments: (arguments~
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . (object~ [
          (method_definition)
          (pair value: [(arrow_function) (function_expression)])
          (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
        ]) @shape
        .))
    ])) @definition.module)

; A variable that is an export, or a member of something, at once

((_ (variable_declarator
    name: (identifier) @name
    value: (assignment_expression~ "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
      (assignment_expression~ "=" right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ])
    ]))) @definition.function)
((_ (variable_declarator
    name: (identifier) @name
    value: (assignment_expression~ "=" right: [
      (class body: (_) @scope)
      (assignment_expression~ "=" right: (class body: (_) @scope))
    ]))) @definition.class)
((_ (variable_declarator
    name: (identifier) @name
    value: (assignment_expression~ "=" right: [
      (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
      ]) @shape
      (assignment_expression~ "=" right: (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
      ]) @shape)
    ]))) @definition.module)

; The default export

((export_statement "default" @name value: (_) @value) @definition.constant
  (#not-match? @value "^[A-Za-z_$][A-Za-z0-9_$.]*([(][A-Za-z0-9_$., ]*[)])*$"))
(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
    (call_expression~
      function: (_) @_callee
      arguments: (arguments~
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
        (_)? @body .))
    (call_expression~
      function: (_) @_callee
      arguments: (arguments~
        . (call_expression~ function: (_) arguments: (arguments~
          . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
          (_)? @body .))
        .))
  ]) @definition.function
(export_statement "default" @name value: (class body: (_) @scope)) @definition.class
(export_statement
  "default" @name
  value: [
    (object~ [
      (method_definition)
      (pair value: [(arrow_function) (function_expression)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ]) @shape
    (as_expression . (object~ [
      (method_definition)
      (pair value: [(arrow_function) (function_expression)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ]) @shape)
    (satisfies_expression . (object~ [
      (method_definition)
      (pair value: [(arrow_function) (function_expression)])
      (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
    ]) @shape)
    (call_expression~ function: (_) arguments: (arguments~
      . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
      . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
      . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape
      .))
  ]) @definition.module

; Members of objects

(pair key: (_) @name value: (_) @value) @definition.constant
(pair
  key: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(pair key: (_) @name value: (class body: (_) @scope)) @definition.class
(pair
  key: (_) @name
  value: (object~ [
    (method_definition)
    (pair value: [(arrow_function) (function_expression)])
    (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
  ]) @shape) @definition.module

; A property that a call defines on an object

((expression_statement
  (call_expression~ function: (_) @_defines arguments: (arguments~
    . [(identifier) (member_expression)] @container
    . (string (string_fragment) @name)
    . (object) @body
    .))) @definition.field
  (#match? @_defines "^(Object|Reflect)[.]defineProperty$")
  (#not-eq? @name "__esModule"))
((expression_statement
  (call_expression~ function: (_) @_defines arguments: (arguments~
    . (member_expression object: (_) @container property: (_) @_prototype)
    . (string (string_fragment) @name)
    . (object) @body
    .))) @definition.field
  (#match? @_defines "^(Object|Reflect)[.]defineProperty$")
  (#eq? @_prototype "prototype"))

; What is assigned to the exports

((expression_statement
  (assignment_expression~
    left: (_) @name
    "=" right: (_) @value)) @definition.constant
  (#match? @name "^(module[.])?exports$")
  (#not-match? @value "^[{][A-Za-z0-9_$.,\\s]*[}]$|^((module[.])?exports ?= ?|new )?[A-Za-z_$][A-Za-z0-9_$.]*([(](?!.[.]{3}.[)])[^(){}]*[)])*$")
  (#not-match? @value "^(async )?function|^class|^[A-Za-z.]+ = "))

((expression_statement
  (assignment_expression~
    left: (_) @name
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression !name body: (_) @body)
      (generator_function !name body: (_) @body)
    ])) @definition.function
  (#match? @name "^(module[.])?exports$"))

((expression_statement
  (assignment_expression~
    left: (_) @_left
    "=" right: [(function_expression name: (_) @name body: (_) @body) (generator_function name: (_) @name body: (_) @body)])) @definition.function
  (#match? @_left "^(module[.])?exports$"))

((expression_statement
  (assignment_expression~
    left: (_)
    "=" right: (assignment_expression~
      left: (_) @name
      "=" right: [
        (arrow_function body: (_) @body)
        (function_expression !name body: (_) @body)
        (generator_function !name body: (_) @body)
      ]))) @definition.function
  (#match? @name "^(module[.])?exports$"))

((expression_statement
  (assignment_expression~
    left: (_) @name
    "=" right: (assignment_expression~
      left: (_) @_left
      "=" right: [
        (arrow_function body: (_) @body)
        (function_expression !name body: (_) @body)
        (generator_function !name body: (_) @body)
      ]))) @definition.function
  (#match? @name "^(module[.])?exports$")
  (#not-match? @_left "^(module[.])?exports\\b"))

((expression_statement
  (assignment_expression~
    left: (_)
    "=" right: (assignment_expression~
      left: (_) @_left
      "=" right: (function_expression name: (_) @name body: (_) @body)))) @definition.function
  (#match? @_left "^(module[.])?exports$"))

((expression_statement
  (assignment_expression~
    left: (_) @name
    "=" right: (class !name body: (_) @scope))) @definition.class
  (#match? @name "^(module[.])?exports$"))

((expression_statement
  (assignment_expression~
    left: (_) @_left
    "=" right: (class name: (_) @name body: (_) @scope))) @definition.class
  (#match? @_left "^(module[.])?exports$"))

; What is assigned to a variable or a property

((expression_statement
  (assignment_expression~
    left: (identifier) @name
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function
  (#not-eq? @name "exports"))

((expression_statement
  (assignment_expression~
    left: (identifier) @name
    "=" right: (class body: (_) @scope))) @definition.class
  (#not-eq? @name "exports"))


((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @_object property: (property_identifier) @name)
    "=" right: (_) @value)) @definition.constant
  (#match? @_object "^(module[.])?exports$")
  (#not-match? @value "^([A-Za-z_$][A-Za-z0-9_$.]*|require[(](?!.[.]{3}.[)])[^()]*[)][A-Za-z0-9_$.]*)$"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (identifier) @container property: (property_identifier) @name)
    "=" right: (_) @value)) @definition.constant
  (#match? @container "^[A-Z]")
  (#not-eq? @name "prototype"))

((expression_statement
  (assignment_expression~
    left: (member_expression~
      object: (member_expression~ object: (_) @container property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    "=" right: (_) @value)) @definition.constant
  (#eq? @_prototype "prototype"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @_object property: (property_identifier) @name)
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function
  (#match? @_object "^((module[.])?exports|this)$"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @container property: (property_identifier) @name)
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function
  (#not-match? @container "^((module[.])?exports|this|module|.*[.]prototype)$"))

; Two names of one function: `req.get = req.header = function …`
((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @container property: (property_identifier) @name)
    "=" right: (assignment_expression~
      left: (member_expression~ object: (_) @_object property: (property_identifier) @name)
      "=" right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ]))) @definition.function
  (#not-match? @container "^((module[.])?exports|this|module|.*[.]prototype)$")
  (#not-match? @_object "^((module[.])?exports|this|module|.*[.]prototype)$"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @_object property: (property_identifier) @name)
    "=" right: (assignment_expression~
      left: (member_expression~ object: (_) @_other property: (property_identifier) @name)
      "=" right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ]))) @definition.function
  (#match? @_object "^((module[.])?exports|this)$")
  (#match? @_other "^((module[.])?exports|this)$"))

((expression_statement
  (assignment_expression~
    left: (member_expression~
      object: (member_expression~ object: (_) @container property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    "=" right: (assignment_expression~
      left: (member_expression~
        object: (member_expression~ property: (property_identifier) @_other)
        property: (property_identifier) @name)
      "=" right: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (generator_function body: (_) @body)
      ]))) @definition.method
  (#eq? @_prototype "prototype")
  (#eq? @_other "prototype"))

((expression_statement
  (assignment_expression~
    left: (member_expression~
      object: (member_expression~ object: (_) @container property: (property_identifier) @_prototype)
      property: (property_identifier) @name)
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.method
  (#eq? @_prototype "prototype"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @_object property: (property_identifier) @name)
    "=" right: (class body: (_) @scope))) @definition.class
  (#match? @_object "^((module[.])?exports|this)$"))

((expression_statement
  (assignment_expression~
    left: (member_expression~ object: (_) @container property: (property_identifier) @name)
    "=" right: (class body: (_) @scope))) @definition.class
  (#not-match? @container "^((module[.])?exports|this|module|.*[.]prototype)$"))

((expression_statement
  (assignment_expression~
    left: [
      (identifier) @name
      ((member_expression) @name @_whole)
      (member_expression~ object: (_) @name property: (property_identifier) @_prototype)
      (member_expression~ object: (_) @_object property: (property_identifier) @name)
      (member_expression~ object: (_) @container property: (property_identifier) @name)
    ]
    "=" right: [
      (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape
      (as_expression . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape)
      (satisfies_expression . (object~ [
        (method_definition)
        (pair value: [(arrow_function) (function_expression)])
        (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
      ]) @shape)
      (call_expression~ function: (_) arguments: (arguments~
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
        . (object~ [
          (method_definition)
          (pair value: [(arrow_function) (function_expression)])
          (pair value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]))
        ]) @shape
        .))
    ])) @definition.module
  (#eq? @_whole "module.exports")
  (#eq? @_prototype "prototype")
  (#match? @_object "^((module[.])?exports|this)$")
  (#not-match? @container "^((module[.])?exports|this|module)$")
  (#not-eq? @name "prototype"))

; A function with a name that is handed to a call

(expression_statement
  (call_expression~ function: (_)
    arguments: (arguments~
      . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
      . [(string) (identifier) (member_expression) (template_string) (number) (array) (comment)]?
      . (function_expression name: (_) @name body: (_) @body)
      (_)? @body .))) @definition.function
((expression_statement
  (call_expression~
    function: (member_expression~ property: (property_identifier) @_each)
    arguments: (arguments~ (function_expression
      name: (_) @name
      body: (statement_block [
      (function_declaration)
      (class_declaration)
      (expression_statement (assignment_expression right: [
        (arrow_function) (function_expression) (generator_function) (class)
        (assignment_expression right: [(arrow_function) (function_expression)])
      ]))
    ]) @scope) .))) @definition.module
  (#eq? @_each "forEach"))

; What has a name that is worked out, or no word for one

((expression_statement
  (assignment_expression~
    left: (subscript_expression~ object: (_) @_object index: [(identifier) @name (string (string_fragment) @name)])
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function
  (#match? @_object "^((module[.])?exports|this)$"))
((expression_statement
  (assignment_expression~
    left: (subscript_expression~ object: (_) @container index: [(identifier) @name (string (string_fragment) @name)])
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.function
  (#not-match? @container "^((module[.])?exports|this)$|[.]prototype$"))
((expression_statement
  (assignment_expression~
    left: (subscript_expression~
      object: (member_expression~ object: (_) @container property: (property_identifier) @_prototype)
      index: [(identifier) @name (string (string_fragment) @name)])
    "=" right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @definition.method
  (#eq? @_prototype "prototype"))
