import ts from "typescript";
import { parseSource, walk } from "../conventions/source.ts";

const importStatement = /^(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;

/** What a statement at the start of a line imports: the simpler way to look for imports, including in templates. */
export const statedImports = (text: string): string[] =>
  Array.from(text.matchAll(importStatement), ([, imported = ""]) => imported);

/**
 * All of a file that can decide about its dependencies, as it is written: statements that import or export from a
 * module, calls (`import()`, `require()`) and types that name one, directives, and what `statedImports` finds. It holds
 * more than the cruiser reads, never less. JavaScript has further ways to name a module and is taken whole.
 */
export function importsOf(path: string, text: string): string[] {
  if (!/\.[cm]?tsx?$/.test(path)) return [text];
  const source = parseSource(path, text);
  const { tree } = source;
  const found = [...statedImports(text)];
  for (const { fileName } of [...tree.referencedFiles, ...tree.typeReferenceDirectives]) found.push(fileName);
  for (const { path: dependency } of tree.amdDependencies) found.push(dependency);
  walk(source, (node) => {
    const isImport =
      ts.isImportDeclaration(node) ||
      (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) ||
      ts.isImportEqualsDeclaration(node) ||
      ts.isImportTypeNode(node) ||
      (ts.isCallExpression(node) && /^(?:import|.*require.*|.*getBuiltinModule)$/s.test(node.expression.getText(tree)));
    if (isImport) found.push(node.getText(tree));
  });
  return found;
}
