; grammar: hcl
; files: *.tf *.hcl *.tfvars *.tofu *.nomad
; modeline: terraform
; comments: #|//|/[*]
; mixes: all
; addresses: var>variable local>locals
; reach: 1
; doc comments: # // /*
; fold L1: " { /* ... */ }"
; fold L2: " {}"
; fold statements: "_ = _"
; fold value: "_"
; fold inside: " /* ... */ "

(comment) @comment
(config_file (body) @scope)

; Blocks fold, by the address others know them under: `aws_vpc.main`, `provider.aws`.
((config_file (body (block
  . (identifier) @name . (block_start) @body (block_end) @body) @definition.module))
  (#not-match? @name "^(terraform|locals|moved|import|removed)$"))
((config_file (body (block
  . (identifier) @container
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body (block_end) @body) @definition.module))
  (#not-match? @container "^(variable|output|module)$"))
(config_file (body (block
  . (identifier)
  . [(string_lit (template_literal) @container) (identifier) @container]
  [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body (block_end) @body) @definition.struct))
((config_file (body (block
  . (identifier) @_type @container
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body . (block_end) @body) @definition.module))
  (#set! fold.L1 " {}")
  (#not-match? @_type "^(variable|output|module)$"))
((config_file (body (block
  . (identifier)
  . [(string_lit (template_literal) @container) (identifier) @container]
  [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body . (block_end) @body) @definition.struct))
  (#set! fold.L1 " {}"))
((config_file (body (block
  . (identifier) @_type @container
  . (string_lit (template_literal) @name) . (block_start) . (block_end) @shape) @definition.field))
  (#match? @_type "^(variable|output)$"))
((config_file (body (block
  . (identifier) @_type @container
  . (string_lit (template_literal) @name) . (block_start) . (block_end) @shape) @definition.module))
  (#eq? @_type "module"))

; What a module is used by: its versions, the types of its variables, the values of its outputs, the modules it loads.
((block . (identifier) @_type) @import
  (#eq? @_type "terraform"))
((config_file (body (block
  . (identifier) @container @_type . (string_lit (template_literal) @name) (body) @scope) @definition.field))
  (#match? @_type "^(variable|output)$"))
((config_file (body (block
  . (identifier) @container @_type . (string_lit (template_literal) @name) (body) @scope) @definition.module))
  (#eq? @_type "module"))
((block . (identifier) @_type (body (attribute (identifier) @_key) @keep))
  (#match? @_type "^(variable|output|module)$")
  (#any-of? @_key "type" "value" "source" "version"))
((block . (identifier) @_type (body (attribute (identifier) @_key) @detail))
  (#eq? @_type "variable")
  (#not-match? @_key "^(type|_)$"))
((block . (identifier) @_type (body (attribute (identifier) @_key) @detail))
  (#eq? @_type "output")
  (#eq? @_key "description"))
((block . (identifier) @_type (body (attribute (identifier) @_key (expression) @body)))
  (#set! fold.L1 " _")
  (#set! fold.L2 " _")
  (#eq? @_type "variable")
  (#not-match? @_key "^(type|description)$")
  (#match? @body "\n"))

; Local values, and the values of a file of settings.
((block . (identifier) @_type @container (body) @scope) @frame
  (#eq? @_type "locals"))
((block . (identifier) @_type @container
  (body (attribute (identifier) @name (expression) @value) @definition.constant))
  (#eq? @_type "locals"))
((config_file (body (attribute (identifier) @name (expression) @value) @definition.constant))
  (#not-eq? @name "_"))

; The same in a file that breaks off
((ERROR (block
  . (identifier) @name . (block_start) @body (block_end) @body) @definition.module)
  (#not-match? @name "^(terraform|locals|moved|import|removed)$"))
((ERROR (block
  . (identifier) @container
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body (block_end) @body) @definition.module)
  (#not-match? @container "^(variable|output|module)$"))
(ERROR (block
  . (identifier)
  . [(string_lit (template_literal) @container) (identifier) @container]
  [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body (block_end) @body) @definition.struct)
((ERROR (block
  . (identifier) @_type @container
  . [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body . (block_end) @body) @definition.module)
  (#set! fold.L1 " {}")
  (#not-match? @_type "^(variable|output|module)$"))
((ERROR (block
  . (identifier)
  . [(string_lit (template_literal) @container) (identifier) @container]
  [(string_lit (template_literal) @name) (identifier) @name]
  . (block_start) @body . (block_end) @body) @definition.struct)
  (#set! fold.L1 " {}"))
((ERROR (block
  . (identifier) @_type @container
  . (string_lit (template_literal) @name) . (block_start) . (block_end) @shape) @definition.field)
  (#match? @_type "^(variable|output)$"))
((ERROR (block
  . (identifier) @_type @container
  . (string_lit (template_literal) @name) . (block_start) . (block_end) @shape) @definition.module)
  (#eq? @_type "module"))
((ERROR (block
  . (identifier) @container @_type . (string_lit (template_literal) @name) (body) @scope) @definition.field)
  (#match? @_type "^(variable|output)$"))
((ERROR (block
  . (identifier) @container @_type . (string_lit (template_literal) @name) (body) @scope) @definition.module)
  (#eq? @_type "module"))
