; grammar: sql
; files: *.sql *.psql *.pgsql *.mysql *.ddl
; comments: --|/[*]
; mixes: all
; block ends: end\w*
; doc comments: -- /*
; name marks: "`[]
; begins: (?i)^[ \t]*(?:create|replace)\b(?:[ \t]+\w+){0,4}?[ \t]+(?:table|view|function|procedure|trigger|domain|type|index|schema|sequence)\b
; read as: "SELECT 1" (?i)^(PRAGMA\b[^;\n]*)(?=;)
; blank: (?i)^INSERT\s+(OR\s+(?:IGNORE|REPLACE|ABORT|FAIL|ROLLBACK))\s+INTO\b
; blank: (?i)^CREATE\s+(TEMP(?:ORARY)?)\s+TRIGGER\b
; blank: (?i)^CREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\s+(IF\s+NOT\s+EXISTS)\b
; blank: (?#AUTOINCREMENT|autoincrement)(?i:KEY(?:[ \t]+(?:ASC|DESC))?[ \t]+(AUTOINCREMENT))\b
; blank: (?#COLLATE|collate)[ \t]((?i:COLLATE)[ \t]+[\w."]+)(?=[ \t]*[,)\n]|[ \t]+(?i:NOT|UNIQUE|DEFAULT|NULL|PRIMARY|CHECK|ASC|DESC|REFERENCES)\b)
; fold L1: " AS '...'"
; fold L2: " AS '...'"
; fold statements: "/* ... */"
; read as: "SELECT 1" (?is)\bAS\s+(\$\w*\$)(.*?)\1
; read as: "FUNCTION" (?i)^CREATE\s+(?:OR\s+REPLACE\s+)?(PROCEDURE)\b(?=\s+[\w."]{1,200}\s*\()
; read as: "RETURNS int" (?i)^CREATE\s+(?:OR\s+REPLACE\s+)?FUNCTION\s+[\w."]{1,200}\s*\([^();]{0,2000}\)\s*(LANGUAGE\s+\w+)(?=(?:\s+(?:SECURITY\s+\w+|SET\s+[^;$]{1,200}))?\s+AS\b)
; read as: "RETURNS int AS ''" (?is)^CREATE\s+(?:OR\s+REPLACE\s+)?FUNCTION\s+[\w."]{1,200}\s*\((?:[^();]|\([^();]{0,80}\)){0,2000}\)\s*(?=AS\s+(\$\w*\$))(?P<apart>AS\s+\$\w*\$.*?\1[^;$]{0,400})(?=;)
; read as: "DROP INDEX d" (?is)^(?=DO\s+(\$\w*\$))(DO\s+\$\w*\$.*?\1(?:\s+LANGUAGE\s+\w+)?)
; read as: "EXECUTE FUNCTION _()" (?is)^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b(?:(?!\bBEGIN\b)[^;]){1,400}(?P<apart>BEGIN\b(?:[^;]{1,2000};){1,40}?\s*END)(?=\s*;)
; read as: "ON d(d)" (?i)^CREATE POLICY\s+(?:"[^"\n]*"|\w+)\s+(ON\b[^;]*)
; read as: "CREATE INDEX" (?i)^(CREATE POLICY)(?=\s+(?:"[^"\n]*"|\w+)\s+ON d\(d\))
; read as: "DROP TABLE d" (?i)^((?:CREATE POLICY|ALTER POLICY|CREATE ROLE|DROP|ALTER TABLE[^;]{0,400}\b(?:ENABLE|DISABLE|FORCE)\s+ROW\s+LEVEL\s+SECURITY)\b[^;]*)
; read as: "DROP INDEX d" (?i)^((?:GRANT|REVOKE)\b[^;]*)
; read as: "SELECT 1" (?i)^((?:SECURITY LABEL|SET (?:LOCAL |SESSION )?search_path)\b[^;]*)
; read as: "SELECT 1" (?i)^(ALTER (?!TABLE|TYPE|INDEX|SEQUENCE|SCHEMA)\w+\b[^;]*)
; blank: (?i)^CREATE DOMAIN\b[^;]*;
; blank: ^\\[a-z!?].*$

[(comment) (marginalia)] @comment

(program (ERROR) @keep)
(transaction) @scope
(transaction [(keyword_begin) (keyword_commit) (keyword_rollback)] @keep)

(statement (create_extension)) @import
(statement (alter_table
  [(add_column) (add_constraint) (alter_column) (drop_column) (drop_constraint)
   (rename_column) (rename_object)])) @keep


; What is read so: policies, roles and what goes; blocks of commands and grants, which go themselves at L2.
(statement (drop_table)) @keep
(statement (drop_index)) @detail

; Tables and types, with their columns whole.
(create_table
  [(keyword_table) (keyword_exists)] . (object_reference schema: (_)? @container name: (_) @name)
  (column_definitions)? @shape) @definition.struct
((create_table
  [(keyword_table) (keyword_exists)] . (object_reference schema: (_)? @container name: (_) @name)
  (keyword_as) @body (_)* @body) @definition.struct
  (#set! fold.L1 " AS SELECT '...'")
  (#set! fold.L2 " AS SELECT '...'"))
(create_type
  (keyword_type) . (object_reference schema: (_)? @container name: (_) @name)
  (column_definitions)? @shape) @definition.type
(column_definitions (column_definition name: (_) @name) @definition.field)

; What is computed: its query or body folds, with what is said after it.
((create_view
  [(keyword_view) (keyword_exists)] . (object_reference schema: (_)? @container name: (_) @name)
  (keyword_as) @body . (_) @body (_)* @body) @definition.type
  (#set! fold.L1 " AS SELECT '...'")
  (#set! fold.L2 " AS SELECT '...'"))
((create_materialized_view
  [(keyword_view) (keyword_exists)] . (object_reference schema: (_)? @container name: (_) @name)
  (keyword_as) @body . (_) @body (_)* @body) @definition.type
  (#set! fold.L1 " AS SELECT '...'")
  (#set! fold.L2 " AS SELECT '...'"))
(create_function
  (keyword_function) . (object_reference schema: (_)? @container name: (_) @name)
  (function_body) @body (_)* @body) @definition.function
; What tells its language behind its body, and gives nothing, is read with a body of its own.
((create_function
  (keyword_function) . (object_reference schema: (_)? @container name: (_) @name)
  (keyword_returns) @body (_)* @body (function_body (literal) @_read) @body (_)* @body) @definition.function
  (#set! fold.L1 " AS $$ /* ... */ $$")
  (#set! fold.L2 " AS $$ /* ... */ $$")
  (#eq? @_read "''"))
(create_trigger
  (keyword_trigger) . (object_reference schema: (_)? @container name: (_) @name)) @definition.function
((create_trigger
  (keyword_trigger) . (object_reference schema: (_)? @container name: (_) @name)
  (keyword_execute) @body (object_reference name: (_) @_read) . ")"? @body) @definition.function
  (#set! fold.L1 " BEGIN /* ... */; END")
  (#set! fold.L2 " BEGIN /* ... */; END")
  (#eq? @_read "_"))

(create_index column: (_) @name) @definition.member
(create_sequence
  [(keyword_sequence) (keyword_exists)] . (object_reference schema: (_)? @container name: (_) @name)) @definition.member
(create_schema (identifier) @name) @definition.module
