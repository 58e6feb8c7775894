import ts from "typescript";
import { nodeRule, type SourceRule } from "./source.ts";

const shipped = (path: string): boolean => /^(server|login|console)\//.test(path) && !/\/test\//.test(path);

/** Text is never executed as code. */
export const evaluationRule: SourceRule = nodeRule("evaluation", shipped, (node) => {
  if (ts.isCallExpression(node) && isName(node.expression, "eval")) return "eval runs text";
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isName(node.expression, "Function")) {
    return "Function runs text";
  }
  if (ts.isImportDeclaration(node) && /^(node:)?vm$/.test((node.moduleSpecifier as ts.StringLiteral).text)) {
    return "node:vm runs text";
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments;
    if (target === undefined || !ts.isStringLiteralLike(target)) return "the name of an imported module is a constant";
  }
  return undefined;
});

/** A regular expression is a constant: one built from input can be made to run for hours. */
export const patternRule: SourceRule = nodeRule("pattern", shipped, (node) => {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!isName(node.expression, "RegExp")) return undefined;
  const [pattern] = node.arguments ?? [];
  if (pattern !== undefined && ts.isStringLiteralLike(pattern)) return undefined;
  return "a pattern that is not a constant: compare text, or match by hand";
});

const suppression =
  /(@ts-(?:expect-error|ignore|nocheck)|(?:oxlint|eslint)-disable[a-z-]*|biome-ignore[a-z-]*)([^\n]*)/g;

/** A suppression carries its reason on the line. */
export const suppressionRule: SourceRule = ({ path, text, tree }) =>
  Array.from(text.matchAll(suppression)).flatMap((match) => {
    const [, kind = "", rest = ""] = match;
    if (!isInComment(tree, match.index) || /[a-z]{3}/i.test(reasonOf(kind, rest))) return [];
    const line = tree.getLineAndCharacterOfPosition(match.index).line + 1;
    return [{ rule: "suppression", path, line, message: `${kind} does not say why` }];
  });

// `@ts-expect-error why`, `biome-ignore lint/a/b: why`, `oxlint-disable-next-line rule -- why`.
function reasonOf(kind: string, rest: string): string {
  if (kind.startsWith("@ts-")) return rest;
  const separator = kind.startsWith("biome") ? ":" : " -- ";
  const at = rest.indexOf(separator);
  return at === -1 ? "" : rest.slice(at + separator.length);
}

function isInComment(tree: ts.SourceFile, position: number): boolean {
  let node: ts.Node = tree;
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(node, (child) =>
      child.getFullStart() <= position && position < child.end ? child : undefined,
    );
    if (inner === undefined) break;
    node = inner;
  }
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node);
  return !isText || position < node.getStart(tree);
}

function isName(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
