; grammar: scala
; files: *.scala *.sc *.sbt *.mill
; reserved: abstract case catch class def do else extends false final finally for if implicit import lazy match new null object override package private protected return sealed super this throw trait true try type val var while with yield
; visible: file \n[^(=\n]*\bprivate\b(?!\[(?!this\b)|\s*\()
; shebang: scala scala-cli
; comments: //|/[*]
; mixes: jvm
; namespace: ^package[ \t]+(?!object\b)(?P<name>[\w.]+)(?=[ \t]*;?[ \t\r]*$)
; uses: bare-members overloads bare-calls members-around
; block ends: end\w*
; doc comments: /**
; blank: \bextends\s+[\w.]+(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])?\([^()]*\)(\([^()]*\))
; blank: (?#_ :|_:)\{[ \t]*(?P<a>_)[ \t]*:[^=\n]*=>[ \t]*$
; blank: (?#end match)\b(?P<eee>end)[ \t]+match[ \t]*\{
; blank: (?#=>)given(?<!\wgiven)[ \t]+(?:[\w$]+[ \t]*:[ \t]*)?(\[(?:[^\[\]\n]|\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\])*\][ \t]*=>[ \t]*(?:[^\n=:]{0,200}=>[ \t]*|\([^\n=()]{0,200}\)[ \t]*=>[ \t]*)?)(?=\w)
; blank: (?#=>)given(?<!\wgiven)[ \t]+(?:[\w$]+[ \t]*:[ \t]*)?(\([^()\n]{0,300}\)[ \t]*=>[ \t]*)(?=\w)
; read as: "= new" \bgiven\b[^\n{=]{0,400}?([ \t]with)(?=[ \t]*\{)
; begins: ^[ \t]*(?:@\w[^\n]*\n[ \t]*){0,20}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open)(?:\[\w+\])?[ \t]+)*(?:def[ \t]|class[ \t]|object[ \t]|trait[ \t]|type[ \t]+\w|enum[ \t]|given[ \t]|extension\b)
; fold L1: " = { /* ... */ }"
; fold L2: ""
; fold statements: "???"
; fold value: "{ /* ... */ }"
; fold inside: " /* ... */ "
; empty scope: " {}"
; line mark: "; "
; sketch words: class=class trait=trait enum=enum type=type def=function var=field
; sketch: module package[ \t]+object[ \t]+(?P<name>[\w$]+|`[^`\n]+`)
; sketch: module package[ \t]+(?P<name>[\w$.]+)(?=[ \t]*+\n?[ \t]*+[{:])
; sketch: - (?:import|export)\b[^\n]*\{[ \t]*$
; sketch: class:object (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}object[ \t]+(?P<name>[\w$]+(?:(?<=_)[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)?|`[^`\n]+`|[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)
; sketch: constructor@class,trait (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}def[ \t]+(?P<name>this)\b
; sketch: * (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}(?P<word>class|trait|enum|type|def)[ \t]+(?P<name>[\w$]+(?:(?<=_)[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)?|`[^`\n]+`|[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)
; sketch: field (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}(?:implicit[ \t]+(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}val|var)[ \t]+(?:[A-Z][\w.]*)?\((?:_,[ \t]*){0,9}(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){0,20})(?=[ \t]*[,)][^\n]*=)
; sketch: field (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}(?:implicit[ \t]+(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}val|var)[ \t]+(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){1,20})
; sketch: field (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}(?:implicit[ \t]+(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}val|var)\s+(?P<name>(?!_\b)(?:[\w$]+|`[^`\n]+`))
; sketch: constant@.,module,object (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val[ \t]+(?:[A-Z][\w.]*)?\((?:_,[ \t]*){0,9}(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){0,20})(?=[ \t]*[,)][^\n]*=)
; sketch: constant@.,module,object (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val[ \t]+(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){1,20})
; sketch: constant@.,module,object (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val\s+(?P<name>(?!_\b)(?:[\w$]+|`[^`\n]+`))
; sketch: field@class,trait,enum,impl (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val[ \t]+(?:[A-Z][\w.]*)?\((?:_,[ \t]*){0,9}(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){0,20})(?=[ \t]*[,)][^\n]*=)
; sketch: field@class,trait,enum,impl (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val[ \t]+(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){1,20})
; sketch: field@class,trait,enum,impl (?:@[\w.]+(?:\[[^\n\[\]]{0,120}\])?(?:\((?:[^\n()]|\([^\n()]*\)){0,300}\))?[ \t]+){0,4}(?:(?:private|protected|final|sealed|abstract|implicit|override|lazy|case|inline|transparent|open|opaque|infix)(?:\[\w+\])?[ \t]+){0,7}val\s+(?P<name>(?!_\b)(?:[\w$]+|`[^`\n]+`))
; sketch: member@enum case[ \t]+(?P<names>[A-Za-z]\w*(?:,[ \t]*[A-Za-z]\w*){0,60})(?=[ \t]*(?:$|[;}]))
; sketch: member@enum case[ \t]+(?P<begin>)(?P<name>[\w$]+|`[^`\n]+`)
; sketch: impl (?:(?:private|protected|final|inline|transparent|override|implicit)[ \t]+){0,4}given[ \t]+(?P<name>[\w$]+|`[^`\n]+`)(?:\[[^\n]{0,120}?\][ \t]*)?(?:\([^\n()]{0,200}\)[ \t]*){0,4}:[ \t](?=(?:[^\n=]|=>){0,300}(?:\bwith[ \t]*(?:\{|$)|:[ \t]*$))
; sketch: field (?:(?:private|protected|final|inline|transparent|override|implicit)[ \t]+){0,4}given[ \t]+(?P<name>[\w$]+|`[^`\n]+`)(?:\[[^\n]{0,120}?\][ \t]*)?(?:\([^\n()]{0,200}\)[ \t]*){0,4}:(?=[ \t])
; sketch: impl (?:(?:private|protected|final|inline|transparent|override|implicit)[ \t]+){0,4}given[ \t]+(?:\[[^\n=]{0,120}\][ \t]*=>[ \t]*(?:[^\n=:{}]{0,120}=>[ \t]*)?)?(?:(?=[\[(])(?:\[[^\n]{0,120}?\][ \t]*)?(?:\([^\n()]{0,200}\)[ \t]*){0,4}:[ \t]*)?(?P<name>[^\s=:{}][^\n=:{}]{0,200}?)(?=[ \t]+with[ \t]*(?:\{|$)|:[ \t]*$)
; sketch: field (?:(?:private|protected|final|inline|transparent|override|implicit)[ \t]+){0,4}given[ \t]+(?:\[[^\n=]{0,120}\][ \t]*=>[ \t]*(?:[^\n=:{}]{0,120}=>[ \t]*)?)?(?:(?=[\[(])(?:\[[^\n]{0,120}?\][ \t]*)?(?:\([^\n()]{0,200}\)[ \t]*){0,4}:[ \t]*)?(?P<name>[^\s=:{}][^\n=:{}]{0,200}?)(?=[ \t]*=)
; sketch: function extension\b[^\n=]{0,200}\)[ \t]+(?P<begin>)(?:(?:private|protected|final|override|inline|lazy|transparent)(?:\[\w+\])?[ \t]+){0,4}def[ \t]+(?P<name>[\w$]+(?:(?<=_)[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)?|`[^`\n]+`|[!#%&*+/:<=>?@\\^|~\x80-\xff-]+)
; sketch: -:field (?!(?:package|import|export|extension|case)\b|\w+[ \t]*(?::[^\n={]*)?=>[ \t]*$)(?:[\w`"{]|\([^\n(\[{])
; sketch hides: /[*][^*/]*+(?>(?:(?:[*](?!/)|/(?![*]))[^*/]*+){0,2000})/[*][^*/]*+(?>(?:(?:[*](?!/)|/(?![*]))[^*/]*+){0,2000})[*]/ */
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: """ """
; sketch hides: "(?<=[a-z]")[^"\\\n$]*+(?>(?:(?:\\.|[$](?:\{(?>(?:[^{}"\n]|"[^"\\\n]*"|\{[^{}"\n]*\}){0,200})\})?)[^"\\\n$]*+)*)" -
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?:[^'\\\n]|\\[^\n][^'\n]{0,5})' -
; sketch hides: `[^`\n]*` -
; sketch above: /[*][*]|@
; sketch apart: \{
; sketch joins: (?:extends|with|derives)\b
; sketch indents: :|(?<=\bwith)(?=[ \t]*\n\s*(?:@|(?:override|inline|transparent|final|private|protected|implicit|lazy|def|va[lr]|type|given|extension|import)\b))
; sketch halves: (?<![=!<>:])=
; sketch blocks: lines

[(comment) (block_comment)] @comment
[(import_declaration) (export_declaration) (package_clause !body)] @import
[(self_type) (using_directive)] @keep
(annotation) @attribute
[(function_definition) (val_definition) (var_definition) (given_definition) (extension_definition) (class_definition)
 (object_definition) (trait_definition) (enum_definition) (type_definition)] @open

; Statements and members that stand in a signature
[(block (_) @line) (indented_block (_) @line) (template_body [(function_definition) (val_definition) (var_definition)] @line) (case_clause) @line]

; Types

(package_clause name: (_) @name body: (_) @scope) @definition.module
(package_object name: (_) @name body: (_)? @scope) @definition.module
(class_definition name: (_) @name body: (_)? @scope) @definition.class
(object_definition name: (_) @name body: (_)? @scope) @definition.class
(trait_definition name: (_) @name body: (_)? @scope) @definition.trait
(enum_definition name: (_) @name body: (_) @shape) @definition.enum
(simple_enum_case name: (_) @name) @definition.member
(full_enum_case name: (_) @name) @definition.member
(type_definition "type" . name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.field
(given_definition name: (_) @name body: (_) @value) @definition.field
(given_definition !name return_type: (_) @name body: (_) @value) @definition.field
(given_definition name: (_) @name body: (instance_expression . (template_body) @scope)) @definition.impl
(given_definition !name return_type: (_) @name body: (instance_expression . (template_body) @scope)) @definition.impl
(given_definition name: (_) @name body: [(template_body) (with_template_body)] @scope) @definition.impl
(given_definition !name return_type: (_) @name body: [(template_body) (with_template_body)] @scope)
  @definition.impl
(extension_definition) @scope
(extension_definition [(parameters) (type_parameters)] @keep)

; Values. One without a type needs its initialiser to remain a definition.

(val_declaration name: (_) @name) @definition.field
(var_declaration name: (_) @name) @definition.field
(val_definition pattern: (identifier) @name type: (_) value: (_) @value) @definition.field
(var_definition pattern: (identifier) @name type: (_) value: (_) @value) @definition.field
(val_definition pattern: (identifiers (identifier) @name) type: (_) value: (_) @value) @definition.field
(var_definition pattern: (identifiers (identifier) @name) type: (_) value: (_) @value) @definition.field
((val_definition
  pattern: [
    (identifier) @name
    (identifiers (identifier) @name)
    (tuple_pattern (identifier) @name)
    (case_class_pattern pattern: (identifier) @name)
  ]
  !type value: (_) @value) @definition.field
  (#set! value.L2 " = {/*...*/}"))
((var_definition
  pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)]
  !type value: (_) @value) @definition.field
  (#set! value.L2 " = {/*...*/}"))

; Those of a file or an object are constants, but for what is found by its type.
(compilation_unit (val_definition pattern: [(identifier) @name (_ (identifier) @name)] value: (_) @value)
  @definition.constant)
(object_definition
  body: (template_body
    (val_definition pattern: [(identifier) @name (_ (identifier) @name)] value: (_) @value) @definition.constant))
(package_object
  body: (template_body
    (val_definition pattern: [(identifier) @name (_ (identifier) @name)] value: (_) @value) @definition.constant))
((val_definition (modifiers) @_modifiers pattern: (identifier) @name value: (_) @value) @definition.field
  (#set! value.L2 " = {/*...*/}")
  (#match? @_modifiers "\\bimplicit\\b"))
((val_definition (modifiers) @_modifiers pattern: (identifier) @name type: (_) value: (_) @value) @definition.field
  (#match? @_modifiers "\\bimplicit\\b"))

; Functions

(function_declaration name: (_) @name) @definition.function
; A declaration without a body needs a type.
((function_definition name: (_) @name !return_type body: (block) @body) @definition.function
  (#set! fold.L1 " { /* ... */ }")
  (#set! fold.L2 " {/*...*/}"))
((function_definition name: (_) @name !return_type "=" @body body: (_) @body) @definition.function
  (#set! fold.L2 " = {/*...*/}"))
(function_definition name: (_) @name return_type: (_) "=" @body body: (_) @body) @definition.function
((function_definition
  name: (_) @name
  return_type: [(structural_type) (compound_type)] "=" @body body: (_) @body) @definition.function
  (#set! fold.L2 " = {/*...*/}"))
((function_definition name: (_) @name . parameters: (_) . body: (block) @body) @definition.constructor
  (#set! fold.L1 " { /* ... */ }")
  (#set! fold.L2 " {/*...*/}")
  (#eq? @name "this"))
((function_definition name: (_) @name "=" @body body: (_) @body) @definition.constructor
  (#set! fold.L2 " = {/*...*/}")
  (#eq? @name "this"))

; What a class is made with; none of an outline, for it stands in the signature.
(class_parameter name: (_) @name) @definition.field
