// What NRefactory's parser finds in C# files, for benchmarks/skeletons/by_parser.py:
//
//     mcs -out:reading.exe -r:ICSharpCode.NRefactory.dll -r:ICSharpCode.NRefactory.CSharp.dll CSharpReading.cs
//     mono reading.exe < PATHS
//
// reads paths, one a line, and prints for each definition outside of bodies: path, role, kind, what it stands in, name, line
// of the name, and where it begins and ends in bytes of UTF-8, parted by tabs. A file with a syntax error is `path -`. The
// parser is of C# 5 and some of 6: files with newer syntax are not read. Of a condition it sees one branch.

using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using ICSharpCode.NRefactory;
using ICSharpCode.NRefactory.CSharp;

public class CSharpReading {
    static readonly TextWriter Out = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));

    readonly string path;
    readonly string text;
    readonly List<int> starts = new List<int> { 0 };

    CSharpReading(string path, string text) {
        this.path = path;
        this.text = text;
        for (int at = 0; at < text.Length; at++) {
            if (text[at] == '\n') starts.Add(at + 1);
        }
    }

    public static void Main() {
        Console.InputEncoding = Encoding.UTF8;
        for (string path = Console.ReadLine(); path != null; path = Console.ReadLine()) {
            byte[] raw = File.ReadAllBytes(path);
            int mark = raw.Length > 2 && raw[0] == 0xEF && raw[1] == 0xBB && raw[2] == 0xBF ? 3 : 0;
            string text = Encoding.UTF8.GetString(raw, mark, raw.Length - mark);
            var parser = new CSharpParser();
            SyntaxTree tree = null;
            try {
                tree = parser.Parse(text, path);
            } catch (Exception) { // of what it does not know, it falls over some
            }
            if (tree == null || parser.HasErrors) {
                Out.WriteLine(path + "\t-");
            } else {
                new CSharpReading(path, text) { before = mark }.ReadAll(tree.Members, "");
            }
        }
        Out.Flush();
    }

    int before;

    void ReadAll(IEnumerable<AstNode> members, string container) {
        foreach (AstNode one in members) {
            if (one is NamespaceDeclaration) {
                ReadAll(((NamespaceDeclaration)one).Members, container);
            } else if (one is TypeDeclaration) {
                var type = (TypeDeclaration)one;
                Print("type", type.ClassType.ToString().ToLower(), container, type.Name, type, type.NameToken);
                ReadAll(type.Members, container == "" ? type.Name : container + "." + type.Name);
            } else if (one is DelegateDeclaration) {
                Print("type", "delegate", container, ((DelegateDeclaration)one).Name, one, ((DelegateDeclaration)one).NameToken);
            } else if (one is ConstructorDeclaration || one is MethodDeclaration) {
                var method = (EntityDeclaration)one;
                Print("function", one is MethodDeclaration ? "method" : "constructor", container, method.Name, one, method.NameToken);
            } else if (one is PropertyDeclaration || one is EnumMemberDeclaration) {
                var member = (EntityDeclaration)one;
                Print("member", one is PropertyDeclaration ? "property" : "enum member", container, member.Name, one, member.NameToken);
            } else if (one is FieldDeclaration) {
                var field = (FieldDeclaration)one;
                bool isConstant = field.HasModifier(Modifiers.Const) || field.HasModifier(Modifiers.Static | Modifiers.Readonly);
                foreach (VariableInitializer variable in field.Variables) {
                    Print(isConstant ? "constant" : "member", "field", container, variable.Name, one, variable.NameToken);
                }
            }
        }
    }

    void Print(string role, string kind, string container, string name, AstNode one, AstNode named) {
        if (named.IsNull) return;
        string[] fields = { path, role, kind, container, name, "" + named.StartLocation.Line, Bytes(one.StartLocation), Bytes(one.EndLocation) };
        Out.WriteLine(string.Join("\t", fields));
    }

    string Bytes(TextLocation place) {
        int offset = Math.Min(text.Length, starts[place.Line - 1] + place.Column - 1);
        return "" + (before + Encoding.UTF8.GetByteCount(text.Substring(0, offset)));
    }
}
