import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { listFiles } from "../files.ts";
import { fingerprint, fingerprintRules, type Memory, openMemory } from "../memory.ts";
import {
  clockRule,
  environmentRule,
  hostRule,
  keyPairRule,
  markupRule,
  outboundRule,
  randomnessRule,
  sqlRule,
} from "./homes.ts";
import { namesRule } from "./names.ts";
import { pageRule } from "./pages.ts";
import { rowsRule } from "./rows.ts";
import { evaluationRule, patternRule, suppressionRule } from "./safety.ts";
import { fileLengthRule, functionLengthRule } from "./size.ts";
import { type Finding, parseSource, type SourceRule } from "./source.ts";
import { spreadRule } from "./spread.ts";
import { doorRule, folderRule, readmeRule, type Tree, type TreeRule } from "./tree.ts";
import { commentWordsRule, nameWordsRule, proseWordsRule, titleWordsRule } from "./words.ts";

/** Rules for each source file. */
const sourceRules: readonly SourceRule[] = [
  clockRule,
  commentWordsRule,
  environmentRule,
  evaluationRule,
  fileLengthRule,
  functionLengthRule,
  hostRule,
  keyPairRule,
  markupRule,
  nameWordsRule,
  outboundRule,
  pageRule,
  patternRule,
  randomnessRule,
  spreadRule,
  sqlRule,
  suppressionRule,
  titleWordsRule,
];

/** Rules for each text file of the tree, applied one file at a time. */
const textRules: readonly TreeRule[] = [namesRule, proseWordsRule, rowsRule];

/** Rules for the repository as a whole. */
const treeRules: readonly TreeRule[] = [doorRule, folderRule, readmeRule];

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

/** The text files written by hand; generated code only as far as rules about every file need it. */
export function readTree(root: string): Tree {
  const paths = listFiles(root, [texts, ...topLevel]).filter((path) => !/^(api\/src|third_party)\//.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/** Returns all violations of conventions. Files that are remembered as valid are not checked again. */
export function checkConventions(tree: Tree, memory?: Memory): Finding[] {
  const inOrder = new Map<string, string>();
  const ofFiles = [...tree].flatMap(([path, text]) => {
    const print = fingerprint([path, text]);
    const findings = memory?.get(print) === undefined ? judge(path, text) : [];
    if (findings.length === 0) inOrder.set(print, "");
    return findings;
  });
  memory?.keep(inOrder);
  return [...ofFiles, ...treeRules.flatMap((rule) => rule(tree))];
}

function judge(path: string, text: string): Finding[] {
  const ofText = textRules.flatMap((rule) => rule(new Map([[path, text]])));
  if (!/\.(ts|tsx|mjs|cjs|js)$/.test(path)) return ofText;
  const source = parseSource(path, text);
  return [...sourceRules.flatMap((rule) => rule(source)), ...ofText];
}

if (import.meta.main) {
  const root = process.cwd();
  const findings = checkConventions(readTree(root), openMemory(root, "conventions", fingerprintRules(root)));
  for (const { rule, path, line, message } of findings) console.error(`${rule}: ${path}:${line} ${message}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
