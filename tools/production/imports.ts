import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";

/**
 * Returns the names of the packages that the shipped files of a workspace import, static, dynamic, or to find a file of
 * theirs.
 */
export function importedPackages(root: string, workspace: string): Set<string> {
  const files = globSync(["src/**/*.{ts,js}", "bin/**/*.js", "assets/**/*.js"], { cwd: join(root, workspace) });
  const names = new Set<string>();
  for (const file of files) {
    for (const specifier of specifiersOf(readFileSync(join(root, workspace, file), "utf8"))) {
      if (/^[./#]|^[a-z]+:/.test(specifier) || isBuiltin(specifier)) continue;
      names.add(specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
    }
  }
  return names;
}

const specifiersOf = (source: string): string[] => [
  ...ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName),
  ...Array.from(source.matchAll(/import\.meta\.resolve\("([^"]+)"\)/g), ([, specifier = ""]) => specifier),
];
