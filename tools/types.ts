import { spawn } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { memoryFolder } from "./memory.ts";

/**
 * Folders with a program to check. The root has one of the workspaces that import one another and have the same
 * options, so that each of their files is judged once; every other workspace with a tsconfig.json and at least one
 * script has its own.
 */
function checkedPrograms(root: string): string[] {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
  const { workspaces } = read("package.json") as { workspaces: string[] };
  const hasCommon = existsSync(join(root, "tsconfig.json"));
  const { include } = hasCommon ? (read("tsconfig.json") as { include: string[] }) : { include: [] };
  const own = workspaces.filter(
    (workspace) =>
      !include.some((path) => path.startsWith(`${workspace}/`)) &&
      existsSync(join(root, workspace, "tsconfig.json")) &&
      globSync("**/*.{ts,tsx,js}", { cwd: join(root, workspace), exclude: ["**/node_modules/**"] }).length > 0,
  );
  return hasCommon ? [".", ...own] : own;
}

/** Runs the compiler over each program, two at a time. Resolves with the folders of those that have errors. */
async function checkTypes(root: string): Promise<string[]> {
  const waiting = checkedPrograms(root);
  if (waiting.length === 0) throw new Error("no folder has a tsconfig.json with TypeScript files");
  const failed: string[] = [];
  const shown = new Set<string>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if ((await compile(root, next, shown)) !== 0) failed.push(next);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

// The compiler judges again only what changed and what depends on it. It discards its cache when its own version or the
// options change. It writes in place, so each run has a copy of its own. Paths in it are relative to its folder.
async function compile(root: string, folder: string, shown: Set<string>): Promise<number> {
  const memory = join(
    memoryFolder(root),
    `types-${folder === "." ? "common" : folder.replaceAll("/", "-")}.tsbuildinfo`,
  );
  const draft = `${memory}.${process.pid}`;
  mkdirSync(memoryFolder(root), { recursive: true });
  if (existsSync(memory)) copyFileSync(memory, draft);
  const { code, output } = await runCompiler(root, ["-p", folder, "--incremental", "--tsBuildInfoFile", draft]);
  showNew(output, shown);
  if (existsSync(draft)) renameSync(draft, memory);
  return code;
}

// Programs report the errors of files that they share; each error, with its indented lines, is shown once.
function showNew(output: string, shown: Set<string>): void {
  for (const error of output.split(/\n(?=\S)/).map((text) => text.trimEnd())) {
    if (error !== "" && !shown.has(error)) console.log(error);
    shown.add(error);
  }
}

function runCompiler(root: string, options: readonly string[]): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>();
  const compiler = spawn(process.execPath, [join(root, "node_modules/@typescript/native/bin/tsc"), ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  compiler.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  compiler.on("error", reject);
  compiler.on("close", (code) => resolve({ code: code ?? 1, output }));
  return promise;
}

if (import.meta.main) {
  const failed = await checkTypes(process.cwd());
  if (failed.length > 0) console.error(`types: errors in ${failed.join(", ")}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
