; grammar: ocaml_interface
; inherits: ocaml
; files: *.mli *.eliomi
