; grammar: kotlin
; files: *.kt *.kts *.ktm
; reserved: as break by class companion continue do else false for fun if import in interface internal is null object override package private protected public return sealed super suspend this throw true try typealias val var when while
; visible: file \n[^(=\n]*\bprivate\b(?!\s+(?:[\w.@]+\s+){0,3}constructor\b)
; shebang: kotlin kotlinc
; namespace: ^[ \t]*package[ \t]+(?P<name>[\w.]+)
; comments: //|/[*]
; mixes: jvm
; uses: bare-members overloads lent-objects members-around extensions
; type parameters: \bfun\s{0,9}<((?:[^()<>]|<[^()<>]{0,100}>){0,100})>
; prose: (getter "get" @prose) (setter "set" @prose)
; doc comments: /**
; blank: ^(@[A-Z][\w.]*(?:\((?:[^()"]|"(?:[^"\\\n]|\\.)*"|\((?:[^()"]|"(?:[^"\\\n]|\\.)*"|\([^()]*\))*\))*\))?)(?=[ \t]*(?://[^\n]*)?$)
; blank: (?#annotation)^[ \t]*((?:@[\w.]+(?:\([^()\n]*\))?[ \t]+){1,8})(?=annotation[ \t]+class\b)
; blank: (?#by)(?:\)|\b(?:object|class|interface)\s+\w+(?:<[^{}()=\n]*>)?)\s*:(?:(?!\b(?:val|var|fun|class|object|interface|get|set)\b)[^{}=]){0,400}?\s(by\s+[\w.]+(?:\([^(){}]*\))?)(?=\s*\{)
; blank: (?#context()^[ \t]*(context\((?:[^()\n]|\([^()\n]*\))*\))(?=[ \t]*$)
; blank: (?#actual|expect)\b(actual|expect)(?=\s+(?:va[lr]|constructor)\b)
; blank: (?#$$)(\$(?<!\$\$)\$+)(?=")
; blank: (?#field)\bva[lr][ \t]+\w+[ \t]*:[^\n=]*\n(?:[ \t]*//[^\n]*\n)?[ \t]+((?:(?:private|protected|internal)[ \t]+)?field(?:[ \t]*:[^\n=]*)?)(?=[ \t]*=)
; blank: (?#constructor)\bclass\s+\w+(?:<[^{}()=]{0,400}>)?[ \t\r]*\n(?:\s|//[^\n]*\n|/\*[^*]{0,1000}+(?:\*(?!/)[^*]{0,400}+){0,60}\*/)*((?:(?:@[\w.:]+(?:\([^()]*\))?|internal|private|protected|public|actual|expect)\s+)*constructor)(?=\s*\()
; blank: (?#object)\bobject\s*:[^{}=]{0,400}?\s(by\s+[\w.]+(?:\([^(){}]*\))?)(?=\s*\{)
; blank: (?#->)^[ \t]*(!?in)\s(?=[^\n]*->)
; blank: (?#->)^[ \t]*(?:is|else)\b[^\n]*?(\sif\b[^\n]*?)\s*->
; blank: (?#->)^[ \t]*(!)(?=\w[^\n]*->)
; blank: (?#context()[:(,]\s*(context\([^()]*\))(?=\s*(?:[A-Z][\w.]{0,80}(?:<[^<>()\n]{0,80}>)?\.)?\()
; blank: (?#->)(,)(?=\s*->)
; blank: (?#where)\)\s*:\s*+[\w<>., ]+\([^()\n]*\)[ \t]*\n\s*(where\s[^{}]{0,400}?)(?=\s*\{)
; blank: \x00
; read as: "0" (0b(?<!\w0b)[01_]+[uUL]*)
; read as: "i" (in(?<!\win)(?<!va[lr] in)\d+)\b
; blank: (?#open|final|annotation|inner|sealed)(?<!va[lr] )(?<!\bfun )(?<![^-]> )(?<!\.)\b(?P<o>open|final|annotation|inner|sealed)(?=[ \t]*(?:=[^=]|->|\())
; blank: \.\.(<)
; begins: ^[ \t]*(?:@[\w.]+[ \t]*\r?\n[ \t]*){0,20}(?:(?:public|private|internal|protected|override|open|abstract|final|suspend|inline|operator|data|sealed|enum|annotation|inner|value|expect|actual|tailrec|infix|external|companion)[ \t]+)*(?:fun\b|class[ \t]+\w|interface[ \t]+\w|object[ \t]+\w|typealias\b)
; fold L1: " { /* ... */ }"
; fold L2: ""
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; line mark: "; "
; sketch words: class=class interface=interface object=class typealias=type fun=function val=field var=field
; sketch: class (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|override|expect|actual)[ \t]+){0,3}(?:companion[ \t]+)object[ \t]+(?P<name>\w+)
; sketch: interface (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|expect|actual)[ \t]+){0,3}fun[ \t]+interface[ \t]+(?P<name>\w+)
; sketch: enum (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|expect|actual)[ \t]+){0,3}enum[ \t]+class[ \t]+(?P<name>\w+)
; sketch: constant@. (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|open|abstract|sealed|data|inner|value|annotation|override|final|inline|suspend|operator|infix|tailrec|external|expect|actual|const|lateinit|noinline|crossinline)[ \t]+){0,7}va[lr][ \t]+(?:<[^\n()]*>[ \t]+)?(?:(?:[\w.]+\.)?(?P<container>\w+)(?:<(?:[^\n()]|\([^\n()]*\))*?>)?\??\.)?(?P<name>\w+(?![\w.?])|`[^`\n]+`)(?=[^\n=]*(?:=|\bby\b))
; sketch: constant (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|open|abstract|sealed|data|inner|value|annotation|override|final|inline|suspend|operator|infix|tailrec|external|expect|actual|lateinit|noinline|crossinline)[ \t]+){0,7}const[ \t]+val[ \t]+(?:<[^\n()]*>[ \t]+)?(?:(?:[\w.]+\.)?(?P<container>\w+)(?:<(?:[^\n()]|\([^\n()]*\))*?>)?\??\.)?(?P<name>\w+(?![\w.?])|`[^`\n]+`)
; sketch: * (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|protected|open|abstract|sealed|data|inner|value|annotation|override|final|inline|suspend|operator|infix|tailrec|external|expect|actual|const|lateinit|noinline|crossinline)[ \t]+){0,7}(?P<word>class|interface|object|typealias|fun|val|var)[ \t]+(?:<[^\n()]*>[ \t]+)?(?:(?:[\w.]+\.)?(?P<container>\w+)(?:<(?:[^\n()]|\([^\n()]*\))*?>)?\??\.)?(?P<name>\w+(?![\w.?])|`[^`\n]+`)
; sketch: constructor@class,enum (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|internal|expect|actual)[ \t]+){0,3}(?P<name>constructor)\b
; sketch: - (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|internal|inline|external)[ \t]+){0,3}(?:init|get|set)\b
; sketch: member@enum (?P<names>[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*){1,60})(?=[ \t]*[,;\n}])
; sketch: member@enum (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?P<name>[A-Za-z_]\w*|`[^`\n]+`)[ \t]*(?=[,;({\n}])
; sketch: - (?![^\n]*\bcompanion[ \t]+object\b)[^\n]*[({\[][ \t]*(?=(?:\w+(?:,[ \t]*\w+){0,5}[ \t]*->[ \t]*)?$)
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: """ """
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch apart: @|(?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|internal|inline|external)[ \t]+){0,3}[gs]et\b
; sketch above: /[*][*]|@
; sketch joins: (?:@[\w.:]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|protected|internal|actual|expect)[ \t]+){0,3}constructor\b
; sketch blocks: lines

[(line_comment) (multiline_comment)] @comment
[(import_list) (package_header)] @import
(file_annotation) @keep
(modifiers (annotation) @attribute)

; Statements and members that stand in a signature
[(statements (_) @line)
 (class_body [(function_declaration) (property_declaration) (object_declaration) (class_declaration)] @line)
 (when_entry) @line]

; Types

(class_declaration (type_identifier) @name) @definition.class
(class_declaration (type_identifier) @name (class_body) @scope) @definition.class
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @scope) @definition.enum
(enum_entry (simple_identifier) @name (class_body)? @body) @definition.member
(enum_entry (simple_identifier) @name (value_arguments) @value) @definition.member
(object_declaration (type_identifier) @name (class_body)? @scope) @definition.class
(companion_object (type_identifier) @name (class_body)? @scope) @definition.class
(companion_object (class_body) @scope) @frame
((companion_object) @keep
  (#not-match? @keep "[{]"))
(type_alias (type_identifier) @name) @definition.type

; Properties. Accessors on lines of their own stand beside them.

(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.field)
(class_body
  (property_declaration (variable_declaration (simple_identifier) @name) "=" . (_) @value) @definition.field)
((class_body
  (property_declaration
    (variable_declaration (simple_identifier) @name) (property_delegate) @value) @definition.field)
  (#set! value.L1 "by \"...\""))
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @definition.field)
(enum_class_body
  (property_declaration (variable_declaration (simple_identifier) @name) "=" . (_) @value) @definition.field)
((enum_class_body
  (property_declaration
    (variable_declaration (simple_identifier) @name) (property_delegate) @value) @definition.field)
  (#set! value.L1 "by \"...\""))
((class_body
  (property_declaration
    (modifiers (property_modifier) @_const)
    (variable_declaration (simple_identifier) @name)) @definition.constant)
  (#eq? @_const "const"))

; At the top level what has a value is a constant.
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.field)
(source_file
  (property_declaration (variable_declaration (simple_identifier) @name) "=" . (_) @value) @definition.constant)
((source_file
  (property_declaration
    (variable_declaration (simple_identifier) @name) (property_delegate) @value) @definition.constant)
  (#set! value.L1 "by \"...\""))
(source_file
  (property_declaration
    (multi_variable_declaration (variable_declaration (simple_identifier) @name)) "=" . (_) @value)
  @definition.constant)

(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @definition.field . (setter))
(source_file
  (property_declaration
    receiver: (receiver_type) (variable_declaration (simple_identifier) @name)) @definition.field)
(property_declaration
  receiver: (receiver_type [(user_type (type_identifier) @container) (nullable_type (user_type (type_identifier) @container))])
  (variable_declaration (simple_identifier) @name)) @definition.field

([(getter (function_body)) (setter (function_body))] @detail)
[(getter (function_body) @body) (setter (function_body) @body)]
[(getter) (setter)] @keep
[(class_body [(getter) (setter)] @behind)
 (enum_class_body [(getter) (setter)] @behind)
 (source_file [(getter) (setter)] @behind)]
((property_declaration (getter (function_body)) @body)
  (#set! fold.L1 " get() { /* ... */ }"))
((property_declaration (setter (function_body)) @body)
  (#set! fold.L1 " set(value) { /* ... */ }"))

; Functions

(function_declaration (simple_identifier) @name . (function_value_parameters)) @definition.function
(function_declaration
  receiver: (receiver_type [(user_type (type_identifier) @container) (nullable_type (user_type (type_identifier) @container))])
  (simple_identifier) @name . (function_value_parameters)) @definition.function
(function_declaration
  (simple_identifier) @name . (function_value_parameters) (function_body) @body) @definition.function
(secondary_constructor "constructor" @name) @definition.constructor
(secondary_constructor
  "constructor" @name ":"? @body (constructor_delegation_call)? @body "{" @body "}" @body) @definition.constructor
(secondary_constructor
  "constructor" @name ":" @body (constructor_delegation_call) @body .) @definition.constructor
(anonymous_initializer) @detail
(anonymous_initializer "{" @body "}" @body)

; What a class is made with and keeps; none of an outline, for it stands in the signature.
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @definition.field
