; grammar: svelte
; files: *.svelte
; reserved: abstract as async await break case catch class const continue declare default delete do else enum export extends false finally for from function if implements import in instanceof interface keyof let new null of private protected public readonly return static super switch this throw true try typeof undefined var void while with yield
; comments: <!
; mixes: web
; uses: held-members loose-types types-imported names-imported function-values
; module doc: <!--
; fold statements: "<!-- ... -->"
; sketch embeds: - <!-- -->
; sketch embeds: typescript <script\b(?=[^>]{0,400}\blang=["']?(?:ts|typescript)\b)(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script
; sketch embeds: tsx <script\b(?=[^>]{0,400}\blang=["']?tsx\b)(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script
; sketch embeds: javascript <script\b(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script

; The script is code; the markup and the style are what a script's statements are.

(comment) @comment
(script_element) @keep

((script_element
  (start_tag (attribute
    (attribute_name) @_name
    (quoted_attribute_value (attribute_value) @_language)))
  (raw_text) @embedded.typescript)
  (#eq? @_name "lang")
  (#any-of? @_language "ts" "typescript"))
((script_element
  (start_tag (attribute
    (attribute_name) @_name
    (quoted_attribute_value (attribute_value) @_language)))
  (raw_text) @embedded.tsx)
  (#eq? @_name "lang")
  (#any-of? @_language "tsx"))
(script_element (raw_text) @embedded.javascript)
