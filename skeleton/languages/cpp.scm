; grammar: cpp
; inherits: c
; files: *.cc *.cpp *.cxx *.c++ *.hh *.hpp *.hxx *.h++ *.inl *.ipp *.tpp *.ixx *.cppm *.cu *.cuh *.ino
; reserved: auto bool break case catch char class const constexpr continue default delete do double else enum explicit extern false float for friend goto if inline int long mutable namespace new nullptr override private protected public return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while
; mixes: c
; uses: bare-members overloads spread-modules members-around
; gives: (?:std::)?(?:make_(?:shared|unique)|(?:static|dynamic|const|reinterpret)_(?:pointer_)?cast)\s{0,9}<\s{0,9}((?:const\s{1,9})?[\w:]{1,200})
; begins: ^(?:template\b[^\n]*\n)?(?:[A-Za-z_][\w \t*:<>,&]*[\w*>&]\r?\n)?(?!(?:return|else|goto|case|default|sizeof|if|for|while|switch|do|throw|new|delete|using)\b)(?:[A-Za-z_][\w:<>,]*+[ \t*&]++[\w \t*&:<>,~]*+\([^\n]*$|[A-Za-z_][\w:~]*[ \t]*\([^;\n]*$)|^[ \t]*(?:template\b[^\n]*)?(?:typedef[ \t]+)?(?:struct|union|enum|class|namespace|inline namespace)\b[^;()\n]*$|^typedef\b|^[ \t]*template[ \t]*<
; reach: 3
; modeline: c++
; content: *.h \n(?:template *<|(?:inline )?namespace\b[^;(]{0,400}\{|(?:class|struct) [^;(){}]{0,400}:\s*(?:public|private|protected|virtual)\b|class [\w ]+[{;]|using [\w: ]+[=;]|[ \t]+(?:public|private|protected) ?:|[ \t]*#[ \t]*include <[a-z_]+>)
; content: *.h std::(?<!\wstd::)\w
; content: *.h constexpr(?<!\wconstexpr)\b
; content: *.h auto(?<!\wauto) [\w:]{1,80}\([^;{}\n]{0,200}\)[^;{}\n()]{0,40}->
; content: *.h operator(?<!\woperator) ?[=+<(\[]
; read as: "x" (?#decltype)\bdecltype\(((?>[^(),;]+|\((?>[^();]+|\((?>[^();]+|\((?>[^();]+|\([^();]*\))*\))*\))*\))*,(?>[^();]+|\((?>[^();]+|\((?>[^();]+|\((?>[^();]+|\([^();]*\))*\))*\))*\))*)\)
; blank: (?#__device__|__global__|__host__|__forceinline__|__launch_bounds__)__(?:(?:device|host|global|forceinline|noinline|shared|constant|managed|grid_constant)__(?=\s)|launch_bounds__\s{0,9}\((?:[^();{}]|\((?:[^();{}]|\([^();{}]{0,200}\)){0,200}\)){0,200}\))
; blank: (?##endif)>[ \t]*(?://[^\n]{0,200})?\r?\n([ \t]*#[ \t]*if[^\n]*\n[ \t]*\f[ \t\f]*(?://[^\n]{0,200})?\r?\n[ \t]*#[ \t]*endif[^\n]*)(?=\r?\n[ \t\f]*[A-Za-z_])
; blank: (?#<<<)[\w>][ \t]?(<<<[^;{}]{1,600}?>>>)(?=\s{0,80}\()
; blank: (?#CLASS |STRUCT )^[ \t]*(?P<struct>[A-Z][A-Z0-9_]*(?:CLASS|STRUCT))(?=[ \t]+\w+[ \t]*(?::[^:;{}()\n][^;{}()\n]*)?(?:\r?\n[ \t]*)?\{)
; blank: ^[ \t]++(?=[A-Z])[A-Z][A-Z0-9_]{2,}\([^()\n]*\)(?=[ \t]*(?:\r?\n[ \t]+[A-Z][A-Z0-9_]{2,}\([^()\n]*\)[ \t]*){0,9}\r?\n[ \t]*\};)
; blank: (?#CONST_INIT|CONSTINIT|CONSTEXPR|INLINE|NODISCARD|EXPLICIT|ALWAYS|DEPRECATED|API|EXPORT|NONNULL|NON_NULL|NORETURN|UNUSED|ATTR|ALIGN)^[ \t]*+(?=[a-z ]*+(?:"C" )?[a-z ]*+[A-Z])(?:[a-z]+ |"C" )*(?!WINAPI)([A-Z][A-Z0-9_]*(?:ALIGN|CONST_?INIT|CONSTEXPR|INLINE|NODISCARD|EXPLICIT|ALWAYS|DEPRECATED|API|EXPORT|NON_?NULL|NORETURN|UNUSED|ATTR)[A-Z0-9_]*(?:\((?:[^()\n]|\([^()\n]*\))*\))?)\s+(?=~?[A-Za-z_])
; blank: (?#CONSTEXPR|INLINE|NODISCARD|EXPLICIT|ALWAYS|DEPRECATED|API|EXPORT|NONNULL|NON_NULL|NORETURN|UNUSED|ATTR)> (?:[a-z]+ )*(?!WINAPI)([A-Z][A-Z0-9_]*(?:CONSTEXPR|INLINE|NODISCARD|EXPLICIT|ALWAYS|DEPRECATED|API|EXPORT|NON_?NULL|NORETURN|UNUSED|ATTR)[A-Z0-9_]*(?:\((?:[^()\n]|\([^()\n]*\))*\))?)\s+(?=~?[A-Za-z_])
; blank: (?#template)^[ \t]*+([A-Z_][A-Z0-9_]{2,}\s+)(?=template\s*<)
; blank: (?#template )^[ \t]*template\s+([A-Z_][A-Z0-9_]{2,})\s+(?=\w)
; blank: (?#CONSTEXPR|LIKELY)\b(?:if|while) ([A-Z][A-Z0-9_]*(?:CONSTEXPR|LIKELY)[A-Z0-9_]*) ?(?=\()
; blank: ^[ \t]*+[A-Z_]{4,} ?:[ \t]*$
; blank: (?#PRAGMA|WARNING|DIAGNOSTIC)^[ \t]*[A-Z][A-Z0-9_]*(?:PRAGMA|WARNING|DIAGNOSTIC)[A-Z0-9_]*(?:\((?:[^()]|\([^()]*\)){0,300}\))?(?=[ \t]*(?://[^\n]*|/\*[^\n]*\*/[ \t]*)?$)
; blank: ^[ \t]*+[A-Z_][A-Z0-9_]{2,}\([ \t]*(?:\w+[ \t]*,[ \t]*)*(?:(?:<<|>>|[<>=!+*/%&|^-])=?|<=>|&&|\|\|)[ \t]*\)(?=[ \t]*+;?[ \t]*+(?://[^\n]*)?$)
; blank: ^[ \t]*+[A-Z_][A-Z0-9_]{2,}\([ \t]*(?:(?:<<|>>|[<>=!+*/%&|^-])=?|<=>|&&|\|\|)[ \t]*,(?:[^()\n;{}]|\([^()\n]*\)){0,300}\)(?=[ \t]*+;?[ \t]*+(?://[^\n]*)?$)
; blank: (?#enable_if)(,\s*(?:typename\s+)?(?:\w+::)*enable_if(?:_t)?\s*<[^;{}()]{0,600}?=\s*(?:0|true|nullptr))(?=\s*>)
; blank: (?#__attribute__)>[ \t]*\r?\n([ \t]*#[ \t]*if[^\n]*\n(?:[ \t]*__attribute__[^\n;{}]*\n)+[ \t]*#[ \t]*endif[^\n]*)(?=\r?\n[ \t]*[A-Za-z_])
; blank: (?#const )\)[ \t]*const[ \t]+([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=[ \t]*(?:\r?\n[ \t]*)?[{;:=])
; blank: (?#noexcept )noexcept(?<!\wnoexcept)\s{1,40}([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s{0,40}[{;])
; mends: "_" (?:&&|\|\|)\s{1,40}((?:\w{1,80}::){0,8}\w{1,80}<(?:[^<>();{}&|]|<[^<>();{}]{0,200}>){1,200}>)(?=\s{0,40}(?:\)|&&|\|\|))
; blank: (?#::inline)namespace(?<!\wnamespace)[ \t]+(?:\w{1,80}::){1,9}(inline[ \t]+)(?=\w)
; blank: (?#onnull|ullable|ONNULL|ULLABLE)[*&][ \t]*(\w{0,40}(?:[nN]onnull|NONNULL|[nN]ullable|NULLABLE))(?=[\s,)>&*])
; blank: (?#GUARDED_BY)(?<=[\w)])\s{1,40}([A-Z_]{0,40}GUARDED_BY\((?:[^()\n]|\([^()\n]*\)){0,200}\))(?=\s{0,40}[=;{]|\s{1,40}[A-Z_]{0,40}GUARDED_BY)
; blank: (?#_TRY)^[ \t]+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_TRY)(?=[ \t]*+\r?\n?[ \t]*+\{)
; blank: (?#_CATCH)^[ \t]*(?:\}[ \t]*)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,9}_CATCH(?:_[A-Z0-9]+){0,9}(?:[ \t]*\([^()\n]*\))?)(?=[ \t]*+\r?\n?[ \t]*+\{)
; blank: (?#_TEST_CASE)^[ \t]*[A-Z][A-Z0-9_]{0,80}_TEST_CASE[A-Z0-9_]{0,80}\([ \t]*"[^"\n]*",[ \t]*"[^"\n]*"(,[^\n]*)\)(?=[ \t]*+\r?\n?[ \t]*+\{)
; blank: "(?:[ \t]*\r?\n)?[ \t]+((?:[A-Z][A-Za-z0-9_]*+(?:\([^()\n"]*\))?[ \t]*(?:\r?\n[ \t]*)?)(?:[A-Z]\w*\s+){0,2})(?=["),;])
; blank: =\s*(?P<x>\{[^{};\n]*\})(?=\s*[,)])
; blank: (\*(?<=[\w>]\*)\*?(?:[ \t]*const)?)(?=[ \t]*(?:/\*[^*\n]*\*/[ \t]*)?=[ \t]*(?:nullptr|NULL|0)\b)
; blank: (?#typename)typename(?<!\wtypename)[ \t]+\w+[ \t]*=[ \t]*[\w:]+(\*+)(?=[ \t]*[,>])
; blank: (?#using typename)\busing[ \t]+(typename)\b
; blank: (?#template class|template struct)^[ \t]*(template)(?=[ \t]+(?:class|struct)[ \t]+[\w:]+[ \t]*<[^;{}]{0,300}>\s*;)
; blank: (?#new const)\bnew[ \t]+(const)(?=[ \t]+[\w:]+(?:<[^<>\n]*>)?[ \t]*[*\[(])
; blank: (?#typename)(typename)[ \t]+\w[\w:]*::\w+(?=\()
; blank: (?#unsigned(|long(|short(|signed()[=(,?:+*/%&|<>!~-][ \t]*(?P<u>unsigned|long|short|signed)(?=\([^*&)])
; blank: (?#operator)(?P<op>operator(?:(?<=  operator)|(?<=\n\toperator)|(?<=\t\toperator)|(?<=return operator)|(?<=\{ operator))(?:\+\+|--|\*|->|<<|>>|[-+=!<>]=))(?=\([^()\n]*\);)
; blank: (?#MOCK_METHOD)^[ \t]*MOCK_METHOD\((\((?:[^()\n]|\([^()\n]{0,200}\)){0,200}\)\s*,)
; blank: (?#MOCK_METHOD)^[ \t]*MOCK_METHOD\((?:(?:[^()\n;]|\([^()\n;]{0,200}\)){1,200},)?\s*\w+\s*(,\s*\((?:[^();{}/]|\((?:[^();{}/]|\([^();{}/]{0,200}\)){0,200}\)){0,400}\)\s*(?:,\s*\((?:[^();{}/]|\([^();{}/]{0,200}\)){0,200}\)\s*)?)(?=\))
; blank: (?#template)(?P<word>[A-Z](?:(?<=[<,][A-Z])|(?<=[<,\s]\s[A-Z]))[A-Z0-9_]{2,})(?P<call>\((?=[^<>;{}"]{0,200}[!=<>&|])(?:[^();{}]|\((?:[^();{}]|\((?:[^();{}]|\([^();{}]*\))*\))*\))*\))(?=\s*[,>])
; blank: (?#new )new(?<!\wnew)[ \t]+[\w:]+(?:<[^<>\n]*>)?[ \t]*(\*+)(?=[ \t]*\[)
; blank: (?#enum :|enum:)\benum[ \t]*(:[ \t]*[\w:]{1,200})(?=\s*\{)
; blank: (?#::*)\(((?:\w+::)+)(?=\*[ \t]*+\w*+[ \t]*+\)[ \t]*\()
; blank: (?#->*)->(\*)(?=\w)
; blank: (?#->*)(->\*)(?=\()
; blank: (?#->~)->(~)(?=\w+<)
; qualified: qualified_identifier template_type template_function
; sketch words: struct=struct union=struct enum=enum class=class
; sketch: macro \#[ \t]*define[ \t]+(?P<name>\w+)\((?:[^()\n]|\\\n)*\)(?P<line>)
; sketch: constant \#[ \t]*define[ \t]+(?P<name>\w+)(?P<line>)
; sketch: module (?:inline[ \t]+)?namespace[ \t]+(?:[A-Z_]+[ \t]+)?(?:(?P<container>\w[\w:]{0,200})::inline[ \t]+)?(?P<name>[A-Za-z_][\w:]*)(?=[ \t]*+\n?[ \t]*+\{)
; sketch: enum (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:typedef[ \t]+)?enum(?:[ \t]+(?:class|struct))?[ \t]+(?:\[\[[^\n\]]*\]\][ \t]*)?(?:[A-Z_][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+){0,3}(?P<name>[A-Za-z_]\w*)(?=[^;(){}=\n]*\n?[ \t]*\{)
; sketch: * (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:typedef[ \t]+|static[ \t]+|const[ \t]+){0,3}(?P<word>class|struct|union)[ \t]+(?:\[\[[^\n\]]*\]\][ \t]*)?(?:[A-Z_][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+){0,3}(?:\[\[[^\n\]]*\]\][ \t]*)?(?:alignas\([^\n)]*\)[ \t]+)?(?:(?P<container>\w[\w:]*?)::)?(?P<name>[A-Za-z_]\w*)(?=(?:[ \t]*<[^;{}]{0,200}>)?(?:[ \t]+final)?[ \t]*+\n?(?:[ \t]*+:[^;{}]{0,300})?\s*\{)
; sketch: struct [A-Z][A-Z0-9_]*(?:CLASS|STRUCT)[ \t]+(?P<name>[A-Za-z_]\w*)(?=[ \t]*(?::[^:;{}()\n][^;{}()\n]*)?\n?[ \t]*\{)
; sketch: struct (?:typedef[ \t]+|static[ \t]+|const[ \t]+){0,3}(?:struct|union)(?=[ \t]*+\n?[ \t]*+\{)
; sketch: enum (?:typedef[ \t]+)?enum(?=[ \t]*+(?::[ \t]*+\w+)?[ \t]*+\n?[ \t]*+\{)
; sketch: type (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?using[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*(?:\[\[[^\n]*\]\][ \t]*)?=
; sketch: type (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?concept[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]*=
; sketch: type typedef\b[^\n;{(]*\n?[ \t]*\([ \t]*(?:\w+(?:[ \t]+|(?=\*)))?\*?[ \t]*(?P<name>\w+)[ \t]*\)[ \t]*+\n?[ \t]*+\(
; sketch: type typedef[ \t]+\w[\w: \t*&<>,]*[ \t*&>](?P<name>\w+)\((?!\*)
; sketch: type typedef\b[^\n;{(]*?(?P<name>\w+)[ \t]*+(?:\[[^\n;]*\])?[ \t]*+(?=;|\((?!\*|\w+[ \t]*\*))
; sketch: - (?:(?:explicit|constexpr|inline|virtual|FMT_CONSTEXPR)(?:\([^()\n]*\))?[ \t]+){0,3}operator[ \t]+[A-Za-z]
; sketch: field@class,struct (?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>](?P<name>[A-Za-z_]\w*)[ \t]+[A-Z_]{4,}\([^\n;]*\)[ \t]*(?=[=;])
; sketch: field@class,struct (?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>]\([ \t]*\*[ \t]*(?:const[ \t]+)?(?P<name>\w+)[ \t]*\)[ \t]*\(
; sketch: constructor@class,struct (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?:[A-Z_][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+){0,3}(?:(?:explicit|constexpr|inline|virtual|FMT_CONSTEXPR)(?:\([^()\n]*\))?[ \t]+){0,3}(?![A-Z_0-9]+[ \t]*\()(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?!(?:void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)(?P<name>~?[A-Za-z_]\w*)[ \t]*\(
; sketch: function@.,module [A-Z][A-Z0-9_]+\([ \t]*(?P<container>\w+)[ \t]*,[ \t]*(?P<name>\w+)[ \t]*\)(?=\s*\{)
; sketch: function@.,module [A-Z][A-Z0-9_]+\([ \t]*"(?P<name>[^"\n]+)"[^;\n]*\)(?=\s*\{)
; sketch: -@.,module [A-Z_][A-Z0-9_]+[ \t]*\([^\n;]*\{[ \t]*$
; sketch: method@class,struct (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?:[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>])(?P<name>operator[ \t]*(?:\(\)|\[\]|[^\w\s(]{1,3}|[ \t](?:new|delete|co_await)\b(?:\[\])?)|operator[ \t]*""[ \t]*\w+|(?<!operator[ ])(?!(?:operator|void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)~?[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: method@class,struct (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?:(?:explicit|constexpr|inline|virtual|static)[ \t]+){0,3}(?P<name>~[A-Za-z_]\w*)[ \t]*\(
; sketch: method@class,struct (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?:[A-Z_][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+){0,3}(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[\w*&>][ \t]*\n[ \t]*(?P<name>operator[ \t]*(?:\(\)|\[\]|[^\w\s(]{1,3}|[ \t](?:new|delete|co_await)\b(?:\[\])?)|operator[ \t]*""[ \t]*\w+|(?<!operator[ ])(?!(?:operator|void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)~?[A-Za-z_]\w*)[ \t]*\((?!\*)
; sketch: field@class,struct (?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?!(?:struct|class|union|enum)[ \t]+\w+[ \t]*;)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>](?P<name>[A-Za-z_]\w*)[ \t]*(?:\[[^\n\];]*\][ \t]*){0,3}(?=[;=:{,])
; sketch: function@.,module (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?:[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>])(?:(?P<container>[A-Za-z_][\w:]*?)(?:<[^\n()]*>)?(?:::\w+){0,3}::)?(?P<name>operator[ \t]*(?:\(\)|\[\]|[^\w\s(]{1,3}|[ \t](?:new|delete|co_await)\b(?:\[\])?)|operator[ \t]*""[ \t]*\w+|(?<!operator[ ])(?!(?:operator|void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)~?[A-Za-z_]\w*)(?:[ \t]*<[^\n;(){}]{0,80}>)?[ \t]*\((?!\*)
; sketch: function@.,module (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)(?P<container>[A-Za-z_][\w:]*?)(?:<[^\n()]*>)?(?:::\w+){0,3}::(?P<name>operator[ \t]*(?:\(\)|\[\]|[^\w\s(]{1,3}|[ \t](?:new|delete|co_await)\b(?:\[\])?)|operator[ \t]*""[ \t]*\w+|(?<!operator[ ])(?!(?:operator|void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)~?[A-Za-z_]\w*)(?:[ \t]*<[^\n;(){}]{0,80}>)?[ \t]*\((?!\*)
; sketch: function@.,module (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?:[A-Z_][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+){0,3}(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator)\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[\w*&>][ \t]*\n[ \t]*(?:(?P<container>[A-Za-z_][\w:]*?)(?:<[^\n()]*>)?(?:::\w+){0,3}::)?(?P<name>operator[ \t]*(?:\(\)|\[\]|[^\w\s(]{1,3}|[ \t](?:new|delete|co_await)\b(?:\[\])?)|operator[ \t]*""[ \t]*\w+|(?<!operator[ ])(?!(?:operator|void|int|bool|char|auto|const|decltype|alignas|noexcept|unsigned|long|double|float)\b)~?[A-Za-z_]\w*)(?:[ \t]*<[^\n;(){}]{0,80}>)?[ \t]*\((?!\*)
; sketch: function@.,module (?![A-Z0-9_]+[ \t]*\n(?![a-z]\w*[ \t]*\([^;{}]{0,600}\)\s{0,80}\{)|(?:return|else|goto|case|default|do|try|explicit|constexpr|inline|virtual|static|extern|public|private|protected)\b)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[ \t]*\n(?:(?P<container>[A-Za-z_][\w:]*?)(?:<[^\n()]*>)?(?:::\w+){0,3}::)?(?![A-Z0-9_]+\b)(?P<name>~?[A-Za-z_]\w*)(?:[ \t]*<[^\n;(){}]{0,80}>)?[ \t]*\((?!\*)
; sketch: constant@.,module (?:extern[ \t]+"C"[ \t]+)?(?:[A-Z_][A-Z0-9_]{3,}[ \t]+)?(?:template[ \t]*<[^\n]*>[ \t]*)?(?:requires[ \t]*\([^\n]*\)[ \t]*)?(?:\[\[[^\n\]]*\]\][ \t]*)?(?!(?:typedef|using|return|else|goto|case|default|if|for|while|switch|do|throw|new|delete|public|private|protected|friend|static_assert|template|typename|operator|true|false|nullptr)\b)(?!(?:struct|class|union|enum)[ \t]+\w+[ \t]*;)[A-Za-z_][\w:]*+(?:<[^\n;(){}]{0,120}>)?[\w: \t*&<>,]{0,120}[ \t*&>](?P<name>[A-Za-z_]\w*)[ \t]*(?:\[[^\n\];]*\][ \t]*){0,3}(?=[;={,])
; sketch: -@.,module,class,struct (?:[A-Za-z_(][^\n;{}]*)?\([^\n;{}()]*[,(][ \t\r]*$
; sketch: member@enum (?P<names>[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)+)[ \t]*(?=[,\n/}]|$)
; sketch: member@enum (?P<name>[A-Za-z_]\w*)[ \t]*(?=[,=\n/}]|$)
; sketch hides: /[*] */
; sketch hides: //[^\n]*(?>(?:\n[ \t]*+//[^\n]*)*) -
; sketch hides: "(?<=R")\( )"
; sketch hides: "(?<!\\")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)" -
; sketch hides: '(?:[^'\\\n]|\\.){1,8}' -
; sketch alias: typedef\b
; sketch behind: [ \t]*(?:[\w*,][\w \t*,()]*)?(?:\[[^\n\];]*\])*[ \t]*;
; sketch above: //|/[*]|template\b

[(using_declaration) (namespace_alias_definition)] @import

(namespace_definition name: (_) @name body: (_) @scope) @definition.module
(namespace_definition !name body: (_) @scope) @scope
[(template_declaration) (friend_declaration)] @wrapper

(class_specifier name: (_) @name body: (_) @shape) @definition.class
(field_declaration type: (class_specifier~ "class" name: (_) @name body: (field_declaration_list) @shape)) @definition.class
(declaration type: (class_specifier~ "class" name: (_) @name body: (field_declaration_list) @shape)) @definition.class
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type

(field_declaration declarator: (_) @name . default_value: (_) @value) @definition.field

; Members are declared as fields; what is deleted or defaulted has no body.
(field_declaration declarator: [
  (function_declarator) @name
  (_ (function_declarator) @name)
  (_ (_ (function_declarator) @name))
]) @definition.method
(field_declaration declarator: [
  (function_declarator~ declarator: (parenthesized_declarator (pointer_declarator)) parameters: (_)) @name
  (_ (function_declarator~ declarator: (parenthesized_declarator (pointer_declarator)) parameters: (_)) @name)
]) @definition.field
(declaration declarator: [
  (reference_declarator (function_declarator) @name)
  (operator_cast) @name
]) @definition.function
(function_definition declarator: (_) @name) @definition.function
(function_definition declarator: (_) @name (field_initializer_list)? @body body: (_) @body) @definition.function

; outside of a class what is deleted reads like an initialiser
(declaration declarator: (init_declarator declarator: (_) @name value: (delete_expression))) @definition.function
; `Owner<Invoker> make(void (*f)());`: a parameter that is a pointer to a function reads like two calls.
(declaration declarator: (init_declarator
  declarator: (_) @name
  value: (argument_list (call_expression function: (call_expression function: (primitive_type)))))) @definition.function

; Constructors have no type; outside of their class they need a body.
(declaration !type declarator: (function_declarator~ declarator: (identifier) parameters: (_)) @name) @definition.constructor
(function_definition !type
  declarator: (function_declarator~ declarator: (identifier) parameters: (_)) @name
  (field_initializer_list)? @body
  body: (_)? @body) @definition.constructor
((function_definition !type
  declarator: [
    (function_declarator~ declarator: (qualified_identifier) parameters: (_)) @name
    (qualified_identifier) @name
  ]
  (field_initializer_list)? @body
  body: (_) @body) @definition.method
  (#set! fold.L2 " {/*...*/}"))
((function_definition !type
  declarator: (function_declarator~ declarator: (qualified_identifier name: (identifier)) parameters: (_)) @name
  (field_initializer_list)? @body
  body: (_) @body) @definition.constructor
  (#set! fold.L2 " {/*...*/}"))

; What is defined outside of its class.
(function_definition type: (_)
  declarator: [
    (function_declarator~ declarator: (qualified_identifier) parameters: (_)) @name
    (_ (function_declarator~ declarator: (qualified_identifier) parameters: (_)) @name)
  ]
  body: (_) @body) @definition.method
(declaration type: (_) declarator: [
  (function_declarator~ declarator: (qualified_identifier) parameters: (_)) @name
  (_ (function_declarator~ declarator: (qualified_identifier) parameters: (_)) @name)
]) @definition.method

; A member template of a class template.
(template_declaration (template_declaration
  (function_definition declarator: (_) @name (field_initializer_list)? @body body: (_) @body) @definition.method))
(template_declaration (template_declaration
  (declaration declarator: [
    (function_declarator) @name
    (_ (function_declarator) @name)
  ]) @definition.method))
((template_declaration (template_declaration
  (function_definition !type declarator: (_) @name (field_initializer_list)? @body body: (_) @body) @definition.method))
  (#set! fold.L2 " {/*...*/}"))

; `TEST(Suite, Name) {`
((function_definition !type
  declarator: (function_declarator~ declarator: (identifier) @_macro parameters: (_)) @name
  body: (_) @body) @definition.function
  (#set! fold.L2 " {/*...*/}")
  (#match? @_macro "^[A-Z][A-Z0-9_]{3,}$"))
((function_definition !type
  declarator: (function_declarator~
    declarator: (identifier) @_macro
    parameters: (parameter_list
      . (parameter_declaration !declarator type: (_) @container)
      . (parameter_declaration !declarator type: (_) @name) .))
  body: (_) @body) @definition.function
  (#set! name.only "")
  (#set! fold.L2 " {/*...*/}")
  (#match? @_macro "^[A-Z][A-Z0-9_]{3,}$"))

; `int (name)(int a) {`: without a body it declares a variable.
((function_definition
  declarator: (function_declarator~ declarator: (parenthesized_declarator [(identifier) (qualified_identifier)]) parameters: (_)) @name
  body: (_) @body) @definition.function
  (#set! fold.L2 " {/*...*/}"))

; `A::A() = default;` reads like an assignment.
((expression_statement
  (assignment_expression
    left: (call_expression~ function: (qualified_identifier) @name arguments: (_))
    right: (identifier) @_how)) @definition.constructor
  (#any-of? @_how "default" "delete"))

(template_instantiation declarator: (function_declarator~ declarator: (_) @name parameters: (_))) @definition.function

; `int(read)(FILE *file);` reads like a call of what a call gives.
((expression_statement (call_expression~
  function: (call_expression~ function: (primitive_type) arguments: (argument_list~ . (identifier) @name .)) arguments: (_)))
  @definition.function)

; `DECLARE_EVENT(Hit, const Foo &);` outside of functions, with types: what is called could as well be declared.
(ERROR (function_declarator declarator: (identifier) @_macro) @keep
  (#match? @_macro "^[A-Z][A-Z0-9]*_[A-Za-z0-9_]+$"))
