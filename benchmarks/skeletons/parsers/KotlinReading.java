// What the Kotlin compiler's own parser finds in Kotlin files, for benchmarks/skeletons/by_parser.py:
//
//     java -cp 'LIB/*' benchmarks/skeletons/parsers/KotlinReading.java < PATHS
//
// LIB is a folder with kotlin-compiler.jar and what it needs (Debian's package `kotlin`: /usr/share/kotlin/kotlinc/lib). Reads
// paths, one a line, and prints for each definition outside of bodies: path, role, kind, what it stands in, name, line of the
// name, and where it begins and ends in bytes of UTF-8, parted by tabs. A file with a syntax error is `path -`.
//
// The parser that Debian has is of Kotlin 1.3. What came later and is no more than a word or a comma is read as something of
// the same length that it knows: trailing commas as blanks, `fun interface` and `value class` with another modifier.

import com.intellij.openapi.util.Disposer;
import com.intellij.psi.PsiElement;
import com.intellij.psi.PsiErrorElement;
import com.intellij.psi.util.PsiTreeUtil;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.EnvironmentConfigFiles;
import org.jetbrains.kotlin.cli.jvm.compiler.KotlinCoreEnvironment;
import org.jetbrains.kotlin.config.CompilerConfiguration;
import org.jetbrains.kotlin.kdoc.psi.api.KDoc;
import org.jetbrains.kotlin.lexer.KtTokens;
import org.jetbrains.kotlin.psi.KtClass;
import org.jetbrains.kotlin.psi.KtClassOrObject;
import org.jetbrains.kotlin.psi.KtDeclaration;
import org.jetbrains.kotlin.psi.KtEnumEntry;
import org.jetbrains.kotlin.psi.KtFile;
import org.jetbrains.kotlin.psi.KtNamedFunction;
import org.jetbrains.kotlin.psi.KtProperty;
import org.jetbrains.kotlin.psi.KtPsiFactory;
import org.jetbrains.kotlin.psi.KtSecondaryConstructor;
import org.jetbrains.kotlin.psi.KtTypeAlias;

public class KotlinReading {
    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private static final Pattern COMMA = Pattern.compile(",(?=(?:\\s|//[^\n]*\n|/\\*[^*]*\\*/)*(?:[)\\]>}]|->))");

    private final String path;
    private final String text;

    private KotlinReading(String path, String text) {
        this.path = path;
        this.text = text;
    }

    public static void main(String[] arguments) throws Exception {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
            Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        KtPsiFactory factory = new KtPsiFactory(environment.getProject(), false);
        BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path = paths.readLine(); path != null; path = paths.readLine()) {
            String text = new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8);
            KtFile file = text.indexOf('\r') < 0 ? factory.createFile(older(text)) : null; // its text has line feeds alone
            if (file == null || PsiTreeUtil.findChildOfType(file, PsiErrorElement.class) != null) {
                OUT.println(path + "\t-");
            } else {
                new KotlinReading(path, text).readAll(file.getDeclarations(), "");
            }
        }
        OUT.flush();
        System.exit(0);
    }

    private static String older(String text) {
        return COMMA.matcher(text).replaceAll(" ").replace("fun interface", "out interface").replace("value class", "inner class");
    }

    private void readAll(List<KtDeclaration> declarations, String container) {
        for (KtDeclaration one : declarations) {
            if (one instanceof KtEnumEntry entry) {
                print("member", "enum entry", container, entry.getName(), entry, entry.getNameIdentifier());
            } else if (one instanceof KtClassOrObject type) {
                readType(type, container);
            } else if (one instanceof KtNamedFunction function) {
                print("function", "function", container, function.getName(), function, function.getNameIdentifier());
            } else if (one instanceof KtSecondaryConstructor constructor) {
                print("function", "constructor", container, "constructor", constructor, constructor.getConstructorKeyword());
            } else if (one instanceof KtProperty property) {
                boolean isConstant = container.isEmpty() || property.hasModifier(KtTokens.CONST_KEYWORD);
                String role = isConstant ? "constant" : "member";
                print(role, "property", container, property.getName(), property, property.getNameIdentifier());
            } else if (one instanceof KtTypeAlias alias) {
                print("type", "typealias", container, alias.getName(), alias, alias.getNameIdentifier());
            }
        }
    }

    private void readType(KtClassOrObject type, String container) {
        String kind = !(type instanceof KtClass one) ? "object" : one.isInterface() ? "interface" : one.isEnum() ? "enum" : "class";
        PsiElement named = type.getNameIdentifier();
        if (named == null) { // what a companion without a name holds is called by the name of its class
            readAll(type.getDeclarations(), container);
            return;
        }
        print("type", kind, container, type.getName(), type, named);
        readAll(type.getDeclarations(), container.isEmpty() ? type.getName() : container + "." + type.getName());
    }

    private void print(String role, String kind, String container, String name, PsiElement one, PsiElement named) {
        if (named == null || name == null) {
            return;
        }
        int start = one.getTextRange().getStartOffset();
        PsiElement first = one.getFirstChild();
        while (first != null && (first instanceof KDoc || first instanceof com.intellij.psi.PsiComment || first.getText().isBlank())) {
            first = first.getNextSibling(); // docs and comments above belong to it here
        }
        start = first == null ? start : first.getTextRange().getStartOffset();
        long line = 1 + text.substring(0, named.getTextRange().getStartOffset()).chars().filter(each -> each == '\n').count();
        OUT.println(String.join("\t", path, role, kind, container, name, "" + line, bytes(start), bytes(one.getTextRange().getEndOffset())));
    }

    private String bytes(int offset) {
        return "" + text.substring(0, offset).getBytes(StandardCharsets.UTF_8).length;
    }
}
