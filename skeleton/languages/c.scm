; grammar: c
; files: *.c *.h
; reserved: auto break case char const continue default do double else enum extern float for goto if int long return short signed sizeof static struct switch typedef union unsigned void volatile while
; marks: . -> ::
; comments: //|/[*]
; mixes: c
; uses: one-program
; block ends: end\w*
; doc comments: // /*
; blank: /\*(?=[^\n]{0,1000}\\\r?\n)(?:[^*\n\\]|\*(?!/)|\\\r?\n){0,400}\*/(?=[^\n]{0,1000}\\\r?\n)
; blank: (?#/*)^[ \t]*#[ \t]*define\b[^\n]*?(/\*(?:[^*\n]|\*(?!/)){0,400}\*/)(?=[ \t]*[^\s/])
; blank: (?#/*)^[ \t]*#[ \t]*define\b[^\n]*?(/\*(?:[^*\n]|\*(?!/)){0,400}\*/)(?=[ \t]*[^\s/])
; blank: (?#/*)(?<=\\\n)[^\n]*?(/\*(?:[^*\n]|\*(?!/)){0,400}\*/)(?=[ \t]*[^\s/])
; blank: (?#/*)(?<=\\\n)[^\n]*?(/\*(?:[^*\n]|\*(?!/)){0,400}\*/)(?=[ \t]*[^\s/])
; blank: (?#BEGIN_)^[ \t]*BEGIN_(?![A-Z_]*(?:SCOPE|NAMESPACE|DECLS))[A-Z0-9_]+\([^()\n]*\)[ \t]*\r?\n(?=[ \t]*[A-Z][A-Z0-9_]*\()(?:(?![ \t]*(?:(?:BEGIN|END)_|(?:class|struct|union|enum|namespace|template|typedef|using|static|virtual|inline|public|private|protected)\b))[^\n]*\n){0,300}?(?:[ \t]*BEGIN_(?![A-Z_]*(?:SCOPE|NAMESPACE|DECLS))[A-Z0-9_]+\([^()\n]*\)[ \t]*\r?\n(?=[ \t]*[A-Z][A-Z0-9_]*\()(?:(?![ \t]*(?:(?:BEGIN|END)_|(?:class|struct|union|enum|namespace|template|typedef|using|static|virtual|inline|public|private|protected)\b))[^\n]*\n){0,300}?[ \t]*END_[A-Z0-9_]+(?:\([^()\n]*\))?[^\n]*\n(?:(?![ \t]*(?:(?:BEGIN|END)_|(?:class|struct|union|enum|namespace|template|typedef|using|static|virtual|inline|public|private|protected)\b))[^\n]*\n){0,300}?)?[ \t]*END_[A-Z0-9_]+(?:\([^()\n]*\))?(?=[ \t]*(?://[^\n]*)?\r?$)
; blank: (?#BEGIN|END|NAMESPACE)^(?<!,\n)_*[A-Z][A-Z0-9_]*(?:BEGIN|END|NAMESPACE)[A-Z0-9_]*(?=[ \t]*$)
; blank: (?#DEPRECATED()^[ \t]*(?:[A-Z_]{1,40}[ \t]+)?(?P<_>[A-Z_]{0,40}DEPRECATED[A-Z_]{0,40}\()\s{0,80}[A-Za-z_][^;{}()"#=]{1,200}\((?>[^;{}()"#]{1,2000}|\([^;{}()"#]{0,400}\)){0,60}\)\s{0,80}(?P<__>,)\s{0,80}(?://[^\n]{0,200}\s{1,80})?(?P<___>"[^"\n]{0,400}")\s{0,80}(?P<____>\))(?=[ \t]{0,8};)
; blank: (?#WINAPI|CALLBACK|APIENTRY|STDMETHODCALLTYPE|JNICALL)^[^\n(){};=#]*[\w*][ \t]+(WINAPI|CALLBACK|APIENTRY|STDMETHODCALLTYPE|JNICALL)(?=[ \t\n]+\w+[ \t]*\()
; blank: (?#RESTRICT)\*[ \t]*([A-Z_]{0,40}RESTRICT)(?=[ \t]*[\w,)\[*])
; blank: (?#EXTENSION|__extension__)^[ \t]*([A-Z_]{0,40}EXTENSION|__extension__)(?=[ \t]+(?:union|struct)\b)
; blank: (?#struct|union)(?:struct|union)(?:[ \t]+\w+)?[ \t]*\n?\{[ \t]*\n[ \t]+((?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[ \t]?\([^()\n]*\))?[ \t]*\n[ \t]+){0,4}[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[ \t]?\([^()\n]*\))?)(?=[ \t]*\n)
; blank: ;[ \t]*(?:/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*|//[^\n]*)?\n(?:[ \t]*(?:/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*|//[^\n]*)\n)?[ \t]+((?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[ \t]?\([^()\n]*\))?[ \t]*\n[ \t]+){0,4}[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[ \t]?\([^()\n]*\))?)(?=[ \t]*\n[ \t]*\}[ \t]*[\w;])
; blank: ^(?<!\\\n)[ \t]*+(?=[A-Z_])((?:[A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?\s+){0,8}[A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=(?:[ \t]*//[^\n]*+)?\s+[A-Za-z_]\w*[\s*&]+(?:[A-Za-z_]|\(\*))
; blank: > ((?:[A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?\s+)+)(?=[A-Za-z_]\w*[\s*&]+(?:[A-Za-z_]|\(\*))
; blank: ^(?:[a-z]+ +)+([A-Z_][A-Z0-9_]{2,})\s+(?=[A-Za-z_]\w*[\s*]+(?:[A-Za-z_]|\(\*))
; blank: ^(?:[a-z]+ +)+((?:[A-Z_][A-Z0-9_]{2,}\([\d, ]+\)\s+)+)(?=[A-Za-z_]\w*[\s*]+(?:[A-Za-z_]|\(\*))
; blank: ^(?=\w)(?:[a-z_]\w* +)*(?:void|int|char|long|short|unsigned|bool|double|float|\w+_t)[ *]+(?:([A-Z_][A-Z0-9_]{2,})\s+(?=\w+\s*\()|((?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|consteval|constinit|virtual|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|co_await|co_yield)\b)[A-Za-z_]\w{2,})\s+(?=(?!__|asm\b|[A-Z0-9_]+\s*\()\w+\s*\())
; blank: ^(?=[A-Za-z_][\w \t]*\*)(?:[A-Za-z_]\w*[ \t]+){1,4}\*+[ \t]*((?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|consteval|constinit|virtual|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|co_await|co_yield)\b)[A-Za-z_]\w{2,})\s+(?=(?!__|asm\b|[A-Z0-9_]+\s*\()\w+\s*\()
; blank: ^(?:static|extern)[ \t]+(?:inline[ \t]+)?((?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|consteval|constinit|virtual|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|co_await|co_yield)\b)[A-Za-z_]\w{2,})\s+(?=(?:(?:const|unsigned|signed|struct|union|enum|long)[ \t]+){0,2}(?!(?:const|volatile|restrict)\b)[A-Za-z_]\w*[\s*]+(?!__|asm\b|[A-Z0-9_]+[ \t]*\()[A-Za-z_]\w*[ \t]*\()
; blank: ^(?=[A-Za-z_]\w*[ \t]+[A-Za-z_])(?:[A-Z][A-Z0-9_]* +)?(?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|consteval|constinit|virtual|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|co_await|co_yield|template|namespace)\b)[A-Za-z_]\w*[a-z]\w*[ \t]+([A-Z_][A-Z0-9_]{2,})\s+(?=(?![A-Z0-9_]+\s*\()\w+\s*\()
; blank: (?#inline)^(?!inline\b)(\w*inline\w*)\s+(?=(?:(?:const|unsigned|signed|struct|union|enum|long)[ \t]+){0,2}(?!(?:const|volatile|restrict)\b)[A-Za-z_]\w*[\s*]+(?!__|asm\b|[A-Z0-9_]+[ \t]*\()[A-Za-z_]\w*[ \t]*\()
; blank: (?#class |struct )^[ \t]*(?:template *<[^\n]*> *|typedef +)?(?:class|struct) +(?:\[\[[^\n\[\]]*\]\] +)?([A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?)\s+(?=(?:\[\[[^\n\[\]]*\]\]\s{1,40})?\w+\s*(?:<[^;{}()]{0,200}>\s*)?(?:final\s*)?[{:])
; blank: \((?=[\w \t*]+\)[ \t]*[A-Z])(?:(?<=[=(,?:!<>+&|-]\()|(?<=[=,?:<>+&|-] \()|(?<=return \())[\w \t*]+\)[ \t]*[A-Z]\w*(?:\((?:[^()\n]|\([^()\n]*\))*\))?()(?=\s*;)|\)(?=[ \t\r\n]*[A-Z_])[ \t]*(?:\r?\n[ \t]+)?([A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?(?:\s{1,9}[A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?){0,3})(?=\s*;)
; blank: (?##define)[{,](?>[ \t]*(?:/\*[^*\n]*\*/[ \t]*|//[^\n]*)?\n){1,9}([ \t]*#[ \t]*define[ \t]+(\w+)(?:[^\n\\]|\\\n)*\n(?:[ \t]*[A-Z]\w*(?:\([^()\n]*\))?[ \t]*[,;]?[ \t]*\n){1,8}[ \t]*#[ \t]*undef[ \t]+\2\b[^\n]*)
; blank: (?#KR_|ANSI|PROTOTYPES|__STDC__)^[A-Za-z_][\w \t*]*\n(?P<_>[ \t]*#[ \t]*if[^\n]*\n[ \t]*\([^\n]*\n(?:(?!#)[^\n]*\n){0,12}[ \t]*#[ \t]*else[^\n]*)\n[ \t]*\([^(){}#]*\)[ \t]*\n(?P<__>[ \t]*#[ \t]*endif[^\n]*)(?=\n[ \t]*[{;])
; blank: (?#enum )enum(?<!\wenum)[ \t]+\w+[ \t]*(:[ \t]*[\w \t]{1,60})(?=\s{0,40}\{)
; blank: (?#...)case(?<!\wcase)\b[^:;{}\n]{0,200}?(\.\.\.[^:;{}\n]{0,200})(?=:)
; blank: (?#offsetof()\b(?P<o>offsetof)(?=\([ \t]*\w+[ \t]*,[ \t]*\w+[.\[])
; blank: (?#__attribute__)[ \t](?<=[\w\]][ \t])[ \t]*+(__attribute__[ \t]*\(\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)\))(?=\s*[=,;)])
; blank: (?#__attribute__)\*[ \t]*((?:__attribute__[ \t]*\(\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)\)[ \t]*){1,4})(?=\w+[ \t]*\()
; blank: (?#__guarded_by|__pt_guarded|__counted_by|__aligned|cacheline_aligned|__packed|__must_hold|__acquires|__releases|__read_mostly|__ro_after_init|__init|__exit|__percpu|__rcu|_randomize_layout|__printf|__scanf|__cold|__pure|__deprecated|__weak|__malloc|__used)(?<=[\w)\]}]\s)((?:____cacheline\w+|__(?:guarded_by|pt_guarded_by|counted_by\w*|aligned|packed|must_hold\w*|must_not_hold|acquires\w*|releases\w*|cond_acquires|read_mostly|ro_after_init|initdata|initconst|exitdata|percpu|rcu|randomize_layout|no_randomize_layout|printf|scanf|cold|pure|deprecated|weak|malloc|used))(?:\((?:[^()\n]|\([^()\n]{0,80}\)){0,200}\))?)(?=\s{0,9}(?:[;={]|__[a-z]))
; blank: (?#__printf|__scanf)\b(__(?:printf|scanf)\([^()\n]{0,80}\))(?=[ \t][a-z])
; blank: \](?<!delete\[\])(?<!delete \[\])[ \t]+([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?)(?=[ \t]*[=;])
; blank: (?#_BEGIN(|_END()^[ \t]+([A-Z][A-Z0-9_]*_(?:BEGIN|END)\(\d*\))(?=[ \t]*$)
; blank: (?#_END)[;})][ \t]*(?:/[/*][^\n]{0,400})?\n[ \t]+([A-Z][A-Z0-9_]*_END)(?=[ \t]*$)
; blank: \(([a-z]?[A-Z]+_)[ \t]+(?=[A-Za-z_])
; blank: \)(?=[ \t\n]*[A-Z_])[ \t]*(?:\n[ \t]+)?([A-Z_][A-Z0-9_]{2,}(?:\((?:[^()\n]|\([^()\n]*\))*\))?)(?=\s*\{|\s+:(?!:))
; blank: ^(?P<word>[A-Z_][A-Z0-9_]{2,})(?P<call>\((?=[^();{}]{0,300}(?:\b(?:unsigned|signed|long|short|int|u?int(?:8|16|32|64)_t|size_t|char|bool|float|double|void|struct|enum|union|const|typename)\b|,[ \t]*\)))(?:[^();{}]|\([^();{}]{0,200}\)){0,400}\))(?=[ \t]*;)
; blank: ^[ \t]*#[^\n]*?\((<[\w./+-]+>|"[^"\n]*")\)
; blank: (?#GUARDED|ACQUIRED|LOCKS|DEPRECATED|ATTR)^(?=[^\n(){}=#]*+\((?<=[A-Z_]\())[^\n(){}=#]*[\w\]] +([A-Z_]*(?:GUARDED|ACQUIRED|LOCKS|DEPRECATED|ATTR)[A-Z_]*\([^()\n]*\))(?=\s*[;=])
; blank: (?##if)^(?P<_>[ \t]*#[ \t]*if[^\n]*)\n[ \t]*(?:(?:static|inline|extern|const|constexpr|consteval|virtual|explicit|friend)\b[ \t]*)+(?:"C"[ \t]*)?\r?\n(?P<__>[ \t]*#[ \t]*endif[^\n]*)(?=\r?\n[ \t]*[A-Za-z_])
; blank: ^(?=[A-Za-z_][\w \t*]*\([ \t]*\d)(?:[A-Za-z_]\w*[ \t*]+)+?([A-Za-z_]\w*\([ \t]*\d+(?:[ \t]*,[ \t]*\d+)*[ \t]*\))(?=\s+[A-Za-z_]\w*[ \t]*\()
; blank: (?#typedef)^[ \t]*typedef[ \t]++[\w \t*]{0,200}?([A-Z][A-Z0-9_]{1,80})(?=\([ \t]*\w+[ \t]*\)[ \t]*\()
; blank: \(([A-Z][A-Z0-9_]+)[ \t]+(?=\*[ \t]*\w+[ \t]*\)\s*\()
; blank: (?#__cdecl|__stdcall|__fastcall|__vectorcall)[\w*][ \t]+(__(?:cdecl|stdcall|fastcall|vectorcall))(?=\s+\w+\s*\()
; blank: (?#__attribute__)\)[ \t]*\r?\n([ \t]*#[ \t]*if[^\n]*\n(?:[ \t]*__attribute__[^\n;{}]*\n)+[ \t]*#[ \t]*endif[^\n]*\n)(?=[ \t]*[;{])
; conditions: ^[ \t]*#[ \t]*(if|el|endif)(?:[^\n\\]|\\\r?\n|\\)*
; read as: "int" (?#(*)^(?=[A-Za-z_][\w \t]*\*)(?:(?:[A-Z_][A-Z0-9_]+|static|extern|const)[ \t]+)*([A-Za-z_]\w{2,})(?=[ \t]*\*+[ \t]*\(\*\w+\)[ \t]*\()
; unended: (?s)[ \t]*[A-Z_][A-Z0-9_]{2,}(?:\s*\(.*\))?\s*.?|(?<=[;{}:/)\n]\n)[ \t]*(?:\}[ \t]*)?\w+\s*\(.*\)\s*\{
; mends: "_" (?:\((?<=\w\()|,)[ \t\n]{0,40}((?:const[ \t]+)?(?:(?:struct|union|enum)[ \t]+\w+(?:[ \t]*\*{1,3})?|(?:unsigned|signed|char|int|long|short|float|double)(?:[ \t]+(?:unsigned|char|int|long|short|double))*(?:[ \t]*\*{1,3})?|[A-Za-z_]\w*[ \t]*\*{1,3}))[ \t]*(?=[,)])
; mends: "_" (?:\(|,)[ \t\n]{0,40}((?:const[ \t]+)?[A-Za-z_][\w:]*(?:<[\w:, ]*>)?[ \t]*&)[ \t]*(?=[,)])
; mends: ";" ^[ \t]+[A-Z][A-Z0-9_]{2,}\((?:[^()\n;{}]|\([^()\n;{}]*\))*\)[ \t]*(\n)(?=[ \t]+[A-Z][A-Z0-9_]{2,}\()
; mends: ";" \n(?<=[;{}:/)\n]\n)[ \t]++(?=[A-Za-z_]\w*[ \t]?\()(?!(?:if|for|while|switch|catch|else|do|return|sizeof|case|constexpr|noexcept)\b)[A-Za-z_]\w*[ \t]?\((?!\))(?:(?:"[^"\n]*"|[^(){};"\w]|\w(?![ \t*&]+\w))|\((?:(?:"[^"\n]*"|[^(){};"\w]|\w(?![ \t*&]+\w))|\((?:"[^"\n]*"|[^(){};"\w]|\w(?![ \t*&]+\w))*\))*\))*\)([ \t]+)(?=\{)
; mends: "" ^(?=[ \t]*+\w++[ \t*]++\w)(?=[^\n]*[ \t][A-Z][A-Z0-9]*_[A-Z0-9_]*\()[ \t]*(?:(?:static|const|extern|unsigned|signed|struct|union|enum)[ \t]+)*(?!(?:const|volatile|restrict|inline|unsigned|signed|auto|struct|union|enum|class|static|extern|register|constexpr|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|do|if|for|while|switch|default|template|namespace|public|private|protected|virtual|noexcept|override|final|mutable|typeof|__extension__)\b)\w+[ \t*]+(?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|do|if|for|while|switch|default|template|namespace|public|private|protected|virtual|noexcept|override|final|mutable|typeof|__extension__)\b)\w+(?:\[[^\]\n]*\])*[ \t]+([A-Z][A-Z0-9]*_[A-Z0-9_]*\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))(?=[ \t]*[;=])
; mends: "" [,(<&|](?=[ \t]*(?://|\r?\n))(?:(?<=[(<])|(?<=[>)],)|(?<=&&)|(?<=\|\|))[ \t]*(?://[^\n]{0,400})?\r?\n[ \t]*((?:#[ \t]*(?:if|el|endif)[^\n]*\n[ \t]*){0,3}#[ \t]*(?:if|el|endif)[^\n]*)
; mends: "" \*[ \t]*([A-Z_][A-Z0-9_]{2,})[ \t]+(?=\w+[ \t]*[;=])
; mends: "" [ \t](?<=[\w*][ \t])[ \t]*+(?:([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*[,)])|(__\w+)(?=[ \t]*(?:\w+[ \t]*)?[,)]))
; mends: "" [(,]\s{0,40}(?:([A-Z][A-Z0-9_]{2,})[ \t]+(?=\w+[ \t*]+\w+[ \t]*[,)])|([A-Z][A-Z0-9_]*_)[ \t]+(?=\w))
; mends: "" ^[ \t]*+((?=[A-Za-z_]\w*+[ \t]++(?:unsigned|signed|int|char|long|short|float|double|bool|void|\w+_t)[ \t*]+\w)(?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|do|if|for|while|switch|default|template|namespace|public|private|protected|virtual|noexcept|override|final|mutable|typeof|__extension__)\b)[A-Za-z_]\w*+)[ \t]+
; mends: "" (?:\(|,|;|\{|\}|f(?<=\btypedef)|c(?<=\bstatic)|n(?<=\bextern))[ \t]*((?=[A-Za-z_]\w*+[ \t]++(?:unsigned|signed|int|char|long|short|float|double|bool|void|\w+_t)[ \t*]+\w)(?!(?:const|volatile|restrict|inline|unsigned|signed|int|long|short|char|bool|double|float|void|auto|struct|union|enum|class|static|extern|register|constexpr|typename|explicit|friend|typedef|using|operator|return|else|new|delete|throw|case|goto|sizeof|and|or|not|do|if|for|while|switch|default|template|namespace|public|private|protected|virtual|noexcept|override|final|mutable|typeof|__extension__)\b)[A-Za-z_]\w*+)[ \t]+
; mends: "" (?:,|")\s{0,40}([A-Z]\w*\("[^"\n]*"\))(?=[ \t]*+\n?[ \t]*+")
; mends: "" "[ \t]*+\n?[ \t]*+([A-Z]\w*\("[^"\n]*"\))
; declarators: declarator
; begins: ^(?:[A-Za-z_][\w \t*]*[\w*]\r?\n)?(?!(?:return|else|goto|case|default|sizeof|if|for|while|switch|do|throw|new|delete|using)\b)(?:[A-Za-z_]\w*+[ \t*]++[\w \t*]*+\([^\n]*$|[A-Za-z_]\w*[ \t]*\([^;\n]*$)|^(?:typedef[ \t]+)?(?:struct|union|enum)\b[^;()\n]*$|^typedef\b
; visible: file@.,module (?s)\A[^\n]*\n.*\bstatic\b
; read as: "_" (?#va_arg|container_of|queue_data|list_entry)\b(?:va_arg|container_of|list_entry|\w{0,40}queue_data)\(\s{0,40}[^\s(),;]{1,60}(?:\([^(),;]{0,60}\))?,\s{0,40}((?:(?:const|struct|union|enum|unsigned|signed|long|short)\s+)?\w+(?:\s+\w+)?(?:\s*\*){0,3})\s*(?=[,)])
; fold L1: " { /* ... */ }"
; fold L2: ";"
; fold statements: "/* ... */"
; fold value: "\"...\""
; fold inside: " /* ... */ "
; fold tokens: " /* %s */ "
; sketch words: struct=struct union=struct enum=enum
; sketch names: (?<![\w$])(?<!\(\()(?!__\w+[ \t]+\w)[^\W\d][\w$]*+(?![ \t]*[:()])
; sketch: macro \#[ \t]*define[ \t]+(?P<name>\w+)\((?:[^()\n]|\\\n)*\)(?P<line>)
; sketch: constant \#[ \t]*define[ \t]+(?P<name>\w+)(?P<line>)
; sketch: - (?:return|else|goto|case|default|if|for|while|switch|do|sizeof|_Static_assert|static_assert)\b
; sketch: enum (?:typedef[ \t]+|static[ \t]+|const[ \t]+){0,3}enum[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*\{(?P<members>[\w, \t]+)(?=\})
; sketch: * (?:typedef[ \t]+|static[ \t]+|extern[ \t]+|const[ \t]+){0,3}(?P<word>struct|union|enum)[ \t]+(?:__attribute__[ \t]*\(\([^\n]*\)\)[ \t]*)?(?:[A-Z_][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]+)?(?P<name>[A-Za-z_]\w*)(?=[ \t]*+\n?[ \t]*+\{)
; sketch: struct (?:typedef[ \t]+|static[ \t]+|const[ \t]+){0,3}(?:struct|union)(?:[ \t]+__attribute__[ \t]*\(\([^\n]*\)\))?(?=[ \t]*+\n?[ \t]*+\{)
; sketch: enum (?:typedef[ \t]+|static[ \t]+|const[ \t]+){0,3}enum(?=[ \t]*+\n?[ \t]*+\{)
; sketch: type@. typedef\b[^\n;{(]*\n?[ \t]*\([ \t]*(?:\w+(?:[ \t]+|(?=\*))){0,3}\*?[ \t]*(?P<name>\w+)[ \t]*\)[ \t]*+\n?[ \t]*+\(
; sketch: type@. typedef[ \t]+\w[\w \t*]*[ \t*](?P<name>\w+)\((?!\*)
; sketch: type@. typedef\b[^\n;{(]*?(?P<name>(?!(?:void|int|char)\b)\b\w+)[ \t]*+(?:\[[^\n;]*\])?[ \t]*+(?=;|\((?!\*|\w+[ \t]*\*))
; sketch: function@. (?:(?:static|extern|inline)[ \t]+){0,3}[A-Z]\w*\([ \t]*[A-Za-z_][\w \t*]*\)\s{1,9}(?:[A-Z_][A-Z0-9_]{2,}[ \t]+)?(?![A-Z0-9_]+\b)(?P<name>[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: function@. (?!typedef\b)[A-Za-z_][\w \t*]*[ \t*][A-Za-z_]\w*\([ \t\d,]*\d[ \t]*\)\s{1,9}(?:[A-Za-z_][\w \t]{0,80}[ \t*]{1,9})?(?P<name>[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: function@. (?!typedef\b)(?:__attribute__[ \t]*\(\((?:[^()\n]|\([^()\n]*\))*\)\)[ \t]+)?[A-Za-z_][\w \t*]*(?:__attribute__[ \t]*\(\((?:[^()\n]|\([^()\n]*\))*\)\)[\w \t*]*)?[ \t*](?P<name>(?!(?:void|int|char|long|short|unsigned|signed|float|double|const|volatile|__volatile__|__attribute__|__printf|__scanf)\b)[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: function@. [A-Z][A-Z0-9_]{2,}\((?P<name>[a-z]\w*)\)[ \t]*\{
; sketch: function@. (?!typedef\b)[A-Za-z_][\w \t*]*[\w*][ \t]*\n(?P<name>[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: constant@. (?!typedef\b)[A-Za-z_][\w \t*]*\([ \t]*(?:[A-Z]\w*[ \t]*)?\*[ \t]*(?P<name>\w+)[ \t]*\)[ \t]*\(
; sketch: function@. (?!typedef\b)[A-Za-z_][\w \t*]*[ \t*]\([ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*\)[ \t]*\(
; sketch: constant@. (?!typedef\b|(?:struct|union|enum)[ \t]+\w+[ \t]*;)[A-Za-z_][\w \t*]*[ \t*](?P<name>(?!__(?:guarded_by|pt_guarded_by|counted_by\w*|aligned|packed|must_hold\w*|must_not_hold|acquires\w*|releases\w*|cond_acquires|read_mostly|ro_after_init|initdata|initconst|exitdata|percpu|rcu|randomize_layout|no_randomize_layout|printf|scanf|cold|pure|deprecated|weak|malloc|used)\b|____cacheline)[A-Za-z_]\w*)[ \t]*(?:\[[^\n\]=;]*\][ \t]*){0,4}(?=(?:[ \t]+_{2,4}[a-z]\w*(?:\((?:[^()\n]|\([^()\n]{0,80}\)){0,200}\))?){0,4}[ \t]*[=;,])
; sketch: -@. (?:[A-Za-z_(][^\n;{}]*)?\([^\n;{}()]*[,(][ \t\r]*$
; sketch: field@struct [A-Za-z_][\w \t*]*\([ \t]*(?:[A-Z]\w*[ \t]*)?\*[ \t]*(?P<name>\w+)[ \t]*\)[ \t]*\(
; sketch: field@struct [A-Za-z_][\w \t*]*[ \t*](?P<names>[A-Za-z_]\w*[ \t]*(?:\[[^\n\];]*\][ \t]*){0,4}(?:,[ \t*]*[A-Za-z_]\w*[ \t]*(?:\[[^\n\];]*\][ \t]*){0,4})+)(?=[;,])
; sketch: field@struct [A-Za-z_][\w \t*]*[ \t*](?P<name>(?!__(?:guarded_by|pt_guarded_by|counted_by\w*|aligned|packed|must_hold\w*|must_not_hold|acquires\w*|releases\w*|cond_acquires|read_mostly|ro_after_init|initdata|initconst|exitdata|percpu|rcu|randomize_layout|no_randomize_layout|printf|scanf|cold|pure|deprecated|weak|malloc|used)\b|____cacheline)[A-Za-z_]\w*)[ \t]*(?:\[[^\n\];]*\][ \t]*){0,4}(?=(?:[ \t]+_{2,4}[a-z]\w*(?:\((?:[^()\n]|\([^()\n]{0,80}\)){0,200}\))?){0,4}[ \t]*[;,:])
; sketch: field@struct [A-Z][A-Z0-9_]*\([\w \t*,]*\)[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*(?=;)
; sketch: member@enum (?P<names>[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)+)[ \t]*(?=[,\n/}]|$)
; sketch: member@enum (?P<name>[A-Za-z_]\w*)[ \t]*(?=[,=\n/}]|$)
; sketch hides: /[*] */
; sketch hides: //[^\n]*(?>(?:\n[ \t]*+//[^\n]*)*) -
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?:[^'\\\n]|\\.){1,8}' -
; sketch alias: typedef\b
; sketch behind: [ \t]*(?:[\w*,][\w \t*,()]*)?(?:\[[^\n\];]*\])*[ \t]*;
; sketch above: //|/[*]

(comment) @comment
(preproc_include) @import
((preproc_call directive: (_) @_directive) @keep (#match? @_directive "^#\\s*(if|el|endif)"))

; One with nothing in it but what opens or closes `extern "C"`, which is not read.
[(preproc_ifdef name: (_) .) (preproc_ifdef name: (_) . (comment)+ .)] @keep
[(preproc_if condition: (_) .) (preproc_if condition: (_) . (comment)+ .)] @keep

; What stands under a condition or in extern "C" belongs to the file, or to the type around it.
[(preproc_if) (preproc_ifdef) (preproc_elif) (preproc_elifdef) (preproc_else)] @scope
(linkage_specification body: (declaration_list) @scope) @scope
(linkage_specification body: [(declaration) (function_definition)]) @wrapper

(preproc_def name: (_) @name value: (_)? @value (comment)? @doc) @definition.constant
((preproc_function_def name: (_) @name) @definition.macro
  (#set! fold.L1 " /* ... */")
  (#set! fold.L2 ""))
((preproc_function_def name: (_) @name value: (_) @body) @definition.macro
  (#set! fold.L1 " /* ... */")
  (#set! fold.L2 ""))
((preproc_function_def name: (_) @name !value (comment) @body) @definition.macro
  (#set! fold.L1 " /* ... */")
  (#set! fold.L2 ""))

(struct_specifier name: (_) @name body: (_) @shape) @definition.struct
(union_specifier name: (_) @name body: (_) @shape) @definition.struct
(enum_specifier name: (_) @name body: (_) @shape) @definition.enum
(struct_specifier !name body: (_) @shape) @shape
(union_specifier !name body: (_) @shape) @shape
(enum_specifier !name body: (_) @shape) @shape
(field_declaration !declarator type: [(struct_specifier !name) (union_specifier !name) (enum_specifier !name)]) @shape

(enumerator name: (_) @name value: (_)? @value) @definition.member
(field_declaration declarator: (_) @name) @definition.field
(field_declaration
  type: [
    (struct_specifier~ "struct" !name body: (field_declaration_list) @shape)
    (union_specifier~ "union" !name body: (_) @shape)
    (enum_specifier~ !name body: (enumerator_list) @shape)
  ]
  declarator: (_) @name) @definition.field
(field_declaration type: (struct_specifier~ "struct" name: (_) @name body: (field_declaration_list) @shape)) @definition.struct
(field_declaration type: (union_specifier~ "union" name: (_) @name body: (_) @shape)) @definition.struct
(field_declaration type: (enum_specifier~ name: (_) @name body: (enumerator_list) @shape)) @definition.enum

; A typedef of a tag by its own name defines one thing.
(type_definition declarator: (_) @name) @definition.type
(type_definition
  type: [(struct_specifier~ "struct" !name body: (field_declaration_list) @shape) (union_specifier~ "union" !name body: (_) @shape)]
  declarator: (_) @name) @definition.struct
(type_definition type: (enum_specifier~ !name body: (enumerator_list) @shape) declarator: (_) @name) @definition.enum
(type_definition type: (struct_specifier~ "struct" name: (_) @name body: (field_declaration_list) @shape)) @definition.struct
(type_definition type: (union_specifier~ "union" name: (_) @name body: (_) @shape)) @definition.struct
(type_definition type: (enum_specifier~ name: (_) @name body: (enumerator_list) @shape)) @definition.enum

(declaration declarator: (_) @name) @definition.constant
(declaration declarator: (init_declarator declarator: (_) @name value: (_) @value)) @definition.constant
(declaration
  type: [
    (struct_specifier~ "struct" !name body: (field_declaration_list) @shape)
    (union_specifier~ "union" !name body: (_) @shape)
    (enum_specifier~ !name body: (enumerator_list) @shape)
  ]
  declarator: (_) @name) @definition.constant
(declaration type: (struct_specifier~ "struct" name: (_) @name body: (field_declaration_list) @shape)) @definition.struct
(declaration type: (union_specifier~ "union" name: (_) @name body: (_) @shape)) @definition.struct
(declaration type: (enum_specifier~ name: (_) @name body: (enumerator_list) @shape)) @definition.enum

; A prototype; a declarator in round brackets is a pointer to a function, unless a function returns it.
(declaration declarator: [
  (function_declarator) @name
  (pointer_declarator declarator: (function_declarator) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator) @name))
]) @definition.function
(declaration declarator: [
  (function_declarator~ declarator: (parenthesized_declarator (pointer_declarator)) parameters: (_)) @name
  (pointer_declarator declarator: (function_declarator~ declarator: (parenthesized_declarator (pointer_declarator)) parameters: (_)) @name)
]) @definition.constant
(declaration declarator: (function_declarator~
  declarator: (parenthesized_declarator
    (pointer_declarator declarator: (function_declarator))) parameters: (_)) @name) @definition.function

(function_definition declarator: (_) @name body: (_) @body) @definition.function
((function_definition declarator: (parenthesized_declarator) @name body: (_) @body) @definition.function
  (#set! fold.L2 " {/*...*/}"))
((function_definition declarator: (_) @name (declaration) body: (_) @body) @definition.function
  (#set! fold.L2 " {/*...*/}"))
[(function_definition (attribute_specifier) @attribute) (declaration (attribute_specifier) @attribute)]

; A macro that is called as a function is defined, or on a line above a definition.
((_
  (expression_statement (call_expression~ function: (identifier) @name arguments: (_))) @definition.function
  .
  (compound_statement) @body)
  (#set! fold.L2 " {/*...*/}")
  (#not-match? @definition.function ";$"))
((_
  (expression_statement (call_expression~
    function: (identifier)
    arguments: (argument_list~ . (identifier) @container . (identifier) @name .))) @definition.function
  .
  (compound_statement) @body)
  (#set! name.only "")
  (#set! fold.L2 " {/*...*/}")
  (#not-match? @definition.function ";$"))
; `TEST_CASE("holds a title") {`
((_
  (expression_statement (call_expression~
    function: (identifier)
    arguments: [
      (argument_list~ . (string_literal . (string_content) @name .))
      (argument_list~ . (identifier) . (string_literal . (string_content) @name .))
    ])) @definition.function
  .
  (compound_statement) @body)
  (#set! name.only "")
  (#set! fold.L2 " {/*...*/}")
  (#not-match? @definition.function ";$"))
((expression_statement (call_expression~ function: (identifier) @_macro arguments: (_))) @attribute
  (#match? @_macro "^[A-Z_][A-Z0-9_]+$")
  (#not-match? @attribute "[;\n]"))

; `STAILQ_HEAD(list, entry) all = STAILQ_HEAD_INITIALIZER(all);`: a type that a macro makes reads like a call.
((expression_statement
  (assignment_expression
    left: (call_expression~ function: (identifier) @_macro arguments: (_))
    (ERROR (identifier))
    right: (call_expression))) @keep
  (#match? @_macro "^[A-Z_][A-Z0-9_]+$"))

; One that is called like a function outside of all functions declares what its author knows.
((expression_statement (call_expression~ function: (identifier) arguments: (argument_list) @again)) @call
  (#match? @call ";$"))
