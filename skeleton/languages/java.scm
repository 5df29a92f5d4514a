; grammar: java
; files: *.java *.jsh
; reserved: abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for if implements import in instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws transient true try void volatile while
; visible: file \n[^(=\n]*\bprivate\b
; visible: folder@. \A(?!main\n)(?!\w+\n[^(={]*\bpublic\b)
; namespace: ^[ \t]*package[ \t]+(?P<name>[\w.]+)[ \t]*;
; comments: //|/[*]
; mixes: jvm
; uses: bare-members types-imported overloads members-around counted-arguments
; of types: \bstatic\b
; doc comments: /** ///
; begins: ^[ \t]*(?:@[^\n]*\n[ \t]*){0,20}(?:@[\w.]+(?:\([^()\n]*\))?[ \t]+)*(?:(?:public|private|protected|static|final|abstract|default|synchronized|native|sealed|strictfp)[ \t]+)*(?:(?:class|interface|enum|record|@interface)[ \t]+\w|(?:<[^\n()]*>[ \t]*)?(?!(?:return|new|throw|else|case|yield|assert|package|import)\b)[\w.<>\[\],?]+[ \t]+\w+\([^;\n]*$)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; sketch words: class=class interface=interface enum=enum record=class @interface=interface
; sketch: * (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|strictfp)[ \t]+){0,7}(?P<word>class|interface|enum|record|@interface)[ \t]+(?P<name>[\w$]+)(?![ \t]*[=;,)])
; sketch: module@. (?:open[ \t]+)?module[ \t]+(?P<name>[\w.$]+)(?=\s*\{)
; sketch: - (?:static[ \t]*)?\{
; sketch: - (?:return|throw|if|for|while|switch|try|else|assert|import|package|case|default[ \t]*(?::|->))\b
; sketch: member@enum (?P<names>[A-Z_$][\w$]*(?:,[ \t]*[A-Z_$][\w$]*){1,60})(?=[ \t]*[,;\n}])
; sketch: member@enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?P<name>[A-Z_$][A-Z0-9_$]*)[ \t]*(?=[,;({\n}])
; sketch: constructor@class,enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:public|private|protected)[ \t]+){0,7}(?:<[^\n()]*>[ \t]+)?(?P<name>[A-Z$_][\w$]*)[ \t]*(?=\((?![^\n{]*\)[ \t]*[,;][ \t]*$)|\{)
; sketch: method@class,interface,enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|strictfp|transient|volatile)[ \t]+){0,7}(?:<[^\n()=]*>[ \t]+)?(?:@[\w.]+[ \t]+){0,2}(?!(?:return|throw|new|else|package|import|assert|case|yield|goto)\b)[A-Za-z_$][\w$.]*(?:[ \t]*<[^\n()=;]*>)?(?:\.[\w$.]+(?:<[^\n()=;]*>)?)?(?:[ \t]*(?:@[\w.]+[ \t]*)?\[[ \t]*\]|\.\.\.){0,3}[ \t]+(?P<name>[\w$]+)[ \t]*(?=\()
; sketch: constant@interface (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|strictfp|transient|volatile)[ \t]+){0,7}(?!(?:return|throw|new|else|package|import|assert|case|yield|goto)\b)[A-Za-z_$][\w$.]*(?:[ \t]*<[^\n()=;]*>)?(?:\.[\w$.]+(?:<[^\n()=;]*>)?)?(?:[ \t]*(?:@[\w.]+[ \t]*)?\[[ \t]*\]|\.\.\.){0,3}[ \t]+(?P<name>[\w$]+)[ \t]*(?:\[\][ \t]*){0,3}(?=[=;,]|\n)
; sketch: constant@class,enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?=(?:\w+[ \t]+){0,7}static\b)(?=(?:\w+[ \t]+){0,7}final\b)(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|strictfp|transient|volatile)[ \t]+){0,7}(?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?!(?:return|throw|new|else|package|import|assert|case|yield|goto)\b)[A-Za-z_$][\w$.]*(?:[ \t]*<[^\n()=;]*>)?(?:\.[\w$.]+(?:<[^\n()=;]*>)?)?(?:[ \t]*(?:@[\w.]+[ \t]*)?\[[ \t]*\]|\.\.\.){0,3}[ \t]+(?P<name>[\w$]+)[ \t]*(?:\[\][ \t]*){0,3}(?=[=;,]|\n)
; sketch: field@class,enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?:(?:public|private|protected|static|final|abstract|synchronized|native|default|strictfp|transient|volatile)[ \t]+){0,7}(?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?!(?:return|throw|new|else|package|import|assert|case|yield|goto)\b)[A-Za-z_$][\w$.]*(?:[ \t]*<[^\n()=;]*>)?(?:\.[\w$.]+(?:<[^\n()=;]*>)?)?(?:[ \t]*(?:@[\w.]+[ \t]*)?\[[ \t]*\]|\.\.\.){0,3}[ \t]+(?P<name>[\w$]+)[ \t]*(?:\[\][ \t]*){0,3}(?=[=;,]|\n)
; sketch: member@enum (?:@[\w.]+(?:[ \t]*\((?:[^\n()]|\([^\n()]*\))*\))?[ \t]+){0,5}(?P<name>[A-Z_$][\w$]*)[ \t]*(?=[,;({\n}])
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: """ """
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch above: ///|/[*][*]|@

[(line_comment) (block_comment)] @comment
[(package_declaration) (import_declaration)] @import
(modifiers [(annotation) (marker_annotation)] @attribute)

(module_declaration name: (_) @name body: (_) @shape) @definition.module
(class_declaration name: (_) @name body: (_) @scope) @definition.class
(record_declaration name: (_) @name body: (_) @scope) @definition.class
(interface_declaration name: (_) @name body: (_) @scope) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @scope) @definition.interface
(enum_declaration name: (_) @name body: (_) @scope) @definition.enum
(enum_body_declarations) @scope
((enum_constant name: (_) @name arguments: (_)? @value body: (_)? @body) @definition.member
  (#set! fold.L2 ""))

(field_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.field
((field_declaration (modifiers) @_modifiers
  declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.constant
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b"))
(constant_declaration declarator: (variable_declarator name: (_) @name value: (_)? @value)) @definition.constant

(method_declaration name: (_) @name body: (_)? @body) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
((constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
  (#set! fold.L2 " {/*...*/}"))
((compact_constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
  (#set! fold.L2 " {/*...*/}"))

; What a record is made of; it stands in the signature.
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @definition.field))
