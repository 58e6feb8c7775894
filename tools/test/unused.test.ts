import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { type TestContext, test } from "node:test";

const repository = resolve(import.meta.dirname, "../..");
const knip = join(repository, "node_modules/knip/bin/knip.js");

type Files = Readonly<Record<string, string>>;

// A server of three files in which everything is used; the configuration is that of the repository.
const sound: Files = {
  "package.json": JSON.stringify({ name: "planted", type: "module", workspaces: ["server"] }),
  "server/package.json": JSON.stringify({
    name: "doorward",
    type: "module",
    bin: { doorward: "bin/doorward.js" },
    dependencies: { "left-pad": "1.0.0" },
  }),
  "server/bin/doorward.js": 'const { main } = await import("../src/main.ts");\nmain();\n',
  "server/src/main.ts": [
    'import pad from "left-pad";',
    'import { addUser, type User } from "./domain/user/index.ts";',
    "export const main = (): User => addUser(pad());",
    "",
  ].join("\n"),
  "server/src/domain/user/index.ts": 'export { addUser, type User } from "./add-user.ts";\n',
  "server/src/domain/user/add-user.ts": [
    "export interface User {\n  readonly name: string;\n}",
    "export const longest = 200;",
    "export const addUser = (name: string): User => ({ name: name.slice(0, longest) });",
    "",
  ].join("\n"),
  "server/test/user.test.ts": 'import { longest } from "../src/domain/user/add-user.ts";\nconsole.log(longest);\n',
};

interface Report {
  readonly issues: readonly (Readonly<Record<string, unknown>> & { readonly file: string })[];
}

/** What is reported in the sound tree with other files beside it or instead of its own: kind, file, name. */
function reported(t: TestContext, files: Files): string[] {
  const root = mkdtempSync(join(tmpdir(), "doorward-unused-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(repository, "knip.jsonc"), join(root, "knip.jsonc"));
  for (const [path, content] of Object.entries({ ...sound, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [knip, "--directory", root, "--reporter", "json"], {
    encoding: "utf8",
  });
  assert.ok(status === 0 || status === 1, stderr);
  const { issues } = JSON.parse(stdout) as Report;
  const found = issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, names]) =>
      Array.isArray(names)
        ? (names as { name: string }[]).map(({ name }) => `${kind}: ${name === file ? file : `${file} ${name}`}`)
        : [],
    ),
  );
  assert.equal(status, found.length === 0 ? 0 : 1);
  return found.sort();
}

const main = sound["server/src/main.ts"] ?? "";
const addUser = sound["server/src/domain/user/add-user.ts"] ?? "";

const planted: readonly (readonly [what: string, files: Files, expected: string])[] = [
  [
    "an export that only its own file uses",
    { "server/src/main.ts": `${main}export const limit = 1;\nconsole.log(limit);\n` },
    "exports: server/src/main.ts limit",
  ],
  [
    "a type that only its own file uses",
    { "server/src/main.ts": `${main}export type Limit = 1;\nconst limit: Limit = 1;\nconsole.log(limit);\n` },
    "types: server/src/main.ts Limit",
  ],
  [
    "a test's export that no file imports",
    { "server/test/b.test.ts": "export const limit = 1;\n" },
    "exports: server/test/b.test.ts limit",
  ],
  [
    "a name at a door that is imported past the door only",
    { "server/src/domain/user/index.ts": 'export { addUser, longest, type User } from "./add-user.ts";\n' },
    "exports: server/src/domain/user/index.ts longest",
  ],
  [
    "a type at a door that no file imports",
    {
      "server/src/domain/user/index.ts": 'export { addUser, type Name, type User } from "./add-user.ts";\n',
      "server/src/domain/user/add-user.ts": `${addUser.replace("name: string):", "name: Name):")}type Name = string;\nexport type { Name };\n`,
    },
    "types: server/src/domain/user/index.ts Name",
  ],
  ["a file that no file imports", { "server/src/base/a.ts": "export {};\n" }, "files: server/src/base/a.ts"],
  [
    "a file of the tests that no test imports",
    { "server/test/support/a.ts": "export {};\n" },
    "files: server/test/support/a.ts",
  ],
  [
    "a package that is listed and not imported",
    { "server/src/main.ts": main.replace('import pad from "left-pad";', "const pad = String;") },
    "dependencies: server/package.json left-pad",
  ],
  [
    "a development package that is listed and not imported",
    {
      "server/package.json": (sound["server/package.json"] ?? "").replace(
        "}}",
        '},"devDependencies":{"right-pad":"1.0.0"}}',
      ),
    },
    "devDependencies: server/package.json right-pad",
  ],
  [
    "a package that is imported and not listed",
    { "server/src/main.ts": `import "right-pad";\n${main}` },
    "unlisted: server/src/main.ts right-pad",
  ],
  [
    "a package that only another workspace lists",
    {
      "package.json": JSON.stringify({ name: "planted", type: "module", workspaces: ["server", "tools"] }),
      "tools/package.json": JSON.stringify({ name: "tools", type: "module" }),
      "tools/test/a.test.ts": 'import "left-pad";\n',
    },
    "unlisted: tools/test/a.test.ts left-pad",
  ],
];

test("a tree in which everything is used passes", (t) => {
  assert.deepEqual(reported(t, {}), []);
});

/** One tree with several violations in different files, because reading a tree takes all of the time. */
interface PlantedTree {
  files: Files;
  readonly expected: string[];
  found?: readonly string[];
}

const trees: PlantedTree[] = [];

function plant(files: Files, expected: string): PlantedTree {
  const found = trees.find((one) => Object.keys(files).every((path) => !(path in one.files)));
  const tree = found ?? { files: {}, expected: [] };
  if (found === undefined) trees.push(tree);
  tree.files = { ...tree.files, ...files };
  tree.expected.push(expected);
  return tree;
}

for (const [what, files, expected] of planted) {
  const tree = plant(files, expected);
  test(`${what} is reported`, (t) => {
    tree.found ??= reported(t, tree.files);
    const { found } = tree;
    assert.ok(found.includes(expected), `${expected} is missing: ${found.join(", ")}`);
    assert.deepEqual(found, [...tree.expected].sort());
  });
}

test("members of a namespace and of an import at run time are told apart", (t) => {
  const both = "export const used = 1;\nexport const unused = 2;\n";
  assert.deepEqual(
    reported(t, {
      "server/src/base/a.ts": both,
      "server/src/base/b.ts": both,
      "server/test/a.test.ts": [
        'import * as a from "../src/base/a.ts";',
        'const { used } = await import("../src/base/b.ts");',
        "console.log(a.used, used);",
        "",
      ].join("\n"),
    }),
    ["a", "b"].map((name) => `exports: server/src/base/${name}.ts unused`),
  );
});
