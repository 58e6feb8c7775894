import { spawn } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { memoryFolder } from "./memory.ts";

/** Folders of the workspace that have something to check: those with a tsconfig.json and at least one script. */
function checkedWorkspaces(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  return workspaces.filter(
    (workspace) =>
      existsSync(join(root, workspace, "tsconfig.json")) &&
      globSync("**/*.{ts,tsx,js}", { cwd: join(root, workspace), exclude: ["**/node_modules/**"] }).length > 0,
  );
}

/** Runs the compiler over each workspace, two at a time. Resolves with the workspaces that have errors. */
async function checkTypes(root: string): Promise<string[]> {
  const waiting = checkedWorkspaces(root);
  if (waiting.length === 0) throw new Error("no workspace has a tsconfig.json with TypeScript files");
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if ((await compile(root, next)) !== 0) failed.push(next);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

// The compiler judges again only what changed and what depends on it. It makes its memory void when its own version or
// the options change. It writes in place, so each run has a copy of its own. Paths in it are relative to its folder.
async function compile(root: string, workspace: string): Promise<number> {
  const memory = join(memoryFolder(root), `types-${workspace.replaceAll("/", "-")}.tsbuildinfo`);
  const draft = `${memory}.${process.pid}`;
  mkdirSync(memoryFolder(root), { recursive: true });
  if (existsSync(memory)) copyFileSync(memory, draft);
  const code = await runCompiler(root, ["-p", workspace, "--incremental", "--tsBuildInfoFile", draft]);
  if (existsSync(draft)) renameSync(draft, memory);
  return code;
}

function runCompiler(root: string, options: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const compiler = spawn(process.execPath, [join(root, "node_modules/@typescript/native/bin/tsc"), ...options], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  compiler.on("error", reject);
  compiler.on("exit", (code) => resolve(code ?? 1));
  return promise;
}

if (import.meta.main) {
  const failed = await checkTypes(process.cwd());
  if (failed.length > 0) console.error(`types: errors in ${failed.join(", ")}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
