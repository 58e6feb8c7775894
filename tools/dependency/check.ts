import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { ICruiseOptions, ICruiseResult } from "dependency-cruiser";
import { listAllFiles, listFiles } from "../files.ts";
import { fingerprint, fingerprintRules, openMemory } from "../memory.ts";
import { circlesOfFolders, type FileImport } from "./circles.ts";
import { loadDependencyCruiser } from "./cruiser.ts";
import { importsOf, statedImports } from "./imports.ts";
import { layers, unordered } from "./layers.ts";
import { againstOrder } from "./order.ts";
import { dependencyRules } from "./rules.ts";

export interface DependencyReport {
  /** Source files that were read. */
  readonly modules: number;
  /** Imports that were judged. */
  readonly dependencies: number;
  /** One line each: rule, importer, imported. */
  readonly violations: readonly string[];
}

const folders = ["api", "bench", "e2e", "examples", "login", "server", "tools"];

/**
 * Judges every import of the workspace in `root`. A file that the cruiser did not read, or an import that it did not
 * see, is a violation too. Works from the current directory, which has to be `root`.
 */
export async function checkDependencies(root: string): Promise<DependencyReport> {
  const files = sourceFiles(root);
  if (files.length === 0) return { modules: 0, dependencies: 0, violations: ["coverage: found no source files"] };
  const { cruise } = await loadDependencyCruiser();
  const { output } = await cruise(files, options(root));
  if (typeof output === "string") throw new Error("dependency-cruiser answered with text");
  const imports = importsIn(output);
  const misplaced = [...outOfOrder(root), ...againstOrder(imports)];
  return {
    modules: files.length,
    dependencies: output.summary.totalDependenciesCruised ?? 0,
    violations: [...unread(root, files, output), ...misplaced, ...broken(output), ...entangled(imports)],
  };
}

/**
 * `checkDependencies`, unless nothing that it looks at has changed since it found no violation: which files there are,
 * what they import, what packages declare, and the rules. With CI=true packages were just installed, so that nothing is
 * known, and nothing is remembered for a next time: to read all imports takes a third of the check.
 */
async function checkChangedDependencies(root: string): Promise<DependencyReport> {
  if (process.env["CI"] === "true") return checkDependencies(root);
  const rules = fingerprintRules(root);
  const verdicts = openMemory(root, "dependencies", rules);
  const looked = fingerprint(lookedAt(root, rules));
  const known = verdicts.get(looked);
  if (known !== undefined) return JSON.parse(known) as DependencyReport;
  const report = await checkDependencies(root);
  if (report.violations.length === 0) verdicts.keep(new Map([[looked, JSON.stringify(report)]]));
  return report;
}

function lookedAt(root: string, rules: string | undefined): string[] {
  const memory = openMemory(root, "imports", rules);
  const kept = new Map<string, string>();
  const all = listAllFiles(root).flatMap((path) => {
    if (/(?:^|\/)package\.json$/.test(path)) return [path, readFileSync(join(root, path), "utf8")];
    if (!/\.[cm]?[jt]sx?$/.test(path) || path.startsWith("api/src/")) return [path];
    const text = readFileSync(join(root, path), "utf8");
    const print = fingerprint([path, text]);
    const imports = memory.get(print) ?? fingerprint(importsOf(path, text));
    kept.set(print, imports);
    return [path, imports];
  });
  memory.keep(kept);
  return all;
}

/** Every TypeScript and JavaScript file that people write; generated code is known by its declarations only. */
function sourceFiles(root: string): string[] {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  return present
    .flatMap((folder) => listFiles(root, `${folder}/**/*.{ts,tsx,js,mjs,cjs}`))
    .filter((path) => !path.startsWith("api/src/"));
}

function options(root: string): ICruiseOptions {
  const withDoor = layers.filter(
    (layer) => layer !== "domain" && existsSync(join(root, "server/src", layer, "index.ts")),
  );
  return {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: dependencyRules({ layers: withDoor }) },
    parser: "tsc",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    skipAnalysisNotInRules: true,
    doNotFollow: { path: ["(^|/)node_modules/", "^api/src/"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
  };
}

/**
 * Returns what dependency-cruiser missed. Imports are searched a second time in a simpler way (statements at the start
 * of a line), because a cruiser that cannot read a language reports files without imports and no violation.
 */
export function unread(root: string, files: readonly string[], result: Pick<ICruiseResult, "modules">): string[] {
  const seen = new Map(
    result.modules.map((module) => [
      module.source,
      new Set(module.dependencies.map((one) => one.module.replace(/^node:/, ""))),
    ]),
  );
  return files.flatMap((file) => {
    const dependencies = seen.get(file);
    if (dependencies === undefined) return [`coverage: ${file} was not read`];
    const source = readFileSync(join(root, file), "utf8");
    return statedImports(source)
      .map((imported) => imported.replace(/^node:/, ""))
      .filter((imported) => !dependencies.has(imported))
      .map((imported) => `coverage: the import of ${imported} in ${file} was not seen`);
  });
}

function outOfOrder(root: string): string[] {
  const list = (folder: string): string[] => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []);
  return unordered(list("server/src"), list("server/src/domain")).map(
    (path) => `unordered: ${path} is not in the order of layers and modules (tools/dependency/layers.ts)`,
  );
}

const importsIn = ({ modules }: ICruiseResult): FileImport[] =>
  modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));

function broken(result: ICruiseResult): string[] {
  const comments = new Map(result.summary.ruleSetUsed?.forbidden?.map(({ name, comment }) => [name, comment]));
  return result.summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle === undefined ? to : cycle.map(({ name }) => name).join(" → ");
    return `${rule.name}: ${from} → ${path}\n    ${comments.get(rule.name) ?? ""}`;
  });
}

/** The folders of the server that cannot be read one after the other, because each needs the other. */
function entangled(imports: readonly FileImport[]): string[] {
  const isSource = (path: string): boolean => path.startsWith("server/src/");
  return circlesOfFolders(imports.filter(({ from, to }) => isSource(from) && isSource(to))).map((circle) => {
    const steps = circle.map(({ from, to }) => `${from} → ${to}`).join("\n    ");
    return `no-circle-of-folders: ${steps}\n    Folders side by side import in one direction: move what both need to one of its own.`;
  });
}

if (import.meta.main) {
  const { modules, dependencies, violations } = await checkChangedDependencies(process.cwd());
  for (const violation of violations) console.error(violation);
  console.log(`dependency rules: ${modules} files, ${dependencies} imports, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
