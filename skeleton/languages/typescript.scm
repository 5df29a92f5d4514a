; grammar: typescript
; inherits: javascript
; reach: 3
; files: *.ts *.mts *.cts
; reserved: abstract as async await break case catch class const continue declare default delete do else enum export extends false finally for from function if implements import in instanceof interface keyof let new null of private protected public readonly return static super switch this throw true try typeof undefined var void while with yield
; visible: file \n[^(=\n]*\bprivate\b
; visible: file@. \A(?![^\n]+\n[^({=]*\bexport\b)
; seen with type: field
; shebang: ts-node tsx deno bun
; modeline: ts
; read as: ";" ^(?:(?:(?<=[\w\])}'">]\n)(?<!=>\n)|(?<=[\w\])}'">]\r\n)(?<!=>\r\n))(?:[ \t]*\r?\n){0,3}[ \t]*([ \t])(?:[ \t]*(?://[^\n]*|/\*(?>(?:[^*]|\*(?!/)){0,4000})\*/[ \t]*\r?)\n(?:[ \t]*\r?\n){0,3}){0,9}[ \t]*(?=(?:<\s*(?:const\s+)?[A-Z]\w*\s*(?:extends\b|=[^>=]|,\s*[A-Z]\w*\b[^<\n]|>\s*\()|in(?:\d\w*)?\??[ \t]*:))|(?:[ \t]*(?://[^\n]*|/\*(?>(?:[^*]|\*(?!/)){0,4000})\*/[ \t]*\r?)\n(?:[ \t]*\r?\n){0,3}){1,9}[ \t]*<())
; blank: (?#export type)\bexport[ \t]+(type)(?=[ \t]*\*)
; blank: (?#>`)[\w$)](<(?>(?:[^<>`=]|=>?|<(?>(?:[^<>`=]|=>?|<[^<>`]{0,200}>){0,400})>){1,800})>)(?=`)
; blank: (?#import()\b(?P<i>import\([ \t]*(?:'[^'\n]*'|"[^"\n]*")[ \t]*\))(?=\.[\w.]+[ \t]*(?:[;,<>\[\])}|&]|$)|>)
; blank: (?#out |in )[<,]\s*(?:/\*[^\n]*?\*/\s*|//[^\n]*\s*)?((?:in[ \t]+)?(?:out|in)[ \t]+)(?=[A-Z]\w*\s*(?:[,>]|=[^>=]|extends\b))

; A function that is taken as a type, or what a call makes of one.
((lexical_declaration (variable_declarator
    name: (identifier) @name
    value: (_
      . [
        (parenthesized_expression [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
        (call_expression~
          function: (_) @_callee
          arguments: (arguments~ . (arrow_function body: (_) @body) (_)? @body .))
      ]
      . ["as" "satisfies"] @after))) @definition.function
  (#match? @_callee "^[A-Za-z0-9_$.]+$")
  (#not-match? @_callee "[.](map|filter|reduce|flatMap|find|some|every|sort|forEach|then|catch|replace)$"))
(pair
  key: (_) @name
  value: (_ . (parenthesized_expression (arrow_function body: (_) @body)) . ["as" "satisfies"] @after))
  @definition.method
(lexical_declaration (variable_declarator
  name: (identifier) @name
  value: (object (pair
    value: (_ . (parenthesized_expression (arrow_function)) . ["as" "satisfies"]))) @shape)) @definition.module

; What is declared to be there already has a type and no value.
(ambient_declaration (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name))
  (variable_declaration (variable_declarator name: (identifier) @name))
] @definition.field))

; At L2 a declaration without a body stands for a function, where there is one.

((function_declaration name: (_) @name body: (_) @body) @definition.function
  (#set! fold.L2 ";"))
((class_body (method_definition name: (_) @name body: (_) @body) @definition.method)
  (#set! fold.L2 ";")
  (#not-eq? @name "constructor"))
((class_body (method_definition name: (_) @name body: (_) @body) @definition.constructor)
  (#set! fold.L2 ";")
  (#eq? @name "constructor"))
((class_body (decorator) . (comment)* . (method_definition name: (_) @name body: (_) @body) @definition.method)
  (#set! fold.L2 " {/*...*/}"))

; What a constructor is given and the object keeps; none of an outline, for it stands in the signature.
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(required_parameter "readonly" pattern: (identifier) @name) @definition.field
