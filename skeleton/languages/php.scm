; grammar: php
; files: *.php *.php3 *.php4 *.php5 *.php7 *.php8 *.phps *.phpt *.phtml *.inc .php_cs .php-cs-fixer.dist
; reserved: abstract and as break case catch class clone const continue default do echo else elseif empty enum extends false final finally fn for foreach function global if implements import in include instanceof interface isset match namespace new null or private protected public readonly require return static super switch this throw trait true try unset use var while xor yield
; marks: -> ::
; uses: held-members
; visible: file \n[^(=\n]*\bprivate\b
; shebang: php
; namespace: ^(?:<\?php)?[ \t]*namespace[ \t]+(?P<name>[\w\\]+)[ \t]*;
; comments: #|//|/[*]|<
; names: (?<![\w$])(?!\d)[\w]+
; block ends: end\w*
; doc comments: /**
; blank: (?#(set)[(,]\s{0,200}(?:readonly\s{1,20})?(?:public|protected|private)\s{1,20}(?:readonly\s{1,20})?((?:public|protected|private)\(set\))(?=\s)
; blank: (?#private(set)[(,]\s{0,200}(?:readonly\s{1,20})?(?P<private>private\(set\))(?=\s)
; blank: (?#protected(set)[(,]\s{0,200}(?:readonly\s{1,20})?(?P<protected>protected\(set\))(?=\s)
; begins: ^[ \t]*(?:#\[[^\n]*\]\n[ \t]*){0,20}(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*(?:function[ \t]+&?\w|(?:class|interface|trait|enum)[ \t]+\w)
; read as: "?>" (?#--FILE--)^(?=--[A-Z_]+--[ \t\r]*$)(?P<ahead>(?s:.*?))(?=^<\?php|\Z)
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; sketch words: class=class interface=interface trait=trait enum=enum
; sketch: * (?:<\?php[ \t]+|#\[[^\n]{0,300}\][ \t]*)?(?:(?:abstract|final|readonly)[ \t]+){0,3}(?P<word>class|interface|trait|enum)[ \t]+(?P<name>[\w]+)(?=[^;{}()=]{0,2000}+\{)
; sketch: constructor@class,interface,trait (?:#\[[^\n]{0,300}\][ \t]*)?(?:(?:public|protected|private|abstract|final|static)[ \t]+){0,4}function[ \t]+(?P<name>__construct)[ \t]*(?=\()
; sketch: function (?:<\?php[ \t]+|#\[[^\n]{0,300}\][ \t]*)?(?:(?:public|protected|private|abstract|final|static)[ \t]+){0,4}function[ \t]+&?[ \t]*(?P<name>[\w]+)[ \t]*(?=\()
; sketch: constant (?:#\[[^\n]{0,300}\][ \t]*)?(?:(?:public|protected|private|final)[ \t]+){0,3}const[ \t]+(?:[\w\\?|&()]+[ \t]+){0,4}(?P<names>[\w]+\s*=[^;{}=]{0,2000}+=(?![=>])[^;{}]{0,2000}+)(?=;)
; sketch: constant (?:#\[[^\n]{0,300}\][ \t]*)?(?:(?:public|protected|private|final)[ \t]+){0,3}const[ \t]+(?:[\w\\?|&()]+[ \t]+){0,4}(?P<name>[\w]+)\s*(?==)
; sketch: constant define[ \t]*\([ \t]*'(?P<name>[\w\\]+)'[ \t]*,(?P<line>)(?=[^\n]*;\r?$)
; sketch: constant define\([ ]?'(?P<names>[\w\\]+'[ \t]*,[^;]{0,2000}+)(?=;)
; sketch: member@enum (?:#\[[^\n]{0,300}\][ \t]*)?case[ \t]+(?P<name>[\w]+)\s*(?=[=;])
; sketch: field@class,trait (?:#\[[^\n]{0,300}\][ \t]*)?(?:public|protected|private|var|static|readonly|final|abstract)(?:\(set\))?[ \t]+[\w\\?|&() \t]{0,300}+(?P<names>\$[\w]+[^;{}$]{0,2000}?,\s{0,200}+\$\w[^;{}]{0,2000}+)(?=;)
; sketch: field@class,interface,trait (?:#\[[^\n]{0,300}\][ \t]*)?(?:public|protected|private|var|static|readonly|final|abstract)(?:\(set\))?[ \t]+[\w\\?|&() \t]{0,300}+\$(?P<name>[\w]+)(?=\s*[=;,{])
; sketch: class@.,module \$(?P<name>[\w]+)[ \t]*=[ \t]*new[ \t]+(?=(?:#\[[^\n]{0,300}\][ \t]*)?(?:(?:final|readonly)[ \t]+){0,2}class\b)
; sketch: class@.,module return[ \t]+new[ \t]+(?:#\[[^\n]{0,300}\][ \t]*)?(?:(?:final|readonly)[ \t]+){0,2}(?P<name>class)\b
; sketch: function@.,module \$(?P<name>[\w]+)[ \t]*=[ \t]*(?=(?:static[ \t]+)?function\b)
; sketch: function@.,module return[ \t]+(?:static[ \t]+)?(?P<name>function)[ \t]*(?=&?[ \t]*\()
; sketch: module@. namespace[ \t]+(?P<name>[\w\\]+)(?=\s*\{)
; sketch: - (?:for|foreach|while|switch|do)\b[^\n]*\s{0,80}\{
; sketch: - [^\n]{0,300}\b(?:function[ \t]*\(|new[ \t]+class\b)[^\n]{0,300}\n[ \t]*\{
; sketch: - (?!(?:\}[ \t]*)?(?:if|else|elseif|try|catch|finally|namespace)\b|\{)[^\n]*[({\[][ \t\r]*$
; sketch hides: /[*] */
; sketch hides: //[^\n?]*+(?>(?:\?(?!>)[^\n?]*+)*)\?> <?
; sketch hides: // $
; sketch hides: #(?!\[)[^\n?]*+(?>(?:\?(?!>)[^\n?]*+)*)\?> <?
; sketch hides: #(?!\[) $
; sketch hides: "(?<!\\")[^"\\]*+(?>(?:(?s:\\.)[^"\\]*+)*)" -
; sketch hides: '(?<!\\')[^'\\]*+(?>(?:(?s:\\.)[^'\\]*+)*)' -
; sketch hides: <<<[ \t]*+["']?+(?P<word>[\w\x80-\xff]++)["']?+[ \r]?+(?=\n) =
; sketch hides: \?> <?
; sketch code: <?
; sketch names: (?<=\$)[\w]+(?=\s*(?:[=,]|\Z))|(?<![\w$])[A-Za-z_][\w]*(?=\s*=(?![=>]))|(?:(?<=define\(')|(?<=define\([ ]'))[^'\n]+
; sketch above: /[*][*](?![^\n]*[*]/[^\n]*;)|#\[(?![^\n]*;)
; sketch behind: [ \t]*;

(comment) @comment
(program . (text) @comment)
((php_tag) @keep
  (#match? @keep "php"))
(attribute_list (attribute_group) @attribute)

(namespace_use_declaration) @import
(namespace_definition !body) @import
(expression_statement
  [(require_expression) (require_once_expression) (include_expression) (include_once_expression)]) @import
(use_declaration) @keep

; Types

(namespace_definition name: (_) @name body: (_) @scope) @definition.module
(namespace_definition !name body: (_) @scope) @frame
(class_declaration name: (_) @name body: (_) @scope) @definition.class
(interface_declaration name: (_) @name body: (_) @scope) @definition.interface
(trait_declaration name: (_) @name body: (_) @scope) @definition.trait
(enum_declaration name: (_) @name body: (_) @scope) @definition.enum
(enum_case name: (_) @name value: (_)? @value) @definition.member

; A class without a name is called what it is assigned to, or `class`; so is a function.
(expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: (object_creation_expression (anonymous_class body: (_) @scope)))) @definition.class
(return_statement (object_creation_expression (anonymous_class "class" @name body: (_) @scope))) @definition.class

; Constants and properties

(const_declaration (const_element . (name) @name "=" (_) @value)) @definition.constant
((expression_statement
  (function_call_expression
    function: (name) @_define
    arguments: (arguments . (argument (string (string_content) @name)) . (argument (_) @value)))) @definition.constant
  (#eq? @_define "define"))
(property_declaration (property_element name: (variable_name (name) @name) default_value: (_)? @value))
  @definition.field
(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list) @accessors) @definition.field
(property_hook_list (property_hook body: (compound_statement) @body))
(property_hook_list (property_hook "=>" @body body: (_) @body ";" @body))

; What a file of settings gives: its keys.
(program (return_statement (array_creation_expression) @scope) @frame)
(program (return_statement (array_creation_expression
  (array_element_initializer . [(string (string_content) @name) (encapsed_string . (string_content) @name .)] . (_) @value)
    @definition.constant)))

; Functions

(method_declaration name: (_) @name) @definition.method
(method_declaration name: (_) @name body: (_) @body) @definition.method
((method_declaration name: (_) @name body: (_)? @body) @definition.constructor
  (#eq? @name "__construct"))
((function_definition name: (_) @name body: (_) @body) @definition.function
  (#set! fold.L2 " {/*...*/}"))
((expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: (anonymous_function body: (_) @body))) @definition.function
  (#set! fold.L2 " {/*...*/}"))
((return_statement (anonymous_function "function" @name body: (_) @body)) @definition.function
  (#set! fold.L2 " {/*...*/}"))

; What stands under a condition

[(if_statement) (else_clause) (else_if_clause) (try_statement) (catch_clause) (finally_clause)] @frame
(if_statement body: [(compound_statement) (colon_block)] @scope)
(else_clause body: [(compound_statement) (colon_block)] @scope)
(else_if_clause body: [(compound_statement) (colon_block)] @scope)
(try_statement body: (_) @scope)
(catch_clause body: (_) @scope)
(finally_clause body: (_) @scope)

; What a constructor is given and the object keeps; none of an outline, for it stands in the signature.
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
