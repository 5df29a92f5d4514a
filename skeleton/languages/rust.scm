; grammar: rust
; files: *.rs
; reserved: as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while
; visible: folder@.,module \A(?!main\n)(?![^\n]+\n[^({=]*\bpub\b)(?![^\n]+\n(?:macro_rules|impl|unsafe impl)\b)
; comments: //|/[*]
; mixes: c
; uses: held-members types-imported
; tests: #\[(?:\w+::)*test\b|#\[cfg\((?:all\()?test\b
; doc comments: /// /**
; module doc: //! /*!
; begins: ^[ \t]*(?:#\[[^\n]*\]\n[ \t]*){0,20}(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:const|async|unsafe|default|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*(?:fn|struct|enum|union|trait|impl|mod|type|macro_rules!)\b[ \t]*[\w<]
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; fold tokens: " /* %s */ "
; attribute mark: #
; heads: fn=function struct=struct union=struct enum=enum trait=trait mod=module type=type const=constant static=constant
; items: \b(?:fn|struct|enum|union|trait|impl|mod|type|const|static|use|extern|macro_rules!)[\s<]
; blank: (?#str!|bool!|char!|8!|16!|32!|64!|128!|size!)\b(?P<m>str|bool|char|[iu](?:8|16|32|64|128|size)|f(?:32|64))(?=![ \t]?[(\[{])
; sketch words: fn=function struct=struct union=struct enum=enum trait=trait mod=module type=type const=constant static=constant macro_rules!=macro
; sketch: * (?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:async|unsafe|default|const(?=[ \t]+(?:async|unsafe|extern|fn)\b)|extern(?:[ \t]+"[^"\n]*")?)[ \t]+){0,5}(?P<word>fn|struct|union|enum|trait|mod|type|const|static|macro_rules!)[ \t]+(?:mut[ \t]+|ref[ \t]+)?(?P<name>(?:r\#)?[A-Za-z_]\w*)
; sketch: impl (?:default[ \t]+|unsafe[ \t]+){0,2}impl\b(?:<(?:[^<>\n{]|->|<(?:[^<>\n{]|<[^<>\n]*>)*>)*>)?[ \t]*(?:[^\n{]*?[ \t]for[ \t]+)?(?P<name>&(?:'\w+[ \t]+)?(?:mut[ \t]+)?(?:[\w:]+(?:<[^\n{}]{0,80}>)?|\[\w+\])|\([^\n{}()]*\)|(?:dyn[ \t]+)?[A-Za-z_][\w:]*)
; sketch: field@struct (?:pub(?:\([^)\n]*\))?[ \t]+)?(?P<name>(?:r\#)?[a-z_A-Z]\w*)[ \t]*:(?!:)
; sketch: member@enum (?P<name>[A-Z_a-z]\w*)[ \t]*(?=[,({=\n/])
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: \#" "#
; sketch hides: "(?:(?<=\Wr")|(?<=\Wbr"))[^"]{0,4000}" -
; sketch hides: "(?<!\\")(?:[^"\\]{0,4000}+"|(?:[^"\\]|(?s:\\.)){0,4000}") -
; sketch hides: "(?<!\\")(?=(?:[^"\\]|(?s:\\.)){4000})[^"\\]*+(?>(?:(?s:\\.)[^"\\]*+)*)" -
; sketch hides: '(?:[{}()\[\]";,=]|\\")' -
; sketch hides: \#!?\[[\w:]+\([^\n\]]*\n(?:[^\n]*\n){0,60}?[ \t]*\){1,9}\] -
; sketch above: //|/[*]|\#!?\[

[(line_comment) (block_comment)] @comment
[(use_declaration) (extern_crate_declaration)] @import
(attribute_item) @attribute

(struct_item name: (_) @name body: (field_declaration_list)? @shape) @definition.struct
(union_item name: (_) @name body: (_) @shape) @definition.struct
(enum_item name: (_) @name body: (_) @shape) @definition.enum
(enum_variant name: (_) @name body: (_)? @shape value: (_)? @value) @definition.member
(field_declaration name: (_) @name) @definition.field
(trait_item name: (_) @name body: (_) @scope) @definition.trait
((impl_item type: (_) @name body: (_) @scope) @definition.impl
  (#not-match? @name "^[a-zA-Z0-9_:]+\\s*<"))
(impl_item type: (generic_type type: (_) @name) body: (_) @scope) @definition.impl
(mod_item name: (_) @name body: (_)? @scope) @definition.module
(foreign_mod_item body: (_) @scope) @frame
(_ [
  (macro_invocation (token_tree) @again) @call
  (expression_statement (macro_invocation (token_tree) @again)) @call
])
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type

(const_item name: (_) @name value: (_)? @value) @definition.constant
(static_item name: (_) @name value: (_)? @value) @definition.constant

(function_item name: (_) @name body: (block) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function

((macro_definition name: (_) @name "{" @body "}" @body) @definition.macro
  (#set! fold.L2 " {/*...*/}"))
((macro_definition name: (_) @name "(" @body ")" @body) @definition.macro
  (#set! fold.L1 " ( /* ... */ )") (#set! fold.L2 " (/*...*/)"))
((macro_definition name: (_) @name "[" @body "]" @body) @definition.macro
  (#set! fold.L1 " [ /* ... */ ]") (#set! fold.L2 " [/*...*/]"))
