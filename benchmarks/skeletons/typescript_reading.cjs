// What the TypeScript compiler finds in a file. Reads one JSON object a line ({path, text, kind}) and answers each with
// one line ({path, errors, references}); see compiler_reading.py. Run as: node typescript_reading.cjs <typescript folder>
"use strict";
const ts = require(process.argv[2]);
const KINDS = { ts: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX, js: ts.ScriptKind.JSX };

function read(path, text, kind) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, KINDS[kind]);
  const found = [];
  const lineAt = (offset) => file.getLineAndCharacterOfPosition(offset).line + 1;

  function add(node, name, kind, role, context, start, end, body) {
    if (name === undefined) return;
    const signature = end === undefined ? "" : text.slice(start, end).trimEnd();
    found.push({
      name: typeof name === "string" ? name : name.text !== undefined ? name.text : name.getText(file),
      kind, role,
      line: lineAt(typeof name === "string" ? node.getStart(file) : name.getStart(file)),
      container: context.container, exemption: context.exemption, signature,
      first: lineAt(start), last: lineAt(end === undefined ? start : start + signature.length),
      body: body ? [lineAt(body.getStart(file)), lineAt(body.getEnd())] : null,
    });
  }
  const inside = (context, name) => ({ ...context, container: [...context.container, name] });
  const local = (context) => ({ ...context, exemption: context.exemption || "local" });
  const value = (context) => ({ ...context, exemption: context.exemption || "value" });

  function bare(node) {
    while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ||
      ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node))) node = node.expression;
    return node;
  }
  // a function that is given a name by what it is assigned to: `name = function …`, `name = (…) => …`
  function assigned(statement, name, right, kind, context) {
    const node = bare(right);
    if (node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))) {
      const arrow = ts.isArrowFunction(node);
      const end = arrow && !ts.isBlock(node.body) ? node.equalsGreaterThanToken.getEnd() : node.body.getStart(file);
      add(statement, name, kind, "function", context, statement.getStart(file), end, ts.isBlock(node.body) ? node.body : null);
      node.parameters.forEach((parameter) => visit(parameter, local(context)));
      visit(node.body, local(context));
      return true;
    }
    if (node && ts.isClassExpression(node)) {
      const label = name.text !== undefined ? name.text : name.getText(file);
      add(statement, name, "class", "type", context, statement.getStart(file), node.members.pos - 1, node);
      node.members.forEach((member) => visit(member, inside(context, label)));
      return true;
    }
    return false;
  }
  function visit(node, context) {
    const start = node.getStart(file);
    if (ts.isFunctionDeclaration(node)) {
      add(node, node.name ?? "default", "function", "function", context, start, node.body ? node.body.getStart(file) : node.getEnd(), node.body);
      if (node.body) visit(node.body, local(context));
    } else if (ts.isClassDeclaration(node)) {
      add(node, node.name ?? "default", "class", "type", context, start, node.members.pos - 1, node);
      node.members.forEach((member) => visit(member, inside(context, node.name ? node.name.text : "default")));
    } else if (ts.isConstructorDeclaration(node)) {
      add(node, "constructor", "constructor", "function", context, start, node.body ? node.body.getStart(file) : node.getEnd(), node.body);
      const last = found[found.length - 1];
      const keyword = node.getChildren(file).find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword);
      if (keyword) last.line = lineAt(keyword.getStart(file));
      if (node.body) visit(node.body, local(context));
    } else if (ts.isMethodDeclaration(node) || ts.isAccessor(node)) {
      const owner = ts.isObjectLiteralExpression(node.parent) ? value(context) : context;
      add(node, node.name, "method", "function", owner, start, node.body ? node.body.getStart(file) : node.getEnd(), node.body);
      if (node.body) visit(node.body, local(context));
    } else if (ts.isPropertyDeclaration(node)) {
      if (!assigned(node, node.name, node.initializer, "method", context)) {
        add(node, node.name, "property", "member", context, start);
        if (node.initializer) visit(node.initializer, value(context));
      }
    } else if (ts.isInterfaceDeclaration(node)) {
      add(node, node.name, "interface", "type", context, start, node.members.pos - 1, node);
      node.members.forEach((member) => visit(member, inside(context, node.name.text)));
    } else if (ts.isMethodSignature(node)) {
      add(node, node.name, "method signature", "function", context, start, node.getEnd());
    } else if (ts.isPropertySignature(node)) {
      add(node, node.name, "property signature", "member", context, start);
    } else if (ts.isTypeAliasDeclaration(node)) {
      add(node, node.name, "type alias", "type", context, start, node.type.getStart(file));
    } else if (ts.isEnumDeclaration(node)) {
      add(node, node.name, "enum", "type", context, start, node.members.pos - 1, node);
      node.members.forEach((member) => add(member, member.name, "enumerator", "member", inside(context, node.name.text), member.getStart(file)));
    } else if (ts.isModuleDeclaration(node)) {
      add(node, node.name, "namespace", "type", context, start, node.body ? node.body.getStart(file) : node.getEnd());
      if (node.body) visit(node.body, inside(context, node.name.text));
    } else if (ts.isVariableStatement(node)) {
      const single = node.declarationList.declarations.length === 1;
      for (const declaration of node.declarationList.declarations) {
        const statement = single ? node : declaration;
        if (!ts.isIdentifier(declaration.name)) { if (declaration.initializer) visit(declaration.initializer, value(context)); continue; }
        if (assigned(statement, declaration.name, declaration.initializer, "function", context)) continue;
        add(statement, declaration.name, "variable", "constant", context, statement.getStart(file));
        if (declaration.initializer) visit(declaration.initializer, value(context));
      }
    } else if (ts.isExpressionStatement(node) && ts.isBinaryExpression(node.expression)) {
      let expression = node.expression;
      while (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
        const left = expression.left;
        const deepest = bare(lastRight(expression));
        if (ts.isPropertyAccessExpression(left)) {
          const owner = inside(context, left.expression.getText(file));
          if (ts.isArrowFunction(deepest) || ts.isFunctionExpression(deepest) || ts.isClassExpression(deepest)) {
            if (deepest === bare(expression.right)) { assigned(node, left.name, deepest, "assigned function", owner); return; }
            add(left, left.name, "assigned function", "function", owner, left.getStart(file));
          }
        }
        if (!(ts.isBinaryExpression(expression.right) && expression.right.operatorToken.kind === ts.SyntaxKind.EqualsToken)) break;
        expression = expression.right;
      }
      ts.forEachChild(node, (child) => visit(child, value(context)));
    } else if (ts.isExportAssignment(node)) {
      visit(node.expression, value(context));
    } else if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.parent)) {
      const owner = value(context);
      if (ts.isIdentifier(node.name) && assigned(node, node.name, node.initializer, "method", owner)) return;
      visit(node.initializer, owner);
    } else if (ts.isFunctionLike(node)) {
      if (node.name) add(node, node.name, "function expression", "function", value(context), start, node.body ? node.body.getStart(file) : node.getEnd(), node.body);
      ts.forEachChild(node, (child) => visit(child, local(context)));
    } else if (ts.isClassExpression(node)) {
      if (node.name) add(node, node.name, "class", "type", value(context), start, node.members.pos - 1, node);
      node.members.forEach((member) => visit(member, value(context)));
    } else if (ts.isIterationStatement(node, false)) {
      ts.forEachChild(node, (child) => visit(child, { ...context, exemption: context.exemption || "loop" }));
    } else if (ts.isClassStaticBlockDeclaration(node)) {
      ts.forEachChild(node, (child) => visit(child, local(context)));
    } else {
      ts.forEachChild(node, (child) => visit(child, context));
    }
  }
  function lastRight(expression) {
    while (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) expression = expression.right;
    return expression;
  }
  visit(file, { container: [], exemption: "" });
  return { path, errors: file.parseDiagnostics.length, references: found };
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { path, text, kind } = JSON.parse(line);
  console.log(JSON.stringify(read(path, text, kind)));
});
