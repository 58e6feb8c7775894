import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Entry {
  /** Only where a package is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "../..");
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const { packages } = readJson("package-lock.json") as { packages: Readonly<Record<string, Entry>> };
const { allowScripts } = readJson("package.json") as { allowScripts: Readonly<Record<string, boolean>> };
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes("node_modules/") && link !== true,
);

// Take a version that the registry has for every platform; `npm ci` refuses a lock file without them.
test("the lock file has every platform's optional packages, so that npm ci works everywhere", () => {
  const names = new Set(installed.map(([path]) => nameOf(path)));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !names.has(name))
      .map(([name, version]) => `${name}@${version}, wanted by ${nameOf(path)}`),
  );
  assert.deepEqual(missing, []);
});

test("every package is pinned by its content", () => {
  assert.deepEqual(
    installed
      .filter(([, { integrity, version }]) => integrity === undefined || version === undefined)
      .map(([path]) => path),
    [],
  );
});

test("no package runs a script when it is installed", () => {
  const scripted = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => nameOf(path));
  assert.deepEqual(
    scripted.filter((name) => allowScripts[name] !== false),
    [],
    "refuse it: npm install-scripts deny",
  );
});

test("there is one compiler with a JavaScript interface beside the one that checks types", () => {
  const compilers = installed.filter(([path, { name = nameOf(path) }]) => name === "typescript");
  assert.deepEqual(
    compilers.map(([path]) => path),
    ["node_modules/@typescript/native", "node_modules/typescript"],
  );
});

test("direct dependencies are pinned exactly", () => {
  const { workspaces } = readJson("package.json") as { workspaces: readonly string[] };
  const loose = ["", ...workspaces].flatMap((workspace) => {
    const manifest = readJson(join(workspace, "package.json")) as Readonly<
      Record<string, Readonly<Record<string, string>>>
    >;
    return ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {})
        .filter(([, version]) => !/^(?:npm:[\w@./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${workspace}: ${name}@${version}`),
    );
  });
  assert.deepEqual(loose, []);
});
