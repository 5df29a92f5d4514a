; grammar: vue
; files: *.vue
; comments: <!
; mixes: web
; uses: held-members loose-types types-imported names-imported function-values
; module doc: <!--
; fold statements: "<!-- ... -->"
; sketch embeds: - <!-- -->
; sketch embeds: typescript <script\b(?=[^>]{0,400}\blang=["']?(?:ts|typescript)\b)(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script
; sketch embeds: tsx <script\b(?=[^>]{0,400}\blang=["']?tsx\b)(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script
; sketch embeds: javascript <script\b(?:[^>"']|"[^"]{0,400}"|'[^']{0,400}'){0,400}> </script

; The script is code; the template, the style and other blocks are what a script's statements are.

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
