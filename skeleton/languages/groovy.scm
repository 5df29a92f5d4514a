; grammar: groovy
; files: *.groovy *.gradle *.gvy *.gsh *.nf Jenkinsfile Jenkinsfile.*
; shebang: groovy
; reserved: abstract as assert break case catch class continue def default do else enum extends false final finally for if implements import in instanceof interface native new null package private protected public return static super switch synchronized this throw throws trait transient true try void volatile while
; comments: //|/[*]|#!
; namespace: ^[ \t]*package[ \t]+(?P<name>[\w.]+)
; mixes: jvm
; uses: bare-members overloads lent-objects members-around loose-types
; calls: (func (identifier) @name)
; doc comments: /**
; name marks: "'
; begins: ^[ \t]*(?:(?:public|private|protected|static|final|abstract)[ \t]+){0,4}(?:class|interface|trait|enum|def)[ \t]+[\w"']
; read as: " " (?#<)\b(?:class|interface|trait)[ \t]+\w+(<[^\n{]{1,200}>)
; read as: "_" (?#<)\b[A-Z]\w{0,80}(?P<ahead><[\w.,? <>\[\]&]{1,200}>)
; read as: " " (?#throws)\)(\s{1,80}throws[ \t]+[\w., ]{1,400})(?=\s{0,80}\{)
; read as: "_" (?#if|for|while|switch|catch|try)\b(?:for|while|if|switch|catch|synchronized|try)[ \t]{0,9}(?P<ahead>\((?:[^(){}"']|"[^"\n]{0,400}"|'[^'\n]{0,400}'|\((?:[^(){}]|\((?:[^(){}]|\([^(){}]{0,200}\)){0,400}\)){0,400}\)){0,999}\))
; read as: "_" (?#@)@[A-Za-z][\w.]{0,80}(?P<ahead>\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,400}\)){0,999}\))
; read as: "_" (?#@)[(,]\s{0,80}(?P<ahead>@[A-Za-z][\w.]{0,80})
; read as: " " (?#" def |'|")(?<=["'])(\([^()\n]{0,400}\))(?=\s{0,80}\{)
; read as: " " ^[ \t]*[A-Z]\w*\((?:[^(){};"'\n]|"[^"\n]{0,400}"|'[^'\n]{0,400}'){1,999}\)()[ \t]*,(?=[ \t]*(?://[^\n]*)?\r?\n)|([:,])(?=[ \t]*(?://[^\n]*)?\r?\n)
; read as: "_" ()(?:/\*(?s:.*?)(?:\*/|\Z)|//[^\n]*|^[ \t]*[A-Z]\w*\((?:[^(){};"'\n]|"[^"\n]{0,400}"|'[^'\n]{0,400}'){1,999}\)(?=[ \t]*[,;]?[ \t]*(?://[^\n]*)?\r?$)|\b[A-Za-z_]\w*[ \t]*(?=\((?:[^(){};"']|"[^"\n]{0,400}"|'[^'\n]{0,400}'|\((?:[^(){};]|\((?:[^(){};]|\([^(){};]{0,200}\)){0,400}\)){0,400}\)){0,999}\)\s{0,200}\{)\(|\)(?=\s{0,200}\{)|^[ \t]*(?:[\w.\[\]]{1,80}[ \t]+){1,4}\w+\([^()\n<>*?.]{0,400}\)(?=[ \t]*;?[ \t\r]*$)|"(?:[^"\\\n$]|\\.)*"(?!")|(?<=def )"(?:[^"\\\n]|\\.)*"|'(?!'')(?:[^'\\\n]|\\.)*')|"""((?s:.*?))(?:"""|\Z)|'''((?s:.*?))(?:'''|\Z)|(?P<ahead>"(?:[^"\\\n]|\\.)*"|~?/(?:(?<=[=(,~:\[]/)|(?<=[=(,~:] /)|(?<=[=(,~:] ~/)|(?<=[(,=]~/))[^/\n *][^/\n]*/|[()?%^*<>/\\.]+|(?<=\[)[ \t]*:[ \t]*(?=\])|[:,](?=[ \t]*\))|^[ \t]*[,:]|@(?![A-Za-z]))
; blank: \)(?P<_>[ \t]{0,400}\r?\n\s{0,400})(?=\{)
; blank: (?#class |interface |trait |enum )\b(?:class|interface|trait|enum)[ \t][^\n{}"'/*]{1,400}(?P<_>\r?\n\s{0,400})(?=\{)
; fold L1: " { /* ... */ }"
; fold L2: " { /* ... */ }"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; line mark: "; "
; sketch: class (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:class|record)[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: interface (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:@?interface)[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: trait (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}trait[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}enum[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: method@class,interface,trait,enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:<[^\n=;{}()]{1,200}>[ \t]+)?(?!(?:return|new|else|throw|assert|case|in|as|package|import|class|interface|trait|enum|if|while|for|switch|catch|println|extends|implements)\b)[A-Za-z_][\w.]*(?:<[^\n=;{}()]{1,200}>)?(?:\[\]){0,3}[ \t]+(?P<name>[A-Za-z_$][\w$]*|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')[ \t]*\((?:[^(){}\n=]|=[^(){}\n]|\([^(){}\n]{0,200}\)){0,400}\)(?P<body>)(?=[ \t]*(?:throws[^\n{]{1,300})?\s{0,80}[{;]|[ \t\r]*\n)
; sketch: method@class,interface,trait,enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:<[^\n=;{}()]{1,200}>[ \t]+)?(?!(?:return|new|else|throw|assert|case|in|as|package|import|class|interface|trait|enum|if|while|for|switch|catch|println|extends|implements)\b)[A-Za-z_][\w.]*(?:<[^\n=;{}()]{1,200}>)?(?:\[\]){0,3}[ \t]+(?P<name>[A-Za-z_$][\w$]*|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')[ \t]*\((?=[^\n;]{0,300}(?:,|\()[ \t\r]*\n)
; sketch: function@. (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:<[^\n=;{}()]{1,200}>[ \t]+)?(?!(?:return|new|else|throw|assert|case|in|as|package|import|class|interface|trait|enum|if|while|for|switch|catch|println|extends|implements)\b)[A-Za-z_][\w.]*(?:<[^\n=;{}()]{1,200}>)?(?:\[\]){0,3}[ \t]+(?P<name>[A-Za-z_$][\w$]*|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')[ \t]*\((?:[^(){}\n=]|=[^(){}\n]|\([^(){}\n]{0,200}\)){0,400}\)(?P<body>)(?=[ \t]*(?:throws[^\n{]{1,300})?\s{0,80}[{;]|[ \t\r]*\n)
; sketch: function@. (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:<[^\n=;{}()]{1,200}>[ \t]+)?(?!(?:return|new|else|throw|assert|case|in|as|package|import|class|interface|trait|enum|if|while|for|switch|catch|println|extends|implements)\b)[A-Za-z_][\w.]*(?:<[^\n=;{}()]{1,200}>)?(?:\[\]){0,3}[ \t]+(?P<name>[A-Za-z_$][\w$]*|"(?:[^"\\\n]|\\.){1,300}"|'(?:[^'\\\n]|\\.){1,300}')[ \t]*\((?=[^\n;]{0,300}(?:,|\()[ \t\r]*\n)
; sketch: constructor@class,enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?P<name>[A-Z]\w*)[ \t]*\((?:[^(){}\n]|\([^(){}\n]{0,200}\)){0,400}\)(?P<body>)(?=[ \t]*(?:throws[^\n{]{1,300})?\s{0,80}\{)
; sketch: field@class,interface,trait,enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?!(?:return|new|else|throw|assert|case|in|as|package|import|class|interface|trait|enum|if|while|for|switch|catch|println|extends|implements)\b)[A-Za-z_][\w.]*(?:<[^\n=;{}()]{1,200}>)?(?:\[\]){0,3}[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]*(?==(?!=)|[;\r\n])
; sketch: field@class,interface,trait,enum (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final)[ \t]+){1,4}(?P<name>[A-Za-z_$][\w$]*)[ \t]*=(?!=)
; sketch: member@enum (?P<names>[A-Z]\w*(?:,\s{0,80}[A-Z]\w*){0,60})(?=[ \t]*[,;\r\n}])
; sketch: member@enum (?P<name>[A-Z]\w*)[ \t]*(?=\([^\n]*\)[ \t]*[,;]?[ \t\r]*\n)
; sketch: function@. (?:process|workflow)[ \t]+(?P<name>\w+)[ \t]*(?=\{)
; sketch: constant@. (?<=\n)(?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|static|final|abstract|sealed|synchronized|volatile|transient|default|native|strictfp)[ \t]+){0,6}(?:def|final|String|int|boolean)[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]*=(?!=)
; sketch: function task[ \t]+(?P<name>\w+)[ \t]*(?=\{)
; sketch: function (?:tasks\.register|stage)[ \t]*\([ \t]*(?P<name>"[^"\n]{1,200}"|'[^'\n]{1,200}')\)(?P<body>)(?=[ \t]*\{)
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: """ """
; sketch hides: ''' '''
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch apart: @
; sketch above: /[*][*]|@
; sketch blocks: lines

[(line_comment) (block_comment)] @comment
((command . (unit . (identifier) @_word)) @import
  (#any-of? @_word "package" "import"))
(command . (decorate)) @attribute

; What a build is made of

((command . (block . (unit . (identifier) @_word))) @detail
  (#any-of? @_word "plugins" "dependencies" "repositories" "buildscript" "ext" "allprojects" "subprojects"))

; Blocks: what stands before their braces is a part of them.

(command (block) @scope) @frame
(command [(unit) (operators) (arg_spliter)] @keep)
(block [(unit) (operators) (arg_spliter)] @keep)

; Types

((command (unit (identifier) @_kind) . (unit . (identifier) @name) (block)) @definition.class @scope
  (#any-of? @_kind "class" "record"))
((command (unit (identifier) @_kind) . (block . (unit . (identifier) @name))) @definition.class @scope
  (#any-of? @_kind "class" "record"))
((command (unit (identifier) @_kind) . (unit . (identifier) @name) (block)) @definition.interface @scope
  (#eq? @_kind "interface"))
((command (unit (identifier) @_kind) . (block . (unit . (identifier) @name))) @definition.interface @scope
  (#eq? @_kind "interface"))
((command (unit (identifier) @_kind) . (unit . (identifier) @name) (block)) @definition.trait @scope
  (#eq? @_kind "trait"))
((command (unit (identifier) @_kind) . (block . (unit . (identifier) @name))) @definition.trait @scope
  (#eq? @_kind "trait"))
((command (unit (identifier) @_kind) . (unit . (identifier) @name) (block)) @definition.enum @scope
  (#eq? @_kind "enum"))
((command (unit (identifier) @_kind) . (block . (unit . (identifier) @name))) @definition.enum @scope
  (#eq? @_kind "enum"))

; Members

((command
  (unit (identifier) @_kind)
  (block (command (unit) . (unit . (identifier) @name .) . (operators "=") . (_) @value [(unit) (operators) (string) (list) (number) (block) (arg_spliter)]* @value) @definition.field))
  (#any-of? @_kind "class" "interface" "trait" "enum" "record"))
((command
  (unit (identifier) @_kind)
  (block (command (unit (identifier) @_type) . (unit . (identifier) @name .) .) @definition.field))
  (#any-of? @_kind "class" "interface" "trait" "enum" "record")
  (#not-match? @definition.field "=")
  (#not-match? @name "_$")
  (#not-any-of? @_type "return" "assert"))
((command
  (unit (identifier) @_kind)
  (block [(command (unit . (identifier) @name .)) (end_command (unit . (identifier) @name .))] @definition.member))
  (#eq? @_kind "enum")
  (#match? @definition.member "^[A-Z]\\w*(\\s*,\\s*[A-Z]\\w*)*\\s*$"))
((command
  (unit (identifier) @_kind)
  (block [
    (command . (unit . (func (identifier) @name)))
    (command (arg_spliter) . (unit . (func (identifier) @name)))
    (end_command . (unit . (func (identifier) @name)))
  ] @definition.member))
  (#eq? @_kind "enum")
  (#match? @name "^[A-Z]"))
((command
  (unit (identifier) @_kind)
  (block (command . (block . (unit . (func (identifier) @name)) "{" @body "}" @body)) @definition.constructor))
  (#any-of? @_kind "class" "enum")
  (#match? @name "^[A-Z]"))
((command
  (unit (identifier) @_kind)
  (block [
    (command (unit) . (unit . (func (identifier) @name) .) .)
    (end_command (unit) . (unit . (func (identifier) @name) .) .)
  ] @definition.method))
  (#not-match? @definition.method "=")
  (#any-of? @_kind "class" "interface" "trait"))
((command (unit (identifier) @_type) . (block . (unit . (func (identifier) @name)) "{" @body "}" @body)) @definition.method
  (#not-any-of? @_type "return" "new" "else" "assert" "throw" "case" "in" "as"))
((command (unit (identifier) @_def) . (block . (string) @name "{" @body "}" @body)) @definition.method
  (#any-of? @_def "def" "void"))
((source_file
  (command (unit (identifier) @_type) . (block . (unit . (func (identifier) @name)) "{" @body "}" @body)) @definition.function)
  (#not-any-of? @_type "return" "new" "else" "assert" "throw" "case" "in" "as"))

; What a script keeps, and what a build or a pipeline is told

((source_file (command (unit (identifier) @_def) . (unit . (identifier) @name .) . (operators "=") . (_) @value [(unit) (operators) (string) (list) (number) (block) (arg_spliter)]* @value) @definition.constant)
  (#any-of? @_def "def" "final" "String" "int" "boolean" "static"))
((source_file (command . (unit . (identifier) @_word)) @keep)
  (#any-of? @_word "apply" "include" "rootProject" "group" "version" "plugins"))
((command (unit (identifier) @_task) . (block . (unit . (identifier) @name) "{" @body "}" @body)) @definition.function
  (#any-of? @_task "task" "process" "workflow"))
((command
  . (block . (unit . (func (identifier) @_register (arg_block . (string) @name))) "{" @body "}" @body)) @definition.function
  (#eq? @_register "tasks_register"))
((command . (block . (unit . (func (identifier) @_stage (arg_block . (string) @name))) "{" @body "}" @body)) @definition.function
  (#any-of? @_stage "stage"))
