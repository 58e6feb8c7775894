import ts from "typescript";

/** One parsed source file. */
export interface Source {
  /** Path below the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** A line that breaks a convention. */
export interface Finding {
  readonly rule: string;
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Judges one file by itself. Pure: the same text has the same findings. */
export type SourceRule = (source: Source) => Finding[];

/** Parses TypeScript. */
export function parseSource(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Line of a node, counted from 1. */
export function lineOf(source: Source, node: ts.Node): number {
  return source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree)).line + 1;
}

/** Calls `visit` with every node of the file. */
export function walk(source: Source, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, step);
  };
  step(source.tree);
}

/** Makes a rule that looks at every node and says what is wrong with it, if anything. */
export function nodeRule(
  rule: string,
  applies: (path: string) => boolean,
  judge: (node: ts.Node, source: Source) => string | undefined,
): SourceRule {
  return (source) => {
    if (!applies(source.path)) return [];
    const findings: Finding[] = [];
    walk(source, (node) => {
      const message = judge(node, source);
      if (message !== undefined) findings.push({ rule, path: source.path, line: lineOf(source, node), message });
    });
    return findings;
  };
}

/** Whether the node is `object.property`, with the object being a plain name. */
export function isMember(node: ts.Node, object: string, property?: string): boolean {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return false;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== object) return false;
  if (property === undefined) return true;
  const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
  return (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) && name.text === property;
}

/** Names that a file imports as values from a module, as they are called there (`*` for all of it). */
export function importedValues(node: ts.Node, module: (specifier: string) => boolean): string[] {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return [];
  if (!module(node.moduleSpecifier.text)) return [];
  const clause = node.importClause;
  if (clause === undefined) return ["*"];
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
  const names: string[] = clause.name === undefined ? [] : ["*"];
  if (clause.namedBindings !== undefined) {
    if (ts.isNamespaceImport(clause.namedBindings)) names.push("*");
    else {
      for (const { isTypeOnly, name, propertyName } of clause.namedBindings.elements) {
        if (!isTypeOnly) names.push((propertyName ?? name).text);
      }
    }
  }
  return names;
}
