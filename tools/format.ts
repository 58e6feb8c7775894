import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { listAllFiles } from "./files.ts";
import { fingerprint, fingerprintFiles, fingerprintRules, openMemory } from "./memory.ts";

// With more changed files than this, everything is checked, because the length of a command line is limited.
const most = 500;

const configuration = /(?:^|\/)(?:\.?biome\.jsonc?|package\.json|tsconfig[^/]*\.json|\.gitignore|\.editorconfig)$/;

/**
 * Runs Biome over the files whose text it has not found in order before, and resolves with its exit code. Biome judges
 * each file by itself (`tools/test/memory.test.ts` keeps it so), except that it looks which other files there are:
 * their paths count as rules.
 */
async function checkFormat(root: string): Promise<number> {
  const paths = listAllFiles(root);
  const settings = fingerprintFiles(
    root,
    paths.filter((path) => configuration.test(path)),
  );
  const rules = fingerprintRules(root);
  const memory = openMemory(root, "format", rules === undefined ? undefined : fingerprint([rules, settings, ...paths]));
  const prints = new Map(paths.map((path) => [path, fingerprint([path, readFileSync(join(root, path))])]));
  const changed = paths.filter((path) => memory.get(prints.get(path) ?? "") === undefined);
  if (changed.length === 0) return 0;
  const code = await runBiome(root, changed.length > most ? ["."] : changed);
  if (code === 0) memory.keep(new Map(Array.from(prints.values(), (print) => [print, ""])));
  return code;
}

function runBiome(root: string, paths: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const options = ["--error-on-warnings", "--no-errors-on-unmatched", "--files-ignore-unknown=true"];
  const child = spawn(process.execPath, [biome, "check", ...options, ...paths], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  child.on("error", reject);
  child.on("exit", (code) => resolve(code ?? 1));
  return promise;
}

if (import.meta.main) process.exitCode = await checkFormat(process.cwd());
