; grammar: swift
; files: *.swift *.swiftinterface
; reserved: as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard if import in inout internal is let nil private protocol public repeat return self static struct super switch throw throws true try typealias var where while
; visible: file \n[^(=]*\b(?:file)?private\b(?!\()
; shebang: swift
; returns: blanks
; comments: //|/[*]
; mixes: c
; uses: bare-members overloads members-around
; names: (?<![\w])(?>(?!\d)[\w]+)(?!:)
; block ends: end\w*
; doc comments: /// /**
; blank: (?##if)^[ \t]+#(?:if|elseif|else|endif)\b[^\n]*
; blank: (?##warning|#error)^[ \t]*#(?:warning|error)\([^\n]*\)[ \t]*$
; blank: @\w+(\(\))
; blank: (?#sending)(?:[:(,]|->|\b(?:consuming|borrowing|inout))\s*(\bsending)(?=\s+[@\w(\[])
; blank: (?#unsafe|consume)(?:[=(]|\breturn|^)[ \t]*(\b(?:unsafe|consume))(?=[ \t]+\w+[^\w:]*)
; blank: (?#nonisolated()\bnonisolated(\(\w+\))
; blank: (?#await)\b(?:if|guard|while)\b[^\n{]*?=\s*(try[?!]?[ \t]+await)\b
; blank: (?#switch try)\bswitch[ \t]+(try[?!]?[ \t]+await)\b
; blank: (?#: ()^[ \t]*(?:case\b[^\n]{1,200}|default):[ \t]*(?P<x>\(\))(?=[ \t]*$)
; blank: (?#in try)\bfor\b[^\n{]*\bin[ \t]+(try)\b
; blank: (?#throws(|throws ()(?P<throws>\bthrows[ \t]*\([\w.<>, ]+\))
; blank: [(:][ \t]*(?P<x>\(\))(?=[ \t]*[,)])
; blank: ^[ \t]*(?:return[ \t]+)?(?P<x>\(\))(?=[ \t]*$)
; blank: (?##_)=\s*(?P<x>#_\w+)(?=\s*[,)])
; read as: "_" (?#_$)[.(]\w{0,80}(\$)(?=[A-Za-z_])
; blank: (?#: /|(/)[(,:][ \t]*(/)(?=[A-Z]\w*(?:\.\w+){0,9}[ \t]*[),\]])
; blank: (?#isolated)[:(,][ \t]*(\bisolated)(?=[ \t]+[\w(])
; blank: (?##isolation)=[ \t]*(?P<x>#isolation)\b
; blank: (?#isolated)(isolated(?<![a-z]isolated))(?=[ \t]+deinit\b)
; blank: (?#<let )<(let)(?=[ \t]+\w+[ \t]*:)
; blank: (?#typealias)\btypealias[ \t]+\w+(?:<[^\n={}]*>)?[ \t]*=[^\n={}]*?\s(where[ \t]+[\w.]+[ \t]*(?::|==)[^\n{}]*)$
; blank: (?#where)(?:==|:)[ \t]*[A-Z][\w.<>?& \[\]]*,(?P<_>[ \t]*\n[ \t]*)(?=[A-Z][\w.]*[ \t]*(?:==|:))
; begins: ^[ \t]*(?:@[^\n]*\n[ \t]*){0,20}(?:@\w+(?:\([^()\n]*\))?[ \t]+)*(?:(?:public|private|internal|fileprivate|open|static|final|override|mutating|nonmutating|required|convenience|indirect|prefix|postfix|infix|nonisolated|package|class)(?:\(set\))?[ \t]+)*(?:(?:func|class|struct|enum|protocol|extension|actor|typealias|associatedtype)[ \t]+\S|init[?!]?[ \t]*[(<]|deinit\b|subscript[ \t]*[(<])
; fold L1: " { /* ... */ }"
; fold L2: " {}"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; line mark: "; "
; sketch words: class=class actor=class struct=struct enum=enum protocol=interface extension=impl func=function typealias=type associatedtype=type
; sketch: * (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?P<word>class|actor|struct|enum|protocol|extension)[ \t]+(?!(?:func|var|let|subscript)\b)(?P<name>[A-Za-z_][\w.]*|\[[\w., ]+\])
; sketch: * (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?P<word>func)[ \t]+(?P<name>`?\w+`?|[^\s\w(]+)(?=[ \t]*[<(])
; sketch: * (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?P<word>typealias|associatedtype)[ \t]+(?P<name>\w+)
; sketch: constructor (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?P<name>init|deinit)(?=[?!]?[ \t]*[<({])
; sketch: method@class,struct,enum,interface,impl (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?P<name>subscript)(?=[ \t]*[<(])
; sketch: member@enum (?:indirect[ \t]+)?case[ \t]+(?P<names>`?\w+`?(?:[ \t]*=[ \t]*[^,\n(]+)?(?:[ \t]*,[ \t]*`?\w+`?)+)[ \t]*$
; sketch: member@enum (?:indirect[ \t]+)?case[ \t]+(?P<name>`?\w+`?)
; sketch: constant@. (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?:let|var)[ \t]+\(?(?P<names>[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*){1,20})(?=\)?[ \t]*[:=])
; sketch: constant@. (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?:let|var)[ \t]+(?P<name>`?\w+`?)
; sketch: field@class,struct,enum,interface,impl (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?:let|var)[ \t]+\(?(?P<names>[A-Za-z_]\w*(?:,[ \t]*[A-Za-z_]\w*){1,20})(?=\)?[ \t]*[:=])
; sketch: field@class,struct,enum,interface,impl (?:@[\w.]+(?:\([^\n()]*\))?[ \t]+){0,4}(?:(?:public|private|internal|fileprivate|open|package|final|static|class(?=[ \t]+(?:func|var|let|subscript)\b)|override|mutating|nonmutating|convenience|required|lazy|weak|unowned|dynamic|indirect|optional|prefix|postfix|infix|nonisolated|isolated|distributed|borrowing|consuming|private\(set\)|fileprivate\(set\)|internal\(set\)|public\(set\)|nonisolated\(unsafe\)|unowned\(unsafe\))[ \t]+){0,7}(?:let|var)[ \t]+(?P<name>`?\w+`?)
; sketch: - (?:if|for|while|switch|guard|do|defer|repeat|return|case|default)\b
; sketch hides: /[*] */
; sketch hides: // $
; sketch hides: """ """
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch above: //|/[*]|@
; sketch blocks: lines

[(comment) (multiline_comment)] @comment
(import_declaration) @import
[(directive) (shebang_line) (operator_declaration) (precedence_group_declaration)] @keep
(modifiers (attribute) @attribute)

; Statements that stand in a signature
[(statements (_) @line) (switch_entry) @line]

; Types

(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @scope) @definition.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @scope) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @scope) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @scope) @definition.impl
((class_declaration
  declaration_kind: "extension"
  name: (user_type . (type_identifier) @name . (type_arguments) .)
  body: (_) @scope) @definition.impl
  (#set! name.only ""))
(protocol_declaration name: (_) @name body: (_) @scope) @definition.interface
(typealias_declaration "typealias" . name: (_) @name) @definition.type
(associatedtype_declaration "associatedtype" . name: (_) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.member
(enum_entry name: (simple_identifier) @name . "=" . raw_value: (_) @value) @definition.member

; Properties

(property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field
(property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.field
(property_declaration
  name: (pattern bound_identifier: (_) @name) . (type_annotation)? . "=" . value: (_) @value) @definition.field
(property_declaration
  name: (pattern (pattern (simple_identifier) @name)) . (type_annotation)? . "=" . value: (_) @value)
  @definition.field
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.field

((class_body
  (property_declaration
    (modifiers (property_modifier) @_static)
    (value_binding_pattern) @_let
    name: (pattern bound_identifier: (_) @name)) @definition.constant)
  (#eq? @_static "static")
  (#eq? @_let "let"))
((enum_class_body
  (property_declaration
    (modifiers (property_modifier) @_static)
    (value_binding_pattern) @_let
    name: (pattern bound_identifier: (_) @name)) @definition.constant)
  (#eq? @_static "static")
  (#eq? @_let "let"))
(source_file (property_declaration name: (pattern bound_identifier: (_) @name) value: (_)) @definition.constant)
(source_file (property_declaration name: (pattern (pattern (simple_identifier) @name))) @definition.constant)

; What is computed

((property_declaration
  name: (pattern bound_identifier: (_) @name)
  computed_value: [
    (computed_property (statements))
    (computed_property . "{" . (multiline_comment)? . "}")
  ] @body) @definition.field
  (#set! fold.L2 " { get }"))
(property_declaration
  name: (pattern bound_identifier: (_) @name)
  computed_value: (computed_property [(computed_getter) (computed_setter) (computed_modify)]) @accessors)
  @definition.field
(subscript_declaration "subscript" @name) @definition.method
((subscript_declaration
  "subscript" @name
  [(computed_property (statements)) (computed_property . "{" . (multiline_comment)? . "}")] @body)
  @definition.method
  (#set! fold.L2 " { get }"))
(subscript_declaration
  "subscript" @name
  (computed_property [(computed_getter) (computed_setter) (computed_modify)]) @accessors) @definition.method
((property_declaration (computed_property [
    (computed_getter "{" @body "}" @body)
    (computed_setter "{" @body "}" @body)
    (computed_modify "{" @body "}" @body)
  ]))
  (#set! fold.L2 ""))
((subscript_declaration (computed_property [
    (computed_getter "{" @body "}" @body)
    (computed_setter "{" @body "}" @body)
    (computed_modify "{" @body "}" @body)
  ]))
  (#set! fold.L2 ""))

; Observers tell nothing of what a property is.
((property_declaration
  name: (pattern bound_identifier: (_) @name) (willset_didset_block (willset_clause)) @body) @definition.field
  (#set! fold.L1 " { willSet { /* ... */ } }")
  (#set! fold.L2 ""))
((property_declaration
  name: (pattern bound_identifier: (_) @name) (willset_didset_block (didset_clause)) @body) @definition.field
  (#set! fold.L1 " { didSet { /* ... */ } }")
  (#set! fold.L2 ""))
((property_declaration
  name: (pattern bound_identifier: (_) @name) (willset_didset_block (willset_clause) (didset_clause)) @body)
  @definition.field
  (#set! fold.L1 " { willSet { /* ... */ } didSet { /* ... */ } }")
  (#set! fold.L2 ""))

; Functions

(function_declaration "func" . name: _ @name body: (_) @body) @definition.function
(protocol_function_declaration "func" . name: _ @name) @definition.method
(init_declaration "init" @name) @definition.constructor
(init_declaration "init" @name body: (_) @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(macro_declaration "macro" . (simple_identifier) @name) @definition.macro
