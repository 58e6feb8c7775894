import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");

/** Lints one file with the rules of this repository and types of its own, and gives the names of the broken rules. */
function lint(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "doorward-lint-"));
  try {
    const compilerOptions = { strict: true, module: "nodenext", target: "es2024", types: [], skipLibCheck: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    writeFileSync(join(folder, "planted.ts"), source);
    const linter = join(root, "node_modules/oxlint/bin/oxlint");
    const options = ["--type-aware", "--deny-warnings", "-c", join(root, ".oxlintrc.json"), "-f", "unix", "planted.ts"];
    const run = spawnSync(process.execPath, [linter, ...options], { cwd: folder, encoding: "utf8" });
    const { stdout, stderr } = run;
    // Shown when the test fails: a linter that could not look says so here.
    console.error(stdout, stderr);
    return Array.from(stdout.matchAll(/\[Error\/typescript\(([a-z-]+)\)\]/g), ([, name = ""]) => name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const work = "async function work(): Promise<void> {}\n";

test("a promise that is not awaited is reported", () => {
  assert.deepEqual(lint(`${work}export function start(): void {\n  work();\n}\n`), ["no-floating-promises"]);
});

test("a promise used as a boolean is reported", () => {
  assert.deepEqual(lint(`${work}export const done = async () => (work() ? 1 : 2);\n`), ["no-misused-promises"]);
});

test("a promise given back from a try without waiting is reported", () => {
  const source = `${work}export async function start(): Promise<void> {\n  try {\n    return work();\n  } catch {}\n}\n`;
  assert.deepEqual(lint(source), ["return-await"]);
});

test("a switch that leaves out a case is reported", () => {
  const source = [
    'export function toNumber(kind: "a" | "b" | "c"): number {',
    "  switch (kind) {",
    '    case "a":',
    "      return 1;",
    '    case "b":',
    "      return 2;",
    "  }",
    "  return 3;",
    "}",
    "",
  ].join("\n");
  assert.deepEqual(lint(source), ["switch-exhaustiveness-check"]);
});

test("a default stands for the cases left out", () => {
  const source =
    'export function isA(kind: "a" | "b"): boolean {\n  switch (kind) {\n    case "a":\n      return true;\n' +
    "    default:\n      return false;\n  }\n}\n";
  assert.deepEqual(lint(source), []);
});

test("an object where text is wanted is reported", () => {
  const source = "export const shown = (value: { a: number }): string => `${value}`;\n";
  assert.deepEqual(lint(source), ["restrict-template-expressions"]);
});

test("code in order is not reported", () => {
  assert.deepEqual(lint(`${work}export async function start(): Promise<void> {\n  await work();\n}\n`), []);
});
