; grammar: python
; files: *.py *.pyi *.pyw SConstruct SConscript wscript
; reserved: and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield
; uses: held-members loose-types types-imported names-imported counted-arguments
; own values: [ \t]*(?::[ \t]*(?:(?:list|dict|set|frozenset|tuple|str|bytes|int|float|bool)\b|(?:typing\.|t\.)?(?:List|Dict|Set|FrozenSet|Tuple|DefaultDict|Deque)\b)(?:\[[^\n=]{0,80}\])?(?![ \t]*[|\[])|(?::[^=\n]{0,80})?=[ \t]*(?:\[|\{|["']|(?:dict|list|set|frozenset|tuple|sorted|defaultdict|deque|OrderedDict|Counter)\())
; shebang: python pypy
; comments: #
; blank: class(?<!\wclass)[ \t]+\w+\[[^\[\]=]{0,400}(?:\[[^\[\]]{0,200}\][^\[\]=]{0,400}){0,20}(=(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,200}\]){0,600})(?=\])
; blank: def(?<!\wdef)[ \t]+\w+\[[^\[\]=]{0,400}(?:\[[^\[\]]{0,200}\][^\[\]=]{0,400}){0,20}(=(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,200}\]){0,600})(?=\])
; blank: type(?<!\wtype)[ \t]+\w+\[[^\[\]=]{0,400}(?:\[[^\[\]]{0,200}\][^\[\]=]{0,400}){0,20}(=(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]{0,200}\]){0,200}\]){0,600})(?=\])
; read as: "pass;" (?#lazy )^[ \t]*(lazy )(?=[ \t]*(?:import|from)\b)
; names: (?<![\w])(?>(?!\d)[\w]+)(?!=(?!=))
; begins: ^[ \t]*(?:@[^\n]*\n[ \t]*){0,20}(?:async[ \t]+)?(?:def|class)[ \t]+\w
; fold L1: " ..."
; fold L2: " ..."
; fold statements: "..."
; fold value: "..."
; empty scope: " ..."
; sketch: class class[ \t]+(?P<name>\w+)
; sketch: function (?:async[ \t]+)?def[ \t]+(?P<name>\w+)
; sketch: type type[ \t]+(?P<name>\w++)[^\n=]*=
; sketch: - (?<=\n)if[ \t][^\n]{0,300}__main__
; sketch: constant@. (?<=\n)[(\[]?(?P<names>[A-Za-z_]\w*(?:[ \t]*[,=][ \t]*[(*]?[A-Za-z_]\w*\)?){1,20})[ \t]*,?[)\]]?[ \t]*=(?!=)
; sketch: constant@. (?<=\n)(?!(?:try|else|finally)\b)(?P<name>[A-Za-z_]\w*)[ \t]*(?::|=(?!=))
; sketch: field@class (?P<names>[A-Za-z_]\w*(?:[ \t]*[,=][ \t]*[A-Za-z_]\w*){1,20})[ \t]*=(?!=)
; sketch: field@class (?!(?:try|else|finally)\b)(?P<name>[A-Za-z_]\w*)[ \t]*(?::|=(?!=))
; sketch: - (?!(?:if|elif|with|for|while|match|case|except|else|try)\b)[^\n]*[(\[{][ \t]*$
; sketch hides: """ """
; sketch hides: ''' '''
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?<!\\')[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)' -
; sketch hides: \# $
; sketch above: @
; sketch blocks: indented

(comment) @comment

[(import_statement) (import_from_statement) (future_import_statement)] @import

(module . (comment)* . (string) @doc)

(decorated_definition) @wrapper
(decorator) @attribute

(class_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @scope) @definition.class

(function_definition
  name: (identifier) @name
  body: (block . (string)? @doc) @body) @definition.function

(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @definition.type

(module
  (assignment
    left: (identifier) @name
    right: (_) @value) @definition.constant)

(module
  (assignment
    left: (identifier) @name
    type: (_)
    !right) @definition.constant)

; An attribute without a type needs a value to remain a definition.
((class_definition
  body: (block
    (assignment
      left: (identifier) @name
      !type
      right: (_) @value) @definition.field))
  (#set! value.L2 " = ..."))

(class_definition
  body: (block
    (assignment
      left: (identifier) @name
      type: (_)
      right: (_)? @value) @definition.field))

; Several names of one value: `a = b = c`, `a, b = c`. What is deeper is a part of the value.

((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right: (_) @value)) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value)))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value))))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value)))))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value))))))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value)))))))) @definition.field))
  (#set! value.L2 " = ..."))
((class_definition body: (block
    (assignment left: (pattern_list (identifier) @name) right: (_) @value) @definition.field))
  (#set! value.L2 " = ..."))
(module
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right: (_) @value)) @definition.constant)
(module
    (assignment left: (identifier) @name !type right:
    (assignment left: (identifier) @name right:
    (assignment left: (identifier) @name right: (_) @value))) @definition.constant)
(module (assignment left: (pattern_list [
  (identifier) @name
  (list_splat_pattern (identifier) @name)
  (tuple_pattern (identifier) @name)
]) right: (_) @value) @definition.constant)
(module (assignment left: [(tuple_pattern (identifier) @name) (list_pattern (identifier) @name)] right: (_) @value)
  @definition.constant)

; What stands under a condition belongs to the file or class, but for a script's main part.
((if_statement
  condition: (_) @_condition
  consequence: (block) @scope) @frame
  (#not-match? @_condition "__main__"))
(elif_clause consequence: (block) @scope) @frame
(else_clause body: (block) @scope) @frame
(try_statement body: (block) @scope) @frame
(except_clause (block) @scope) @frame
(finally_clause (block) @scope) @frame
(with_statement body: (block) @scope) @frame
(for_statement body: (block) @scope) @frame
(while_statement body: (block) @scope) @frame
(match_statement body: (block) @frame) @frame
(case_clause consequence: (block) @scope) @frame
