import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { checkDependencies, unread } from "../dependency/check.ts";
import { domainModules, layerPattern, layers, modulePattern } from "../dependency/layers.ts";
import { dependencyRules, transports } from "../dependency/rules.ts";
import { listAllFiles } from "../files.ts";

/** Files with what each imports. */
type Files = Readonly<Record<string, string | readonly string[]>>;

const home = process.cwd();
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doorward-rules-"));
  write("package.json", JSON.stringify({ name: "planted", type: "module", workspaces: ["server"] }));
  write(
    "server/package.json",
    JSON.stringify({
      name: "doorward",
      dependencies: packageNames(["1.0.0"]),
      devDependencies: { "left-pad": "1.0.0" },
    }),
  );
  for (const name of [...Object.keys(packageNames(["1.0.0"])), "left-pad"]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "module.exports = {};\n");
  }
  process.chdir(root);
});

afterEach(() => {
  process.chdir(home);
  rmSync(root, { recursive: true, force: true });
});

function packageNames([version = ""]: string[]): Record<string, string> {
  const names = ["pg", "hono", "undici", "commander", "@bufbuild/protobuf", "@connectrpc/connect"];
  return Object.fromEntries(names.map((name) => [name, version]));
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** Writes files that import each other and returns what was found in them. */
async function violationsOf(files: Files): Promise<readonly string[]> {
  for (const [path, imports] of Object.entries(files)) {
    const list = typeof imports === "string" ? [imports] : imports;
    write(path, [...list.map((target) => `import "${target}";`), "export {};", ""].join("\n"));
  }
  const { violations } = await checkDependencies(root);
  return violations;
}

/** Returns the names of the rules that such files break. */
async function brokenBy(files: Files): Promise<string[]> {
  const names = (await violationsOf(files)).map((line) => line.slice(0, line.indexOf(":")));
  return [...new Set(names)].sort();
}

test("a tree in order breaks no rule", async () => {
  assert.deepEqual(
    await brokenBy({
      "server/src/base/clock.ts": [],
      "server/src/database/index.ts": ["../base/clock.ts", "pg"],
      "server/src/domain/user/index.ts": ["./user.store.ts"],
      "server/src/domain/user/user.store.ts": ["../../database/index.ts"],
      "server/src/domain/session/index.ts": ["../user/index.ts", "../../base/clock.ts"],
      "server/src/api/v2/session/session.ts": ["../../../domain/session/index.ts", "@bufbuild/protobuf"],
      "server/src/api/v1/auth/session/session.ts": ["../../common/session/session.ts"],
      "server/src/api/v1/common/session/session.ts": ["../../../v2/session/session.ts"],
      "server/src/api/index.ts": ["./v2/session/session.ts", "./v1/auth/session/session.ts"],
      "server/src/html/html.ts": [],
      "server/src/oauth/form-post.ts": ["../html/html.ts", "../domain/session/index.ts"],
      "server/src/oauth/authorize/a.ts": ["./checks/a.ts", "../claims/a.ts"],
      "server/src/oauth/authorize/checks/a.ts": ["../b.ts"],
      "server/src/oauth/authorize/b.ts": ["../parameters.ts"],
      "server/src/oauth/parameters.ts": ["./claims/b.ts"],
      "server/src/oauth/claims/a.ts": [],
      "server/src/oauth/claims/b.ts": [],
      "server/src/app.ts": ["./oauth/form-post.ts", "./api/index.ts"],
      "server/src/main.ts": ["./app.ts"],
      "server/test/user.test.ts": ["../src/domain/user/user.store.ts", "left-pad"],
    }),
    [],
  );
});

test("the import of a type counts like any other", async () => {
  write("server/src/base/clock.ts", 'import type { Call } from "../call/call.ts";\nexport type X = Call;\n');
  write("server/src/call/call.ts", "export type Call = string;\n");
  const { violations } = await checkDependencies(root);
  assert.equal(violations.length, 1);
  assert.match(
    violations[0] ?? "",
    /^order-of-layers\/base: server\/src\/base\/clock\.ts → server\/src\/call\/call\.ts/,
  );
});

test("so does an import at run time", async () => {
  write("server/src/base/clock.ts", 'export const call = () => import("../call/call.ts");\n');
  write("server/src/call/call.ts", "export {};\n");
  const { violations } = await checkDependencies(root);
  assert.match(violations.join("\n"), /^order-of-layers\/base/);
});

const planted: readonly (readonly [string, string, Readonly<Record<string, string | readonly string[]>>])[] = [
  ["a circle", "no-cycle", { "server/src/base/a.ts": "./b.ts", "server/src/base/b.ts": "./a.ts" }],
  [
    "a circle of folders without a circle of files",
    "no-circle-of-folders",
    {
      "server/src/oauth/one/a.ts": "../two/a.ts",
      "server/src/oauth/two/a.ts": [],
      "server/src/oauth/two/b.ts": "../three/deep/a.ts",
      "server/src/oauth/three/deep/a.ts": [],
      "server/src/oauth/three/b.ts": "../one/b.ts",
      "server/src/oauth/one/b.ts": [],
    },
  ],
  ["a missing file", "resolves", { "server/src/base/a.ts": "./nowhere.ts" }],
  ["a missing package", "resolves", { "server/src/base/a.ts": "no-such-package" }],
  [
    "source that imports a test",
    "source-without-tests",
    { "server/src/base/a.ts": "../../test/support/b.ts", "server/test/support/b.ts": [] },
  ],
  [
    "source that imports a tool",
    "source-without-tests",
    { "server/src/base/a.ts": "../../../tools/b.ts", "tools/b.ts": [] },
  ],
  [
    "a browser module that imports a test",
    "source-without-tests",
    { "login/assets/a.js": "../../e2e/b.ts", "e2e/b.ts": [] },
  ],
  [
    "a browser module that imports a development package",
    "source-without-development-packages",
    { "login/assets/a.js": "left-pad" },
  ],
  ["a development package", "source-without-development-packages", { "server/src/base/a.ts": "left-pad" }],
  [
    "a browser module with the server",
    "browser-without-server",
    { "login/a.ts": "../server/src/base/b.ts", "server/src/base/b.ts": [] },
  ],
  [
    "a domain module past another's door",
    "door/domain",
    { "server/src/domain/session/index.ts": "../user/user.ts", "server/src/domain/user/user.ts": [] },
  ],
  [
    "an endpoint past a module's door",
    "door/domain",
    { "server/src/oauth/a.ts": "../domain/user/user.ts", "server/src/domain/user/user.ts": [] },
  ],
  [
    "a method of the API past a module's door",
    "door/domain",
    { "server/src/api/v2/user/user.ts": "../../../domain/user/user.ts", "server/src/domain/user/user.ts": [] },
  ],
  [
    "version 2 of the API with version 1",
    "api-generations",
    { "server/src/api/v2/user/user.ts": "../../v1/common/user/user.ts", "server/src/api/v1/common/user/user.ts": [] },
  ],
  [
    "a service of version 1 with another",
    "api-services",
    { "server/src/api/v1/auth/user/user.ts": "../../admin/user/user.ts", "server/src/api/v1/admin/user/user.ts": [] },
  ],
  [
    "what services of version 1 share with one of them",
    "api-services",
    { "server/src/api/v1/common/user/user.ts": "../../auth/user/user.ts", "server/src/api/v1/auth/user/user.ts": [] },
  ],
  [
    "the composition root past a module's door",
    "door/domain",
    { "server/src/app.ts": "./domain/user/user.ts", "server/src/domain/user/user.ts": [] },
  ],
  [
    "a module through its own door",
    "own-door",
    { "server/src/domain/user/user.ts": "./index.ts", "server/src/domain/user/index.ts": [] },
  ],
  [
    "a layer through its own door",
    "own-door",
    { "server/src/database/sqlite/a.ts": "../index.ts", "server/src/database/index.ts": [] },
  ],
  [
    "a way past the door of a layer",
    "door/database",
    {
      "server/src/domain/user/index.ts": "../../database/sql.ts",
      "server/src/database/sql.ts": [],
      "server/src/database/index.ts": [],
    },
  ],
  [
    "the composition root past a layer's door",
    "door/oauth",
    { "server/src/app.ts": "./oauth/token.ts", "server/src/oauth/token.ts": [], "server/src/oauth/index.ts": [] },
  ],
  ["an engine outside database", "database-engines", { "server/src/domain/user/user.store.ts": "pg" }],
  [
    "the built-in engine outside database",
    "database-engines",
    { "server/src/domain/user/user.store.ts": "node:sqlite" },
  ],
  [
    "a foreign store",
    "stores",
    { "server/src/oauth/a.ts": "../event/event.store.ts", "server/src/event/event.store.ts": [] },
  ],
  [
    "roles that are given past the step that follows them",
    "given-roles",
    {
      "server/src/domain/membership/appoint.ts": "./given-role.store.ts",
      "server/src/domain/membership/given-role.store.ts": [],
    },
  ],
  ["messages in an operation", "protobuf", { "server/src/domain/user/index.ts": "@bufbuild/protobuf" }],
  ["an adapter in the domain", "protobuf", { "server/src/domain/user/user.rpc.ts": "@bufbuild/protobuf" }],
  ["Connect in http", "protobuf", { "server/src/http/server.ts": "@connectrpc/connect" }],
  ["a second renderer", "html", { "server/src/pages/login/view.ts": "hono" }],
  ["a template library in the renderer", "html", { "server/src/html/html.ts": "hono" }],
  ["a second way out", "outbound", { "server/src/jobs/webhook.ts": "undici" }],
  ["a second command line", "command-line", { "server/src/http/server.ts": "commander" }],
  [
    "configuration below the root",
    "configuration",
    { "server/src/oauth/a.ts": "../config/config.ts", "server/src/config/config.ts": [] },
  ],
  ["a layer that the order lacks", "unordered", { "server/src/utils/a.ts": [] }],
  ["a domain module that the order lacks", "unordered", { "server/src/domain/helpers/index.ts": [] }],
];

/** One tree with independent violations, because reading a tree takes most of the time. */
interface PlantedTree {
  files: Files;
  violations?: Promise<readonly string[]>;
}

const trees: PlantedTree[] = [];

function plant(files: Files): PlantedTree {
  const isFree = (one: PlantedTree): boolean =>
    Object.entries(files).every(([path, imports]) => String(one.files[path] ?? imports) === String(imports));
  const found = trees.find(isFree);
  const tree = found ?? { files: {} };
  if (found === undefined) trees.push(tree);
  tree.files = { ...tree.files, ...files };
  return tree;
}

for (const [what, expected, files] of planted) {
  const tree = plant(files);
  test(`${what} is reported as ${expected}`, async () => {
    tree.violations ??= violationsOf(tree.files);
    const own = (await tree.violations).filter((line) => {
      const [, from = ""] = /^[^:]+: (\S+)/.exec(line) ?? [];
      return Object.keys(files).some((path) => path === from || path.startsWith(`${from}/`));
    });
    assert.ok(
      own.some((line) => line.startsWith(`${expected}:`)),
      `${expected} is missing: ${own.join(", ")}`,
    );
  });
}

test("every layer is refused what stands after it", async () => {
  const file = (layer: string): string => (layer.endsWith(".ts") ? layer : `${layer}/a.ts`);
  const files: Record<string, string[]> = {};
  for (const layer of layers) {
    const later = layers.slice(layers.indexOf(layer) + 1).map((other) => `@/${file(other)}`);
    const up = "../".repeat(file(layer).split("/").length - 1) || "./";
    files[`server/src/${file(layer)}`] = later.map((path) => path.replace("@/", up));
  }
  const broken = await brokenBy(files);
  assert.deepEqual(
    broken.filter((name) => name.startsWith("order-of-layers/")),
    layers
      .slice(0, -1)
      .map((layer) => `order-of-layers/${layer}`)
      .sort(),
  );
});

test("no transport imports another one", async () => {
  const files: Record<string, string[]> = {};
  for (const transport of transports) {
    const others = transports.filter((name) => name !== transport);
    files[`server/src/${transport}/index.ts`] = others.map((other) => `../${other}/index.ts`);
  }
  const broken = (await brokenBy(files)).filter((name) => name.startsWith("siblings/"));
  assert.deepEqual(broken, transports.map((transport) => `siblings/${transport}`).sort());
});

test("no domain module may import a later one", async () => {
  const files: Record<string, string[]> = {};
  domainModules.forEach((module, index) => {
    files[`server/src/domain/${module}/index.ts`] = domainModules
      .slice(index + 1)
      .map((other) => `../${other}/index.ts`);
  });
  const broken = await brokenBy(files);
  assert.deepEqual(
    broken,
    domainModules
      .slice(0, -1)
      .map((module) => `order-of-modules/${module}`)
      .sort(),
  );
});

test("no grant imports another one, whatever its name", async () => {
  const found = await violationsOf({
    "server/src/oauth/token/grants/leaf.ts": ["../grant.ts", "./leaf-green.ts"],
    "server/src/oauth/token/grants/leaf-green.ts": ["./tree/tree.ts"],
    "server/src/oauth/token/grants/tree/tree.ts": ["./branch.ts", "../../grant.ts"],
    "server/src/oauth/token/grants/tree/branch.ts": ["../root.ts"],
    "server/src/oauth/token/grants/root.ts": [],
    "server/src/oauth/token/grant.ts": [],
  });
  const grants = "server/src/oauth/token/grants";
  assert.deepEqual(found.map((line) => line.split("\n", 1)[0]).sort(), [
    `grants: ${grants}/leaf-green.ts → ${grants}/tree/tree.ts`,
    `grants: ${grants}/leaf.ts → ${grants}/leaf-green.ts`,
    `grants: ${grants}/tree/branch.ts → ${grants}/root.ts`,
  ]);
});

test("every rule is about files that exist", () => {
  const paths = listAllFiles(home);
  const rules = dependencyRules({ layers: [] }).map(({ name, from, to }) => ({
    name,
    patterns: [from.path ?? [], to.path ?? []].flat(),
  }));
  const order = [...layers.map(layerPattern), ...domainModules.map(modulePattern)];
  const dead = [...rules, { name: "order", patterns: order }].flatMap(({ name, patterns }) => {
    const aboutFiles = patterns.filter((pattern) => !/node_modules|\$1|node:/.test(pattern));
    return aboutFiles
      .filter((pattern) => !paths.some((path) => new RegExp(pattern).test(path)))
      .map((pattern) => `${name}: ${pattern}`);
  });
  assert.deepEqual(dead, []);
});

test("what the cruiser has not read is a violation", () => {
  write(
    "server/src/base/a.ts",
    'import { b } from "./b.ts";\nimport type { c } from "node:fs";\nexport * from "./d.ts";\n',
  );
  assert.deepEqual(unread(root, ["server/src/base/a.ts"], { modules: [] }), [
    "coverage: server/src/base/a.ts was not read",
  ]);
  const blind = { modules: [{ source: "server/src/base/a.ts", dependencies: [], dependents: [], valid: true }] };
  assert.equal(unread(root, ["server/src/base/a.ts"], blind).length, 3);
});

test("a tree without source is a violation", async () => {
  const { violations } = await checkDependencies(root);
  assert.deepEqual(violations, ["coverage: found no source files"]);
});
