; grammar: typescript
; inherits: javascript
; reach: 3
; files: *.ts *.mts *.cts
; shebang: ts-node tsx deno bun
; modeline: ts

; At L2 a declaration without a body stands for a function, where there is one.

((function_declaration name: (_) @name body: (_) @body) @definition.function
  (#set! fold.L2 ";"))
((class_body (method_definition name: (_) @name body: (_) @body) @definition.method)
  (#not-eq? @name "constructor")
  (#set! fold.L2 ";"))
((class_body (method_definition name: (_) @name body: (_) @body) @definition.constructor)
  (#eq? @name "constructor")
  (#set! fold.L2 ";"))
((class_body (decorator) . (comment)* . (method_definition name: (_) @name body: (_) @body) @definition.method)
  (#set! fold.L2 " {}"))
