import ts from "typescript";
import { lineOf, nodeRule, type Source, type SourceRule } from "./source.ts";

// Lists are read by these. What a request asks for is turned into a page in `api/contract`, and stores get theirs.
const reads = (path: string): boolean =>
  /^server\/src\/(api|cli|domain|extension|jobs|oauth|pages|saml)\//.test(path) &&
  !/^server\/src\/api\/contract\/|\.store\.ts$/.test(path);

const advice = "may not be all of a list: read it to its end (`readWhole`, `listAllAuthorizations`, `pagesOf`)";

/**
 * A page is not all of a list, and ends earlier than its limit where its rows are long. So what decides by a whole list
 * reads it to its end, and not up to a page that is shorter than its limit. Where one page is enough, a comment above
 * says why: `One page: …`.
 */
export const pageRule: SourceRule = nodeRule("page", reads, (node, source) => {
  const message = faultOf(node);
  return message === undefined || isExplained(node, source) ? undefined : message;
});

function faultOf(node: ts.Node): string | undefined {
  if (ts.isObjectLiteralExpression(node)) {
    const offset = propertyOf(node, "offset");
    const limit = propertyOf(node, "limit");
    const isFirst = offset !== undefined && ts.isNumericLiteral(offset) && offset.text === "0";
    const isOne = limit !== undefined && ts.isNumericLiteral(limit) && limit.text === "1";
    return isFirst && limit !== undefined && !isOne ? `the first page ${advice}` : undefined;
  }
  if (!ts.isBinaryExpression(node) || !comparisons.has(node.operatorToken.kind)) return undefined;
  const isLength = ts.isPropertyAccessExpression(node.left) && node.left.name.text === "length";
  const isLimit = ts.isIdentifier(node.right) && /^(limit|page(Size|Length|Limit))$/.test(node.right.text);
  return isLength && isLimit ? `a page that is shorter than its limit ${advice}` : undefined;
}

const comparisons: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties) {
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === name) return property.name;
    const isNamed = ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && property.name.text === name;
    if (isNamed) return property.initializer;
  }
  return undefined;
}

const isExplained = (node: ts.Node, source: Source): boolean => {
  const line = lineOf(source, node);
  return source.text
    .split("\n")
    .slice(Math.max(0, line - 3), line)
    .some((each) => /\/\/ .*\bOne page: \S/.test(each));
};
