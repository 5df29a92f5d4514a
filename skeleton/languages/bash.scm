; grammar: bash
; files: *.sh *.bash *.bats *.ebuild *.eclass *.zsh .bashrc .bash_profile .bash_aliases .profile .zshrc .zshenv PKGBUILD APKBUILD
; shebang: sh bash dash ksh zsh ash bats
; modeline: sh zsh
; comments: #
; names: (?<![\w$:.-])(?<!\$\{)(?>(?!\d)[\w:.-]+)(?!=)
; block ends: done|fi|esac
; doc comments: #
; begins: ^[ \t]*(?:function[ \t]+[\w:.-]+|[\w:.-]+[ \t]*\(\))
; fold L1: " { :; }"
; fold L2: " { :; }"
; fold statements: ": ..."
; fold value: "..."
; fold inside: " ... "
; blank: ^[ \t]*(\\)(?=[\w.])
; blank: (?#$+functions)^[ \t]*(\(\([ \t]*\$\+functions\[[^\]\n]*\][ \t]*\)\)[ \t]*\|\|)(?=\s*[\w:-]+[ \t]*\(\))
; blank: (?#"(()"(\(\()
; blank: (?#${)\$\{\w+(//?(?=[^}\n]{0,400}[&<>'"\\])(?:[^}\n\\]|\\[^\n]){0,400})\}
; read as: ";" (?#for )\bfor[ \t]+\w+([ \t]+)(?=do\b)
; read as: "#" (?#:#)\$\{(?:\(\w{1,8}\))?\w+(:)(?=#)
; blank: (?#${()\$\{(\([\w@%^.,:/#]{1,12}\))(?=\w)
; blank: (?#*(|*.)\*(?:\.\w+)?(\([./@:^a-zA-Z-]{1,8}\))(?=[ \t\n;)])
; blank: (?#*")^[ \t]*\*(?P<x>"\n"[^"\n]*"\n"\*)(?=\))
; blank: (?#$+)(\$\+)(?=\w+\[)
; blank: (?#<<)<<-?[ \t]*['"]?\w+['"]?(\|)(?=[^\s|][^\n>|]*$)
; blank: (?#@test)^[ \t]*(@test[ \t]+)(?P<word>["']\d[^\n]*)(?P<call>["'][ \t])[ \t]*\{
; blank: ^[ \t]*(@test[ \t]+["'])(?P<word>[^\n]*)(?P<call>["'][ \t])[ \t]*\{
; sketch: function function[ \t]+(?P<name>[\w:.-]+)(?:[ \t]*\(\))?(?=[ \t]*+\n?[ \t]*+[{(])
; sketch: function (?P<name>[\w:.-]+)[ \t]*\([ \t]*\)(?=[ \t]*+\n?[ \t]*+[{(])
; sketch: constant@. (?<=\n)(?:(?:export|readonly|declare|typeset|local)(?:[ \t]+-\w+)*[ \t]+)?(?P<name>[A-Za-z_]\w*)\+?=
; sketch: - (?!(?:if|for|while|until|case|else|elif|do|then)\b)[^\s{][^\n]*\{[ \t]*$
; sketch hides: "(?<!\\")(?=[^"\\$]{0,2000}\$\()[^"\\$]{0,2000}(?>(?:(?:\\(?s:.)|\$\((?>(?:[^()"'\\]|\\(?s:.)|'[^']{0,2000}'|"[^"\\]{0,2000}"|\((?>(?:[^()"']|'[^']{0,400}'|"[^"]{0,400}"){0,400})\)){0,2000})\)|\$)[^"\\$]{0,2000}){0,100})" -
; sketch hides: "(?<!\\")(?:[^"\\]{0,4000}+"|(?:[^"\\]|(?s:\\.)){0,4000}") -
; sketch hides: "(?<!\\")(?=(?:[^"\\]|(?s:\\.)){4000})[^"\\]*+(?>(?:(?s:\\.)[^"\\]*+)*)" -
; sketch hides: '[^']{0,4000}' -
; sketch hides: '[^']{4000}[^']*+' -
; sketch hides: \#(?<![\w${\#]\#) $
; sketch above: \#
; sketch blocks: lines

(comment) @comment

((command name: (command_name) @_command) @import
  (#any-of? @_command "source" "." "load" "bats_load_library" "inherit"))

(program (variable_assignment name: (variable_name) @name value: (_)? @value) @definition.constant)
(program
  (variable_assignments
    (variable_assignment name: (variable_name) @name value: (_)? @value) @definition.constant))
(program
  (declaration_command
    (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.constant)
; All of a script may stand between braces, so that it is run when the whole of it is there.
(program (compound_statement (variable_assignment name: (variable_name) @name value: (_)? @value) @definition.constant))
(program
  (compound_statement
    (declaration_command
      (variable_assignment name: (variable_name) @name value: (_)? @value)) @definition.constant))

; A redirection belongs to the body that it follows; from the second on, the grammar wraps the function in them.
(function_definition name: (_) @name body: (_) @body redirect: (_)? @body) @definition.function
(redirected_statement
  body: (function_definition name: (_) @name body: (_) @body) @definition.function
  redirect: (_)+ @body)
(redirected_statement body: (function_definition)) @wrapper

(if_statement) @scope
(else_clause) @scope
(elif_clause) @frame
(case_statement) @frame
(case_item) @scope
(for_statement body: (do_group) @scope) @frame
(while_statement body: (do_group) @scope) @frame
(list) @frame
(program (compound_statement) @scope)
(program (subshell) @scope)
