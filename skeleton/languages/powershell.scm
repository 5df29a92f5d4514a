; grammar: powershell
; files: *.ps1 *.psm1 *.psd1
; shebang: pwsh powershell
; reserved: begin break catch class continue data default do dynamicparam else elseif end enum exit filter finally for foreach from function hidden if in param process return static switch throw trap try until using while
; comments: #
; names: (?<![\w$-])(?>(?!\d)[\w-]+)
; marks: . ::
; uses: loose-types bare-members
; calls: [(command command_name: (_) @name) (invokation_expression (member_name) @name)]
; doc comments: <# #
; module doc: <#
; begins: ^[ \t]*(?i:function|filter|class|enum)[ \t]+[\w:?.-]+
; name marks: "'$:
; read as: "$" (?#:)^(\$(?i:script|global|local|private):)(?=\w+[ \t]*[-+*/]?=)
; read as: "#" (?#using|Using)^(?P<ahead>(?i:using))(?=[ \t]+(?i:namespace|module|assembly)\b(?s:.{0,4000}?)\n(?i:param)\b)
; read as: ";" (?#{)(?<![@\w])\{\s{0,40}?([ \t])(?:\s|#(?!>)[^\n]{0,400}\n|<#(?:[^#]|#(?!>)){0,2000}#>){0,60}\}
; read as: ";" (?#{)(?<![@\w])\{\r?(\n)\s{0,80}\}
; read as: "$a" (?#{})(?:[=,("'][ \t]{0,9}|[ \t]-\w{1,40}[ \t]{1,9}|^[ \t]*(?!(?i:function|filter|class|enum|workflow|begin|process|end|clean|try|finally|catch|else|do|data|trap|dynamicparam)\b)(?:[A-Za-z][\w-]{0,60}(?:[ \t]+[\w"'$:.-]{1,60}){0,6}[ \t]{1,9})?)(\{\})
; read as: ";" (?#param|Param)(?i:param)[ \t]{0,9}\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,80}\)){0,80}\)){0,200}\)){0,999}\)([ \t]+)(?=[^\s}#;])
; read as: "," (?#?)[\w)"'][ \t](\?\??)(?=[ \t]["$'(@\[\d])
; blank: (?#:)^[ \t]*(?i:function|filter)[ \t]+((?i:script|global|local|private):)
; blank: (?#]|[)^[ \t]*(\[[\w.]+\([^\n]{0,300}\)\])(?=\s{1,80}(?:#[^\n]{0,200}\n\s{0,80})?(?:(?i:enum|class)\b|\$))
; blank: (?#base|Base)\)([ \t]{0,9}:[ \t]{0,9}(?i:base)[ \t]{0,9}\([^\n{}]{0,300}\))
; blank: (?#-object|-Object)\b(?i:foreach)(?P<x>-)(?i:object)\b(?![ \t]*\{)
; blank: (?#switch|Switch)^[ \t]*(?P<word>"[^"\n]{1,400}"|'[^'\n]{1,400}')(?P<call>)(?=\s{0,80}\{)
; blank: (?#continue |break )\b(?i:continue|break)[ \t]{1,9}([A-Za-z_]\w{0,60})(?=[ \t]*(?:[;}\r\n#]|\Z))
; blank: (?#`)(`)[ \t]*\r?\n(?=[ \t]*\r?\n)
; blank: (?#\)(?<![\w\\$:.'"/-])[A-Za-z][\w.]{1,60}(?P<x>\\)(?=[A-Za-z]\w{1,40}-[A-Za-z])
; blank: (?#?.|?[)[\w)}](\?)(?=[.\[])
; blank: (?#/|\)(?P<word>\$[\w:]{1,60}(?:[\\/](?:[A-Za-z_.*][\w.*-]{0,80}|(?=\$))){1,12}[\\/]?)(?P<call>)
; blank: (?#-)[ \t]-[A-Za-z]\w{0,60}(\d)(?=[ \t]{1,9}[^\s>])
; unended: (?s:[^\n]*(?i:param)[ \t]*\(.*)
; mends: " " (?#,)^(?:[^\n'"#]|'[^'\n]{0,200}'|"[^"\n]{0,200}"){0,200}?[ \t][A-Za-z_*.][\w.*:-]{0,80}((?:,[ \t]{0,9}[A-Za-z_*.][\w.*:-]{0,80}){1,30})(?![^\n]{0,200}\)\])
; mends: " " (?#,)(?:^|[=(])[ \t]{0,40}(,)(?=[ \t]{0,9}[\[($@"'])
; mends: "-eq" (?#-)[ \t](-(?i:bx?or|band|and|or))(?=[ \t])
; mends: " " (?#--|-p:|=)[ \t](--?\w[\w-]{0,40}[:=]+)(?=["$\w./\\])
; line mark: "; "
; fold L1: " { ... }"
; fold L2: " { ... }"
; fold statements: "..."
; empty scope: " ..."
; fold value: "\"...\""
; fold inside: " <# ... #> "
; sketch: function (?i:function|filter|workflow)[ \t]+(?:(?i:script|global|local|private):)?(?P<name>[^\s(){}]+)(?:(?:[ \t]*\([^()\n]{0,400}\))?\s{0,80}\{\s{0,4000}(?:\[[^\n]{1,400}\]\s{1,200}){0,9}(?i:param)\s{0,9}\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]{0,80}\)){0,80}\)){0,300}\)){0,4000}\)(?P<body>))?
; sketch: class (?i:class)[ \t]+(?P<name>[A-Za-z_]\w*)
; sketch: enum (?i:enum)[ \t]+(?P<name>[A-Za-z_]\w*)(?:(?P<body>)[ \t]*\{[ \t]*(?P<members>[A-Za-z_]\w*(?:[ \t]*;[ \t]*[A-Za-z_]\w*){0,40})[ \t;]*\})?
; sketch: method@class (?:(?i:static|hidden)[ \t]+){0,2}(?:\[[\w.\[\], ]{1,200}\][ \t]*)?(?:(?i:static|hidden)[ \t]+){0,2}(?P<name>[A-Za-z_]\w*)[ \t]*\(
; sketch: field@class (?:\[[^\n$=]{1,200}\][ \t]*)?(?:(?i:static|hidden)[ \t]+){0,2}(?:\[[^\n$=]{1,200}\][ \t]*)?(?P<name>\$\w+)
; sketch: member@enum (?P<name>[A-Za-z_]\w*)[ \t]*(?=[=;}\r\n])
; sketch: constant@. (?<=\n)(?:\[[\w.\[\], ]{1,200}\][ \t]*)?\$(?i:script|global|local|private)(?P<name>:\w+)[ \t]*[-+*/]?=(?!=)
; sketch: constant@. (?<=\n)(?:\[[\w.\[\], ]{1,200}\][ \t]*)?(?P<name>\$(?:\w+:)?\w+)[ \t]*[-+*/]?=(?!=)
; sketch: module (?i:describe|context)[ \t]+(?P<name>"[^"\n]{1,300}"|'[^'\n]{1,300}')[^\n]{0,400}\{(?P<body>)
; sketch: function (?i:it)[ \t]+(?P<name>"[^"\n]{1,300}"|'[^'\n]{1,300}')(?:[^\n]{0,400}\{(?P<body>)(?=[ \t\r]*\n)|(?=[^\n]{0,400}[{(]))
; sketch: function (?i:task|configuration)[ \t]+(?P<name>[\w.-]+|"[^"\n]{1,300}"|'[^'\n]{1,300}')[^\n]{0,400}\{(?P<body>)
; sketch hides: <\# #>
; sketch hides: "(?<=@")[ \t]*\r?\n "@
; sketch hides: '(?<=@')[ \t]*\r?\n '@
; sketch hides: "(?<!`")(?:[^"`]|`(?s:.)){0,4000}" -
; sketch hides: '(?<!`')[^'\n]{0,4000}' -
; sketch hides: \#(?<![\w$`\#]\#) $
; sketch above: \#|\[
; sketch blocks: lines

(comment) @comment

; What a file takes in

((pipeline (pipeline_chain (command command_name: (_) @_command))) @import
  (#match? @_command "^(?i:using|import-module)$"))
((pipeline (pipeline_chain (command (command_invokation_operator) @_dot command_name: (_)))) @import
  (#eq? @_dot "."))

; What a script takes, and what a module gives out

(program (param_block) @keep)
((pipeline (pipeline_chain (command command_name: (_) @_command))) @keep
  (#match? @_command "^(?i:export-modulemember|(set|new)-alias)$"))

; What a manifest says

(pipeline
  (pipeline_chain
    (logical_expression (bitwise_expression (comparison_expression (additive_expression
      (multiplicative_expression (format_expression (range_expression (array_literal_expression (unary_expression
        (hash_literal_expression (hash_literal_body) @shape) @frame) @frame) @frame) @frame) @frame) @frame) @frame)
      @frame) @frame) @frame) @frame) @frame
(hash_entry (key_expression [(simple_name) (unary_expression)] @name)) @definition.constant

; Statements and entries that stand in a signature

(array_expression (statement_list (_) @line))
(hash_entry) @line

; Functions. What they take may stand in their block, and their help at its beginning.

(function_statement (function_name) @name "{" @body "}" @body) @definition.function
((function_statement (function_name) @name "{" @body . (comment) @doc (script_block . script_block_body: (_)) "}" @body)
  @definition.function
  (#match? @doc "^<#"))
((function_statement
  (function_name) @name (function_parameter_declaration)? . (comment) @doc . "{" @body "}" @body) @definition.function
  (#match? @doc "^<#"))
((function_statement (function_name) @name "{" . (comment) @doc (script_block (param_block))) @definition.function
  (#match? @doc "^<#"))
((function_statement (function_name) @name (script_block (param_block)) "}" @body) @definition.function
  (#set! fold.L1 " }")
  (#set! fold.L2 " }"))
((function_statement
  (function_name) @name (script_block (param_block) script_block_body: (_) @body) "}" @body) @definition.function
  (#set! fold.L1 " }")
  (#set! fold.L2 " }"))

; Types

(class_statement . (simple_name) @name @keep (simple_name)* @keep) @definition.class @scope
(class_property_definition (variable) @name) @definition.field
(class_property_definition (variable) @name "=" . (_) @value) @definition.field
(class_method_definition (simple_name) @name "{" @body "}" @body) @definition.method
(enum_statement (simple_name) @name) @definition.enum @shape
(enum_member . (simple_name) @name) @definition.member
(enum_member . (simple_name) @name "=" . (_) @value) @definition.member

(program (statement_list) @scope)

; Tests, tasks and whatever else is told by calling it with a block

(pipeline
  (pipeline_chain
    (command
      (command_elements
        (array_literal_expression
          (unary_expression
            (script_block_expression
              (script_block (script_block_body (statement_list) @scope) @frame) @frame) @frame) @frame) @frame) @frame)
      @frame) @frame) @frame
((pipeline
  (pipeline_chain
    (command
      command_name: (_) @_group
      command_elements: (command_elements
        . (command_argument_sep) . (array_literal_expression (unary_expression (string_literal) @name))
        (array_literal_expression
          (unary_expression
            (script_block_expression (script_block script_block_body: (script_block_body (statement_list) @scope)))))))))
  @definition.module
  (#match? @_group "^(?i:describe|context)$"))
((pipeline
  (pipeline_chain
    (command
      command_name: (_) @_one
      command_elements: (command_elements
        . (command_argument_sep) . [(array_literal_expression (unary_expression (string_literal) @name)) (generic_token) @name]
        (array_literal_expression (unary_expression (script_block_expression (script_block) @body "}" @body)))))))
  @definition.function
  (#set! fold.L1 " ... }")
  (#set! fold.L2 " ... }")
  (#match? @_one "^(?i:it|task|configuration)$"))

; Values of a script or module

(program (statement_list
  (pipeline
    (assignment_expression
      (left_assignment_expression (logical_expression (bitwise_expression (comparison_expression (additive_expression
        (multiplicative_expression (format_expression (range_expression (array_literal_expression (unary_expression [
          (variable) @name
          (expression_with_unary_operator (cast_expression (unary_expression (variable) @name)))
        ]))))))))))
      value: (_) @value)) @definition.constant))

; What stands under a condition

(if_statement (statement_block (statement_list) @scope) @frame) @frame
(if_statement (else_clause (statement_block (statement_list) @scope) @frame) @frame) @frame
(if_statement (elseif_clauses (elseif_clause (statement_block (statement_list) @scope) @frame) @frame) @frame) @frame
