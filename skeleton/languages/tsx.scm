; grammar: tsx
; inherits: typescript
; files: *.tsx
; modeline: typescriptreact typescript.tsx
