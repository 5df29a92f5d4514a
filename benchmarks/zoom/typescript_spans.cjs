// Where definitions begin and end by the TypeScript compiler. Reads one JSON object a line ({text, kind}) and answers each
// with one line ({errors, spans}); see compiler_spans.py. Run as: node typescript_spans.cjs <typescript folder>
"use strict";
const ts = require(process.argv[2]);
const KINDS = { ts: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX, js: ts.ScriptKind.JSX };

// what JavaScript writes for membership, and what is no name of anything
const UNSAID = new Set(["exports", "module", "prototype"]);

function read(text, kind) {
  const file = ts.createSourceFile("file." + kind, text, ts.ScriptTarget.Latest, true, KINDS[kind]);
  const spans = [];
  let inFunction = false;
  const label = (name) => (typeof name === "string" ? name : ts.isStringLiteral(name) ? name.text : name.getText(file));

  // from the doc comment directly above (no blank line between) to the end of the node
  function add(node, name, kind, container) {
    if (name === undefined) return;
    let start = node.getStart(file);
    const above = (ts.getLeadingCommentRanges(text, node.getFullStart()) || []).filter((range) => range.end <= start);
    // up over comments, as long as no blank line is between; the nearest that is a doc comment is where it begins
    let below = start;
    for (const comment of above.reverse()) {
      const line = text.lastIndexOf("\n", comment.pos) + 1;
      if (text.slice(comment.end, below).split("\n").length > 2 || text.slice(line, comment.pos).trim()) break;
      below = comment.pos;
      if (text.startsWith("/**", comment.pos)) { start = comment.pos; break; }
    }
    spans.push({ name: label(name), kind, container, local: inFunction, start, end: node.getEnd() });
  }
  function bare(node) {
    while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ||
      ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node))) node = node.expression;
    return node;
  }
  const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
  // a property of an object that a variable or field holds: it has a qualified name; that of an argument has none
  function isHeld(node) {
    let object = node.parent;
    while (ts.isPropertyAssignment(object.parent)) object = object.parent.parent;
    let holder = object.parent;
    while (holder && bare(holder) !== holder) holder = holder.parent;
    return holder && (ts.isVariableDeclaration(holder) || ts.isPropertyDeclaration(holder));
  }
  const isImport = (node) => node && /^(await import|require)\s*\(/.test(node.getText(file));
  // what is local to a function goes by the name next to it: there is no longer name in the language
  function inside(node, name, container, local) {
    const inner = name === undefined ? container : local ? [label(name)] : [...container, label(name)];
    ts.forEachChild(node, (child) => visit(child, inner, local));
  }
  function visit(node, container, local) {
    inFunction = local;
    if (ts.isFunctionDeclaration(node)) {
      add(node, node.name ?? "default", "function", container);
      return inside(node, node.name ?? "default", container, true);
    }
    if (ts.isClassDeclaration(node)) {
      add(node, node.name ?? "default", "class", container);
      return inside(node, node.name ?? "default", container, local);
    }
    if (ts.isConstructorDeclaration(node)) {
      add(node, "constructor", "constructor", container);
      return inside(node, "constructor", container, true);
    }
    if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
      add(node, node.name, ts.isAccessor(node) ? "accessor" : "method", container);
      return inside(node, node.name, container, true);
    }
    if (ts.isInterfaceDeclaration(node)) {
      add(node, node.name, "interface", container);
      return inside(node, node.name, container, local);
    }
    if (ts.isMethodSignature(node)) return add(node, node.name, "method signature", container);
    if (ts.isTypeAliasDeclaration(node)) return add(node, node.name, "type alias", container);
    if (ts.isEnumDeclaration(node)) {
      add(node, node.name, "enum", container);
      return node.members.forEach((member) => add(member, member.name, "enumerator", [...container, label(node.name)]));
    }
    if (ts.isModuleDeclaration(node)) {
      if (node.name.kind === ts.SyntaxKind.GlobalKeyword) return inside(node, undefined, container, local);
      if (!ts.isModuleDeclaration(node.parent)) add(node, node.name, "namespace", container);
      return inside(node, node.name, container, local);
    }
    if (ts.isPropertyDeclaration(node)) {
      add(node, node.name, isFunction(bare(node.initializer)) ? "function field" : "field", container);
      return inside(node, node.name, container, true);
    }
    if (ts.isVariableStatement(node)) {
      for (const declaration of node.declarationList.declarations) {
        inFunction = local;
        const value = bare(declaration.initializer);
        if (ts.isIdentifier(declaration.name)) {
          const holds = isFunction(value) ? "function variable" : value && ts.isClassExpression(value) ? "class variable" : "variable";
          const isOwn = ts.isSourceFile(node.parent) || ts.isModuleBlock(node.parent);
          if ((holds !== "variable" || (!local && isOwn)) && !isImport(value)) add(node, declaration.name, holds, container);
          const named = holds !== "variable" || !local ? declaration.name : undefined;  // a variable of a function names nothing
          inside(declaration, named, container, local || isFunction(value) || holds === "variable");
        } else inside(declaration, undefined, container, true);
      }
      return;
    }
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && isFunction(bare(node.initializer))) {
      if (isHeld(node)) add(node, node.name, "function property", container);
      return inside(node.initializer, node.name, container, true);
    }
    if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(bare(node.initializer))) {
      return inside(node.initializer, node.name, container, local);
    }
    if (ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression) &&
        node.expression.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(node.expression.left) && isFunction(bare(node.expression.right))) {
      const left = node.expression.left;
      if (left.name.text === "exports") return inside(node.expression.right, undefined, container, true);
      const owner = [...container, ...left.expression.getText(file).split(".").filter((part) => !UNSAID.has(part))];
      add(node, left.name, "assigned function", owner);
      return inside(node.expression.right, left.name, owner, true);
    }
    inside(node, undefined, container, local || ts.isFunctionLike(node));
  }
  visit(file, [], false);
  return { errors: file.parseDiagnostics.length, spans };
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { text, kind } = JSON.parse(line);
  console.log(JSON.stringify(read(text, kind)));
});
