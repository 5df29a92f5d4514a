; grammar: go
; files: *.go
; reserved: break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var
; comments: //|/[*]
; mixes: c
; uses: folders shapes held-members kept-handlers shared-types counted-arguments
; gives: [^\n;{}]{0,300}?\.\((?!type\))(\*?[\w.]{1,200})\)(?=[ \t]*(?:[;{\n]|\Z))
; doc comments: // /*
; blank: (?#new()\b(?P<n>new)(?=\([ \t]*(?:(?!(?:struct|interface|func|map|chan)\b)[A-Za-z_][\w.]*(?:\[[^\]\n]{0,200}\][.({]|[({]|[ \t]*[-+%&|<>=!/*])|["'`\d!&+-]))
; begins: ^(?:func[ \t]*[\w(]|type[ \t]+\w)
; visible: folder \A(?!main\n)[^A-Z]
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; line mark: "; "
; sketch: method@. func[ \t]*\((?:\w+[ \t]+)?\*?(?P<container>\w+)(?:\[[^\n\]]*\])?\)[ \t]*(?P<name>\w+)
; sketch: function@. func[ \t]+(?P<name>\w+)
; sketch: - (?:import|package|return|if|for|switch|go|defer|case|default)\b
; sketch: struct@. (?:type[ \t]+|(?<=\n\t))(?P<name>\w+)(?:\[[^\n]*\])?[ \t]+struct\b
; sketch: interface@. (?:type[ \t]+|(?<=\n\t))(?P<name>\w+)(?:\[[^\n]*\])?[ \t]+interface\b
; sketch: type@. type[ \t]+(?P<name>\w+)
; sketch: constant@. (?:const|var)[ \t]+(?P<names>\w+(?:,[ \t]*\w+)+)
; sketch: constant@. (?:const|var)[ \t]+(?!_\b)(?P<name>\w+)
; sketch: constant@. (?<=\n\t)(?P<names>[A-Za-z_]\w*(?:,[ \t]*\w+)+)(?=[ \t]*(?:=|[\w.*\[\]]+[ \t]*(?:=|\n|$|//)))
; sketch: constant@. (?<=\n\t)(?!_\b)(?P<name>[A-Za-z_]\w*)(?=[ \t]*(?:=(?!=)|\n|$|//|[\w.*\[\](){}]+[^\n"]*(?:=|\n|$)|map\[|func\())
; sketch: field@struct (?P<names>[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*)+)(?=[ \t]+\S)
; sketch: field@struct (?P<name>[A-Za-z_]\w*)(?=[ \t]+[^\s`/"])
; sketch: field@struct \*?(?:\w+\.)?(?P<name>[A-Za-z_]\w*)(?=(?:\[[^\n\]]*\])?[ \t]*(?:`|/|\n|$))
; sketch: method@interface (?P<name>\w+)(?=\()
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: ` `
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch above: //|/[*]
; sketch blocks: lines

[(package_clause) (import_declaration)] @import

((comment) @comment (#not-match? @comment "^//go:[a-z]"))
((comment) @attribute (#match? @attribute "^//go:[a-z]"))
(import_declaration (import_spec_list (comment) @comment))

; A declaration of one thing belongs to it, a group of them is a scope.
((type_declaration) @wrapper (#not-match? @wrapper "^type\\s*\\("))
((const_declaration) @wrapper (#not-match? @wrapper "^const\\s*\\("))
(var_declaration (var_spec)) @wrapper
(type_declaration "(") @scope
(const_declaration "(") @scope
(var_declaration (var_spec_list) @scope) @scope

(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @shape)) @definition.struct
(type_spec name: (_) @name type: (interface_type) @shape) @definition.interface

(field_declaration name: (_) @name) @definition.field
(field_declaration name: (_) @name type: (struct_type (field_declaration_list) @shape)) @definition.field
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (_) @name)
  (generic_type type: [(type_identifier) @name (qualified_type name: (_) @name)])
]) @definition.field
(method_elem name: (_) @name) @definition.method

; The fields of a struct that a signature spells out, on one line.
[(field_declaration) (method_elem)] @line

((source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
  (#not-eq? @name "_"))
((source_file (const_declaration (const_spec (identifier) @name value: (_) @value) @definition.constant))
  (#not-eq? @name "_"))

; `make` and `new` take types: there is nothing to fold.
((source_file (var_declaration [
    (var_spec name: (identifier) @name) @definition.constant
    (var_spec_list (var_spec name: (identifier) @name) @definition.constant)
  ]))
  (#not-eq? @name "_"))
((source_file (var_declaration [
    (var_spec name: (identifier) @name value: (_) @value) @definition.constant
    (var_spec_list (var_spec name: (identifier) @name value: (_) @value) @definition.constant)
  ]))
  (#not-eq? @name "_")
  (#not-match? @value "^(make|new)\\("))

(function_declaration name: (_) @name body: (block)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (pointer_type [
      (type_identifier) @container
      (generic_type type: (type_identifier) @container)
    ])
  ]))
  name: (_) @name
  body: (block)? @body) @definition.method
