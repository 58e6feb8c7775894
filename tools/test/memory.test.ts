import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, test } from "node:test";
import { importsOf } from "../dependency/imports.ts";

const repository = resolve(import.meta.dirname, "../..");
let folder = "";
let root = "";

// A copy of the checks, so that a test can change a rule, beside a tree that has the packages and the settings of the
// repository.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doorward-memory-"));
  root = join(folder, "tree");
  cpSync(join(repository, "tools"), join(folder, "tools"), {
    recursive: true,
    filter: (path) => !/\/tools\/(?:node_modules|test)$/.test(path),
  });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(root, "node_modules"), { recursive: true });
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (name !== ".cache") symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  }
  for (const name of ["biome.json", "tsconfig.base.json", ".gitignore"]) {
    copyFileSync(join(repository, name), join(root, name));
  }
  write("package.json", json({ name: "planted", type: "module", workspaces: ["server"] }));
  write("server/package.json", json({ name: "doorward", type: "module" }));
  write("server/tsconfig.json", '{ "extends": "../tsconfig.base.json", "include": ["src"] }\n');
  for (const layer of ["base", "call"]) write(`server/src/${layer}/README.md`, `# ${layer}\n\nPlanted.\n`);
  write("server/src/base/add.ts", "export const add = (a: number, b: number): number => a + b;\n");
  write("server/src/call/sum.ts", 'import { add } from "../base/add.ts";\n\nexport const sum: number = add(1, 2);\n');
  write("server/src/call/twice.ts", 'import { sum } from "./sum.ts";\n\nexport const twice: number = 2 * sum;\n');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Runs a check in the planted tree and gives what it printed, or undefined when it succeeded. */
function failureOf(check: string): string | undefined {
  // With CI=true not everything is remembered.
  const { NODE_TEST_CONTEXT: _, CI: __, ...env } = process.env;
  const run = spawnSync(process.execPath, [join(folder, "tools", check)], { cwd: root, encoding: "utf8", env });
  return run.status === 0 ? undefined : run.stdout + run.stderr;
}

function succeeds(check: string): void {
  assert.equal(failureOf(check), undefined);
}

/** Fails with that. The compiler remembers errors too, so it is asked twice. */
function fails(check: string, output: RegExp): void {
  assert.match(failureOf(check) ?? "succeeded", output);
  if (check === "types.ts") assert.match(failureOf(check) ?? "succeeded", output);
}

function changeRule(path: string, from: string, to: string): void {
  const rule = readFileSync(join(folder, "tools", path), "utf8");
  assert.ok(rule.includes(from), `${path} has no ${from}`);
  writeFileSync(join(folder, "tools", path), rule.replace(from, to));
}

test("types: a change in one file is an error in those that import it, directly or not", () => {
  succeeds("types.ts");
  write("server/src/call/sum.ts", 'export const sum = "3";\n');
  fails("types.ts", /server\/src\/call\/twice\.ts\(3,\d+\): error TS2363/);
  write("server/src/call/sum.ts", "export const sum = 3;\n");
  succeeds("types.ts");
  rmSync(join(root, "server/src/call/sum.ts"));
  fails("types.ts", /twice\.ts.*error TS2307/);
});

test("types: workspaces of the program at the root are judged with it", () => {
  write("tsconfig.json", '{ "extends": "./tsconfig.base.json", "include": ["server/src"] }\n');
  succeeds("types.ts");
  write("server/src/call/sum.ts", 'export const sum = "3";\n');
  fails("types.ts", /twice\.ts\(3,\d+\): error TS2363[\s\S]*errors in \./);
});

test("types: other options judge every file again", () => {
  write(
    "server/src/base/add.ts",
    "export const add = (a: number, b: number): number => {\n  const c = 1;\n  return a + b;\n};\n",
  );
  const lax = { extends: "../tsconfig.base.json", include: ["src"], compilerOptions: { noUnusedLocals: false } };
  write("server/tsconfig.json", JSON.stringify(lax));
  succeeds("types.ts");
  write("server/tsconfig.json", JSON.stringify({ ...lax, compilerOptions: {} }));
  fails("types.ts", /add\.ts\(2,\d+\): error TS6133/);
});

test("format and lint: a violation in a file that was in order is found", () => {
  succeeds("format.ts");
  write("server/src/base/add.ts", "export const add = (a: number, b: number): number => a  + b;\n");
  fails("format.ts", /server\/src\/base\/add\.ts format/);
});

test("format and lint: other settings judge every file again", () => {
  write("server/src/base/more.ts", "export const More_Of_It = 1;\n");
  succeeds("format.ts");
  const settings = readFileSync(join(root, "biome.json"), "utf8");
  const rule = '"noDefaultExport": "error",';
  write("biome.json", settings.replace(rule, `${rule}\n        "useNamingConvention": "error",`));
  fails("format.ts", /more\.ts:1:\d+ lint\/style\/useNamingConvention/);
});

test("format and lint: no rule asks more of another file than its path", () => {
  // What is kept by file would hide what such a rule finds: the rules of the domains "project" and "types" of Biome.
  const acrossFiles = [
    /no(?:ImportCycles|PrivateImports|UnresolvedImports|UndeclaredDependencies|Deprecated\w*Imports)/,
    /noFloatingPromises|noMisusedPromises|useExhaustiveSwitchCases|useArraySortCompare|nursery\//,
  ];
  const rage = spawnSync(
    process.execPath,
    [join(repository, "node_modules/@biomejs/biome/bin/biome"), "rage", "--linter"],
    {
      cwd: repository,
      encoding: "utf8",
    },
  ).stdout;
  assert.match(rage, /^ +correctness\/noUnusedVariables$/m);
  for (const names of acrossFiles) assert.doesNotMatch(rage, names);
});

test("conventions: a violation in a file that was in order is found", () => {
  succeeds("conventions/check.ts");
  write("server/src/base/add.ts", "export const add = (): number => Date.now();\n");
  fails("conventions/check.ts", /^clock: server\/src\/base\/add\.ts:1 /);
});

test("conventions: a changed rule judges every file again", () => {
  write(
    "server/src/base/add.ts",
    `export const add = (a: number, b: number): number => a + b;\n${"// Planted.\n".repeat(150)}`,
  );
  succeeds("conventions/check.ts");
  changeRule("conventions/size.ts", "longestFile = 400", "longestFile = 100");
  fails("conventions/check.ts", /^file-length: server\/src\/base\/add\.ts:101 /);
});

const imports: readonly (readonly [path: string, content: string])[] = [
  ["a.ts", 'import { b } from "../b.ts";'],
  ["a.ts", 'import "../b.ts";'],
  ["a.ts", "  import type { b } from '../b.ts';"],
  ["a.ts", 'import {\n  b,\n  c,\n} from "../b.ts";'],
  ["a.ts", 'export * from "../b.ts";'],
  ["a.ts", 'export { b } from "../b.ts";'],
  ["a.ts", 'import b = require("../b.ts");'],
  ["a.ts", 'export const a = () => import("../b.ts");'],
  ["a.ts", "export const a = () => import(`../b.ts`);"],
  ["a.ts", 'export const a = require("../b.ts");'],
  ["a.ts", 'export const a = globalThis.process.getBuiltinModule("../b.ts");'],
  ["a.ts", 'export type A = import("../b.ts").A;'],
  ["a.ts", '/// <reference path="../b.ts" />'],
  ["a.ts", 'const text = `\nimport "../b.ts";\n`;'],
  ["a.js", 'define(["../b.ts"], () => {});'],
];

test("dependency rules: every import is known by what it names, however it is written", () => {
  for (const [path, content] of imports) {
    assert.notDeepEqual(importsOf(path, content), importsOf(path, content.replace("b.ts", "c.ts")), content);
  }
  assert.deepEqual(importsOf("a.ts", "const a = 1;\n"), importsOf("a.ts", "const a = 2;\n"));
});

test("dependency rules: an import of a type and one of a value are two", () => {
  assert.notDeepEqual(
    importsOf("a.ts", 'import type { b } from "./b.ts";'),
    importsOf("a.ts", 'import { b } from "./b.ts";'),
  );
});

test("dependency rules: an import that breaks one is found, in a file that was in order", () => {
  succeeds("dependency/check.ts");
  write("server/src/base/add.ts", "export const add = (a: number, b: number): number => b + a;\n");
  succeeds("dependency/check.ts");
  write("server/src/base/add.ts", 'import { sum } from "../call/sum.ts";\n\nexport const add = sum;\n');
  fails("dependency/check.ts", /^order-of-layers\/base: /m);
});

test("dependency rules: a missing file, a layer that the order lacks and a package of another kind are found", () => {
  succeeds("dependency/check.ts");
  rmSync(join(root, "server/src/base/add.ts"));
  fails("dependency/check.ts", /^resolves: server\/src\/call\/sum\.ts/m);
  write("server/src/base/add.ts", 'import pg from "pg";\n\nexport const add = pg;\n');
  const manifest = { name: "doorward", type: "module" };
  write("server/package.json", JSON.stringify({ ...manifest, devDependencies: { pg: "1.0.0" } }));
  fails("dependency/check.ts", /^source-without-development-packages: /m);
  write("server/src/base/add.ts", "export const add = 1;\n");
  write("server/src/lobby/a.ts", "export const a = 1;\n");
  fails("dependency/check.ts", /^unordered: server\/src\/lobby /m);
});

test("dependency rules: a changed rule judges every import again", () => {
  succeeds("dependency/check.ts");
  changeRule("dependency/layers.ts", '"call"', '"hall"');
  fails("dependency/check.ts", /^unordered: /m);
});

test("a step that succeeded runs again when a file that it judges has changed, and one that failed always does", () => {
  writeFileSync(
    join(folder, "tools/steps.ts"),
    [
      'import process from "node:process";',
      'import { runSteps } from "./step.ts";',
      `const program = 'const { readFileSync } = require("node:fs"); process.exitCode = Number(readFileSync("a.txt", "utf8"));';`,
      'const results = await runSteps([{ name: "planted", command: ["node", "-e", program], judges: /txt$/ }]);',
      "process.exitCode = results[0]?.isOk ? 0 : 1;",
      "",
    ].join("\n"),
  );
  const run = () =>
    spawnSync(process.execPath, [join(folder, "tools/steps.ts")], { cwd: root, encoding: "utf8" }).stdout;
  write("a.txt", "0");
  assert.match(run(), /^ok {3}planted \(\d+\.\d s\)$/m);
  assert.match(run(), /^ok {3}planted \(unchanged\)$/m);
  write("a.txt", "1");
  assert.match(run(), /^FAIL planted \(\d+\.\d s\)$/m);
  assert.match(run(), /^FAIL planted \(\d+\.\d s\)$/m);
  write("a.txt", "0");
  assert.match(run(), /^ok {3}planted /m);
  rmSync(join(root, "node_modules/.package-lock.json"));
  assert.match(run(), /^ok {3}planted \(\d+\.\d s\)$/m);
  assert.match(run(), /^ok {3}planted \(\d+\.\d s\)$/m);
});

test("an unreadable cache counts as empty", () => {
  succeeds("conventions/check.ts");
  write("node_modules/.cache/doorward/conventions.json", '{"rules":');
  write("node_modules/.cache/doorward/types-server.tsbuildinfo", '{"version":');
  write("server/src/base/add.ts", "export const add = (): number => Date.now();\n");
  fails("conventions/check.ts", /^clock: /);
  fails("types.ts", /sum\.ts\(3,\d+\): error TS2554/);
});
