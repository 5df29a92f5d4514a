; grammar: objc
; inherits: c
; files: *.m *.mm
; mixes: c
; modeline: objective-c objectivec
; content: *.h \n[ \t]*(?:@(?:interface|protocol|class|import|end|property)\b|#[ \t]*import\b)
; uses: messages
; begins: ^(?:[A-Za-z_][\w \t*]*[\w*]\r?\n)?(?!(?:return|else|goto|case|default|sizeof|if|for|while|switch|do|throw|new|delete|using)\b)(?:[A-Za-z_]\w*+[ \t*]++[\w \t*]*+\([^\n]*$|[A-Za-z_]\w*[ \t]*\([^;\n]*$)|^(?:typedef[ \t]+)?(?:struct|union|enum)\b[^;()\n]*$|^typedef\b|^@(?:interface|implementation|protocol)\b[^;\n]*$|^[-+][ \t]*\(
; read as: "#if" ^[ \t]*(#[ \t]*ifn?def)(?=[^\n]*\n(?:\s|//[^\n]*\n|/\*[^*]{0,1000}+(?:\*(?!/)[^*]{0,400}+){0,60}\*/)*(?:[-+][ \t]*\(|@(?:property|optional|required)\b))
; blank: (?#typedef NS_)(?P<enum>typedef NS_(?:ENUM|OPTIONS|CLOSED_ENUM|ERROR_ENUM)[ \t]*\([^,()\n]*,[ \t]*)\w+(?P<_>\))(?=\s*\{)
; blank: (?#API_|AVAILABLE|NS_SWIFT_)[ \n]((?:\w+_)?(?:API_AVAILABLE|API_UNAVAILABLE|API_DEPRECATED\w*|NS_\w*AVAILABLE\w*|NS_SWIFT_\w+)\((?:[^()]|\([^()]*\))*\))(?=[\s;])
; blank: (?#API_|AVAILABLE|NS_SWIFT_)^((?:\w+_)?(?:API_AVAILABLE|API_UNAVAILABLE|API_DEPRECATED\w*|NS_\w*AVAILABLE\w*|NS_SWIFT_\w+)\((?:[^()]|\([^()]*\))*\))\s
; sketch blocks: none

(module_import) @import
((preproc_call argument: (_) @_argument) @comment (#match? @_argument "^mark"))
((implementation_definition (preproc_call argument: (_) @_argument)) @comment (#match? @_argument "^mark"))

; Members stand in the definition itself.
(class_interface . (identifier) @name) @definition.class @shape
(class_interface . (attribute_specifier) @attribute . (identifier) @name) @definition.class @shape
(class_implementation . (identifier) @name) @definition.impl @shape
(protocol_declaration . (identifier) @name) @definition.interface @shape
(qualified_protocol_interface_declaration) @shape
(implementation_definition [(preproc_if) (preproc_ifdef)]) @shape

(instance_variables) @shape
(instance_variable (struct_declaration (struct_declarator) @name)) @definition.field
(property_declaration (struct_declaration (struct_declarator) @name)) @definition.field

; `initWithName:age:`
(method_declaration (method_type) . (identifier) @name) @definition.method
((method_definition (method_type) . (identifier) @name (compound_statement) @body) @definition.method
  (#set! fold.L2 " {/*...*/}"))
((method_declaration (method_type) . ((identifier) @name . (method_parameter))+) @definition.method
  (#set! name.each ":"))
((method_definition
  (method_type)
  .
  ((identifier) @name . (method_parameter))+
  (compound_statement) @body) @definition.method
  (#set! name.each ":")
  (#set! fold.L2 " {/*...*/}"))
