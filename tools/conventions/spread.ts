import ts from "typescript";
import { nodeRule, type SourceRule } from "./source.ts";

/**
 * A literal is not spread inside of a literal. The compiler looks for excess properties among those that a literal
 * itself writes down, so a misspelled optional property compiles when it is spread. A condition is the exception:
 * `...(x && { x })` leaves a property out, which `exactOptionalPropertyTypes` asks for.
 */
export const spreadRule: SourceRule = nodeRule(
  "spread",
  () => true,
  (node) => {
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(withoutTypes(node.expression))) {
      return "an object literal spread inside an object literal: write its properties in place";
    }
    if (
      ts.isSpreadElement(node) &&
      ts.isArrayLiteralExpression(node.parent) &&
      ts.isArrayLiteralExpression(withoutTypes(node.expression))
    ) {
      return "an array literal spread inside an array literal: write its elements in place";
    }
    return undefined;
  },
);

// Parentheses and what only the compiler sees change nothing about what is spread.
function withoutTypes(expression: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isTypeAssertionExpression(expression) ||
    ts.isNonNullExpression(expression);
  return isWrapper ? withoutTypes(expression.expression) : expression;
}
