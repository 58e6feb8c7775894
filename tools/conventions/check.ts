import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../files.ts";
import { clockRule, environmentRule, hostRule, markupRule, outboundRule, randomnessRule, sqlRule } from "./homes.ts";
import { namesRule } from "./names.ts";
import { evaluationRule, patternRule, suppressionRule } from "./safety.ts";
import { fileLengthRule, functionLengthRule } from "./size.ts";
import { type Finding, parseSource, type SourceRule } from "./source.ts";
import { doorRule, readmeRule, type Tree, type TreeRule } from "./tree.ts";

/** What each file is judged by. */
export const sourceRules: readonly SourceRule[] = [
  clockRule,
  environmentRule,
  evaluationRule,
  fileLengthRule,
  functionLengthRule,
  hostRule,
  markupRule,
  outboundRule,
  patternRule,
  randomnessRule,
  sqlRule,
  suppressionRule,
];

/** What the repository as a whole is judged by. */
export const treeRules: readonly TreeRule[] = [doorRule, namesRule, readmeRule];

const texts = "**/*.{ts,tsx,js,mjs,cjs,json,md,sql,proto,css,yaml,yml,html}";
const topLevel = [
  "{.ci,.github}/**/*",
  ".*rc",
  ".*rc.json",
  ".npmrc",
  ".editorconfig",
  ".gitattributes",
  ".gitignore",
  "LICENSE",
];

/** The text files that people wrote; of generated code only what rules about every file need. */
export function readTree(root: string): Tree {
  const paths = listFiles(root, [texts, ...topLevel]).filter((path) => !/^(api\/src|third_party)\//.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** All places that break a convention. */
export function checkConventions(tree: Tree): Finding[] {
  const ofFiles = [...tree]
    .filter(([path]) => /\.(ts|tsx|mjs|cjs|js)$/.test(path))
    .flatMap(([path, text]) => {
      const source = parseSource(path, text);
      return sourceRules.flatMap((rule) => rule(source));
    });
  return [...ofFiles, ...treeRules.flatMap((rule) => rule(tree))];
}
