; grammar: dart
; files: *.dart
; reserved: abstract as assert async await break case catch class const continue default do else enum export extends factory false final finally for if implements import in interface is late library mixin new null part private protected public required rethrow return static super switch this throw true try typedef var void while with yield
; visible: file \n[^(=\n]*\bprivate\b
; shebang: dart
; uses: bare-members members-around
; of types: \bstatic\b
; comments: //|/[*]
; doc comments: /// /**
; blank: (?#late|external)^(late|external)\b(?=[ \t]+(?!final\b)[\w(])
; blank: (?#abstract )^[ \t]+(abstract)(?=[ \t]+(?:final|late|var|covariant|[A-Z]\w*)\b)
; blank: (?#library)^library[ \t]*;
; blank: (?# .|(.|[.)(\.(?<=[ (\[]\.)(?=[a-z])(?:(?<=[(\[]\.)|(?<=[,=:{>?&|(\[] \.)|(?<=return \.)|(?<=case \.))(?:new\b)?)
; begins: ^[ \t]*(?:@\w[^\n]*\n[ \t]*){0,20}(?:(?:abstract|base|final|sealed|interface|mixin)[ \t]+){0,5}(?:(?:class|mixin|extension|enum|typedef)[ \t]+\w|(?!(?:if|for|while|switch|return|else|catch|assert|await|throw|do|try|new|yield|on)\b)(?:[\w<>?,.\[\]]+[ \t]+){0,9}[\w.]+\([^;\n]*\{[ \t]*$)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; line mark: "; "
; sketch: -@. (?:import|export|part|library)\b(?=[ \t]*[;\n"\']|[ \t]+\w)
; sketch: class (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:abstract|base|final|sealed|interface|mixin|augment)[ \t]+){0,5}class[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: trait (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:base|augment)[ \t]+){0,2}mixin[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: enum (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}enum[ \t]+(?P<name>[A-Za-z_$][\w$]*)(?:[^\n{}=;]*\{[ \t]*(?P<members>[A-Za-z_$][\w$]*(?:,[ \t]*[A-Za-z_$][\w$]*){0,60})(?=,?[ \t]*[;}]))?
; sketch: class (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}extension[ \t]+type[ \t]+(?:const[ \t]+)?(?P<name>[A-Za-z_$][\w$]*)
; sketch: impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}extension[ \t]*(?:<[^\n(){}]*>)?[ \t]+on[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}extension[ \t]+(?P<name>[A-Za-z_$][\w$]*)
; sketch: type (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}typedef[ \t]+(?P<name>[A-Za-z_$][\w$]*)[ \t]*(?:<[^\n()=]*>)?[ \t]*=
; sketch: type (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}typedef[ \t]+[^\n=;]{0,200}?(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?:<(?:[^(){};=>]|>(?!\s*\w)){0,300}>)?[ \t]*(?=\()
; sketch: - @[\w.]+\([ \t]*$
; sketch: member@enum (?P<names>[A-Za-z_$][\w$]*(?:,[ \t]*[A-Za-z_$][\w$]*){1,60})(?=[ \t]*[,;\n}])
; sketch: member@enum (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)(?=[ \t]*[,;(\n}]|[.<][\w.<>, ]{1,100}\()
; sketch: constructor@class,enum,trait,impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:const|factory|external|augment)[ \t]+){0,3}(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?:[A-Za-z_$][\w$]*\.)?(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?=\()
; sketch: function@. (?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?:<(?:[^(){};=>]|>(?!\s*\w)){0,300}>)?[ \t]*(?=\()
; sketch: function (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[^\n=;]{0,200}?\bget[ \t]+(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*(?:[{;\n]|=>|async\b|sync\b))
; sketch: function@class,enum,trait,impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[^\n=;]{0,200}?\boperator[ \t]*(?P<name>==|<=|>=|\[\]=?|~/|>>>?|<<|[-+*/%&|^~<>])(?=[ \t]*\()
; sketch: function (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[^\n=;]{0,200}?[ \t](?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?:<(?:[^(){};=>]|>(?!\s*\w)){0,300}>)?[ \t]*(?=\()
; sketch: function (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[\w$<>,.?() \t]{1,200}[>?\w]\n[ \t]*(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?:<(?:[^(){};=>]|>(?!\s*\w)){0,300}>)?(?=\()
; sketch: function (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[\w$. \t]{1,100}<[^\n;={}()]{0,160}\n(?:[^\n;={}()]{0,160}\n){0,12}?[^\n;={}()]{0,160}>\??\s{1,40}(?P<name>(?!(?:Function|final|static|late|var|covariant|abstract)\b)[A-Za-z_$][\w$]*)[ \t]*(?:<(?:[^(){};=>]|>(?!\s*\w)){0,300}>)?(?=\()
; sketch: constant@class,enum,trait,impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=(?:\w+[ \t]+){0,4}static\b)(?=(?:\w+[ \t]+){0,4}(?:final|const)\b)(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?:[^\n=;]{0,200}?[ \t]|[^\n=;]{0,200}?[({<,][ \t]*\n(?:[ \t][^\n;=]{1,160}\n){0,12}?[^\n;=]{0,160}?[)>]\??[ \t]+)(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*(?:=(?![>=])|\n[ \t]*=(?![>=])))
; sketch: field@class,enum,trait,impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)[^\n=;,]{0,200}?[ \t](?P<names>[A-Za-z_$][\w$]*(?:[ \t]*,[ \t]*[A-Za-z_$][\w$]*){1,20})(?=[ \t]*(?:;|=(?![>=])))
; sketch: field@class,enum,trait,impl (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?:[^\n=;]{0,200}?[ \t]|[^\n=;]{0,200}?[({<,][ \t]*\n(?:[ \t][^\n;=]{1,160}\n){0,12}?[^\n;=]{0,160}?[)>]\??[ \t]+)(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*;|[ \t]*(?:=(?![>=])|\n[ \t]*=(?![>=])))
; sketch: constant@. (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?:[^\n=;]{0,200}?[ \t]|[^\n=;]{0,200}?[({<,][ \t]*\n(?:[ \t][^\n;=]{1,160}\n){0,12}?[^\n;=]{0,160}?[)>]\??[ \t]+)(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*(?:=(?![>=])|\n[ \t]*=(?![>=])))
; sketch: field@. (?:@[\w.]+(?:\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=[\w$(])(?!(?:return|throw|if|for|while|switch|try|catch|else|assert|await|new|case|default|yield|do|super|this)\b)(?:[^\n=;]{0,200}?[ \t]|[^\n=;]{0,200}?[({<,][ \t]*\n(?:[ \t][^\n;=]{1,160}\n){0,12}?[^\n;=]{0,160}?[)>]\??[ \t]+)(?P<name>[A-Za-z_$][\w$]*)(?=[ \t]*;)
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: ''' '''
; sketch hides: """ """
; sketch hides: '(?<=[^\w$]r')[^'\n]*+' -
; sketch hides: "(?<=[^\w$]r")[^"\n]*+" -
; sketch hides: '(?<!\\')[^'\\\n$]*+(?>(?:(?:\\.|\$(?:\{[^{}'"]{0,200}+(?:(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|\{[^{}]{0,200}\})[^{}'"]{0,200}+){0,9}\})?)[^'\\\n$]*+)*)' -
; sketch hides: "(?<!\\")[^"\\\n$]*+(?>(?:(?:\\.|\$(?:\{[^{}'"]{0,200}+(?:(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|\{[^{}]{0,200}\})[^{}'"]{0,200}+){0,9}\})?)[^"\\\n$]*+)*)" -
; sketch above: ///|/[*][*]|@
; sketch signature: (?:\s*(?:async|sync)\b[*]?)?(?=\s*(?:=>|:|;)|(?<=\w)\{)|(?<=\))\s*=\s*+[\w$.<>, ]+(?=;)
; sketch continues: \s*(?:[;,=.?:|&+!\[]|(?:as|is)\b)|[ \t]*[({]

[(comment) (documentation_comment)] @comment
[(library_name) (import_or_export) (part_directive) (part_of_directive)] @import
(annotation) @attribute

; Statements that stand in a signature
(block (_) @line)

; Types

(class_definition name: (_) @name body: (_) @scope) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration . (_)* . (mixin) . (identifier) @name (class_body) @scope) @definition.trait
(extension_declaration name: (_) @name body: (_) @scope) @definition.impl
(extension_declaration !name class: (_) @name body: (_) @scope) @definition.impl
(extension_type_declaration name: (_) @name body: (_) @scope) @definition.class
(enum_declaration name: (_) @name body: (_) @scope) @definition.enum
(enum_constant name: (_) @name (argument_part)? @value) @definition.member
(type_alias . "typedef" . (type_identifier) @name . (type_parameters)? . "=") @definition.type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @definition.type

; Variables. Those of a file are not in a node of their own: what stands before their names is like an attribute.

(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(declaration
  (initialized_identifier_list
    (initialized_identifier . (identifier) @name "=" . (_) @value (selector)* @tail .))) @definition.field
(declaration
  (static_final_declaration_list
    (static_final_declaration . (identifier) @name "=" . (_) @value (selector)* @tail .))) @definition.constant

(program [
  (final_builtin) (const_builtin) (inferred_type) (type_identifier) (type_arguments) (nullable_type) (void_type)
  (function_type) (record_type)
] @attribute)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.field)
(program
  (initialized_identifier_list
    (initialized_identifier . (identifier) @name "=" . (_) @value (selector)* @tail .)) @definition.constant)
(program
  (static_final_declaration_list
    (static_final_declaration . (identifier) @name "=" . (_) @value (selector)* @tail .)) @definition.constant)

; Functions. Their bodies stand beside them.

(program (function_signature name: (_) @name) @definition.function)
(program [(getter_signature name: (_) @name) (setter_signature name: (_) @name)] @definition.function)
(program
  [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)]
  @definition.function
  . (comment)* . [(function_body (block) @body) (function_body "=>" @body ";" @body)])
((program
  [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)]
  @definition.function
  . (comment)* . [
    (function_body ["async" "async*" "sync*"] (block) @body)
    (function_body ["async" "async*" "sync*"] "=>" @body ";" @body)
  ])
  (#set! fold.L2 " {/*...*/}"))

([(declaration [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  ])
  (method_signature [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  ])] @definition.method)
(_
  (method_signature [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  ]) @definition.method
  . (comment)* . [(function_body (block) @body) (function_body "=>" @body ";" @body)])
((_
  (method_signature [
    (function_signature name: (_) @name)
    (getter_signature name: (_) @name)
    (setter_signature name: (_) @name)
    (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)
  ]) @definition.method
  . (comment)* . [
    (function_body ["async" "async*" "sync*"] (block) @body)
    (function_body ["async" "async*" "sync*"] "=>" @body ";" @body)
  ])
  (#set! fold.L2 " {/*...*/}"))

; A static setter needs a body.
((_
  (method_signature (setter_signature name: (_) @name)) @definition.method
  . (comment)* . [(function_body (block) @body) (function_body "=>" @body ";" @body)])
  (#set! fold.L2 " {/*...*/}"))

; Constructors: what they initialise belongs to their bodies.

(declaration [
  (constructor_signature name: (_) @name . parameters: (_))
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
]) @definition.constructor
(declaration
  (constructor_signature name: (_) @name . parameters: (_))
  [(initializers) (redirection)] @body) @definition.constructor
((declaration
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  [(initializers) (redirection)] @body) @definition.constructor
  (#set! fold.L1 ";"))
(_
  (method_signature
    (constructor_signature name: (_) @name . parameters: (_)) (initializers)? @body) @definition.constructor
  . (comment)* . [(function_body (block) @body) (function_body "=>" @body ";" @body)])
((_
  (method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list)))
  @definition.constructor
  . (comment)* . [(function_body (block) @body) (function_body "=>" @body ";" @body)])
  (#set! fold.L2 " {/*...*/}"))
