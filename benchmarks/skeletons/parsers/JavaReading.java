// What the JDK's own parser finds in Java files, for benchmarks/skeletons/by_parser.py:
//
//     java benchmarks/skeletons/parsers/JavaReading.java < PATHS
//
// reads paths, one a line, and prints for each definition outside of bodies: path, role, kind, what it stands in, name,
// line of the name, and where it begins and ends in bytes of UTF-8, parted by tabs. A file with a syntax error is `path -`.

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

public class JavaReading {
    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private final String path;
    private final String text;
    private final int[] bytes;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private JavaReading(String path, String text, CompilationUnitTree unit, SourcePositions positions) {
        this.path = path;
        this.text = text;
        this.unit = unit;
        this.positions = positions;
        this.bytes = new int[text.length() + 1];
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            bytes[at + 1] = bytes[at] + (one < 0x80 ? 1 : one < 0x800 || Character.isSurrogate(one) ? 2 : 3);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path = paths.readLine(); path != null; path = paths.readLine()) {
            read(path);
        }
        OUT.flush();
    }

    private static void read(String path) throws Exception {
        String text = new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Read.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        JavacTask task = (JavacTask) compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, List.of(file));
        CompilationUnitTree unit = task.parse().iterator().next();
        if (diagnostics.getDiagnostics().stream().anyMatch(one -> one.getKind() == Diagnostic.Kind.ERROR)) {
            OUT.println(path + "\t-");
            return;
        }
        JavaReading reading = new JavaReading(path, text, unit, Trees.instance(task).getSourcePositions());
        for (Tree declared : unit.getTypeDecls()) {
            if (declared instanceof ClassTree type) {
                reading.readType(type, "");
            }
        }
    }

    private void readType(ClassTree type, String container) {
        String name = type.getSimpleName().toString();
        print("type", type.getKind().name().toLowerCase(), container, name, type, end(type.getModifiers()));
        String inside = container.isEmpty() ? name : container + "." + name;
        boolean isRecord = type.getKind() == Tree.Kind.RECORD;
        boolean hasConstants = type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE;
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree inner) {
                readType(inner, inside);
            } else if (member instanceof MethodTree method && start(method) >= 0) {
                readMethod(method, inside, name);
            } else if (member instanceof VariableTree field) {
                boolean isStatic = field.getModifiers().getFlags().contains(Modifier.STATIC);
                boolean isFinal = field.getModifiers().getFlags().contains(Modifier.FINAL);
                if (!isRecord || isStatic) { // the others are the components in the head of a record
                    int from = Math.max(end(field.getModifiers()), end(field.getType()));
                    String named = field.getName().toString();
                    boolean isListed = type.getKind() == Tree.Kind.ENUM && hasNoType(field, named);
                    boolean isConstant = !isListed && (hasConstants || isStatic && isFinal);
                    print(isConstant ? "constant" : "member", isListed ? "enum constant" : "field", inside, named, field, from);
                }
            }
        }
    }

    /** Tells a constant that an enum lists: its name comes first, behind annotations. */
    private boolean hasNoType(VariableTree field, String name) {
        Pattern first = Pattern.compile("(?:\\s|//[^\n]*\n|(?s:/\\*.*?\\*/))*" + Pattern.quote(name) + "(?![\\w$])");
        Matcher found = first.matcher(text).region(Math.max(start(field), end(field.getModifiers())), text.length());
        return found.lookingAt();
    }

    private void readMethod(MethodTree method, String container, String type) {
        boolean isConstructor = method.getName().contentEquals("<init>");
        int from = Math.max(end(method.getModifiers()), method.getReturnType() == null ? -1 : end(method.getReturnType()));
        for (Tree parameter : method.getTypeParameters()) {
            from = Math.max(from, end(parameter));
        }
        String name = isConstructor ? type : method.getName().toString();
        print("function", isConstructor ? "constructor" : "method", container, name, method, from);
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    private int end(Tree tree) {
        return tree == null ? -1 : (int) positions.getEndPosition(unit, tree);
    }

    private void print(String role, String kind, String container, String name, Tree tree, int from) {
        int start = start(tree);
        int end = end(tree);
        Matcher word = Pattern.compile("\\b" + Pattern.quote(name) + "(?![\\w$])").matcher(text);
        boolean found = word.find(Math.max(start, from)) && word.start() < end;
        if (!found && !word.find(start)) {
            return; // what javac adds by itself
        }
        long line = unit.getLineMap().getLineNumber(word.start());
        OUT.println(String.join("\t", path, role, kind, container, name, "" + line, "" + bytes[start], "" + bytes[end]));
    }
}
