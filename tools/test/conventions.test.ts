import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { checkConventions, readTree } from "../conventions/check.ts";

/** Names of the rules that the planted files break; the README of their folders is there. */
function brokenBy(files: Readonly<Record<string, string>>): string[] {
  const readme = "# layer\n\nOwns something.\n";
  const folders = Object.keys(files).flatMap((path) => /^server\/src\/(?:domain\/[^/]+|[^/]+)\//.exec(path)?.[0] ?? []);
  const readmes = folders.map((folder) => [`${folder}README.md`, readme] as const);
  const findings = checkConventions(new Map([...readmes, ...Object.entries(files)]));
  return [...new Set(findings.map(({ rule }) => rule))];
}

const planted: readonly (readonly [rule: string, path: string, source: string])[] = [
  ["clock", "server/src/oauth/a.ts", "export const now = Date.now();"],
  ["clock", "server/src/oauth/a.ts", "export const now = [1].map(Date.now);"],
  ["clock", "server/src/oauth/a.ts", 'export const now = Date["now"]();'],
  ["clock", "server/src/oauth/a.ts", "export const now = new Date();"],
  ["clock", "server/src/oauth/a.ts", "export const now = new Date;"],
  ["environment", "server/src/oauth/a.ts", "export const port = process.env.PORT;"],
  ["environment", "server/src/oauth/a.ts", 'import { env } from "node:process";\nexport const port = env;'],
  [
    "key-pair",
    "server/src/oauth/a.ts",
    'import { generateKeyPairSync } from "node:crypto";\nexport const pair = generateKeyPairSync("ed25519");',
  ],
  ["randomness", "server/src/oauth/a.ts", "export const id = Math.random();"],
  [
    "randomness",
    "server/src/oauth/a.ts",
    'import { randomBytes } from "node:crypto";\nexport const id = randomBytes(8);',
  ],
  ["randomness", "server/src/oauth/a.ts", 'import { randomUUID as id } from "crypto";\nexport { id };'],
  ["randomness", "server/src/oauth/a.ts", 'import * as all from "node:crypto";\nexport const id = all.randomBytes(8);'],
  ["randomness", "server/src/oauth/a.ts", "export const id = crypto.randomUUID();"],
  ["outbound", "server/src/jobs/a.ts", 'export const answer = fetch("https://example.com");'],
  ["outbound", "server/src/jobs/a.ts", 'export const answer = globalThis.fetch("https://example.com");'],
  ["outbound", "server/src/jobs/a.ts", 'import { request } from "node:https";\nexport { request };'],
  ["outbound", "server/src/jobs/a.ts", 'import http from "node:http";\nexport const a = http.get("http://x");'],
  ["outbound", "server/src/jobs/a.ts", 'import { connect } from "node:net";\nexport { connect };'],
  ["outbound", "server/src/http/a.ts", 'export const { request } = process.getBuiltinModule("node:http");'],
  [
    "outbound",
    "server/src/jobs/a.ts",
    'import { getBuiltinModule } from "node:process";\nexport { getBuiltinModule };',
  ],
  ["outbound", "server/src/jobs/a.ts", 'export const socket = new WebSocket("wss://example.com");'],
  ["sql", "server/src/oauth/a.ts", 'import { sql } from "../database/index.ts";\nexport const a = sql`select 1`;'],
  [
    "sql",
    "server/src/domain/user/a.ts",
    'import { type Tx, text } from "../../database/index.ts";\nexport const a = text;',
  ],
  ["markup", "server/src/oauth/a.ts", 'export const page = "<b>hello</b>";'],
  ["markup", "server/src/oauth/a.ts", "export const page = (name: string) => `<p>${name}</p>`;"],
  ["markup", "server/src/oauth/a.ts", 'export const page = "<!DOCTYPE html>";'],
  ["host", "server/src/oauth/a.ts", "export const issuer = (request: Request) => request.headers.host;"],
  ["host", "server/src/oauth/a.ts", 'export const issuer = (request: Request) => request.headers["host"];'],
  ["host", "server/src/oauth/a.ts", 'export const name = "x-forwarded-host";'],
  ["evaluation", "server/src/oauth/a.ts", 'export const a = eval("1");'],
  ["evaluation", "server/src/oauth/a.ts", 'export const a = new Function("return 1");'],
  ["evaluation", "server/src/oauth/a.ts", 'import { runInNewContext } from "node:vm";\nexport { runInNewContext };'],
  ["evaluation", "server/src/oauth/a.ts", "export const load = (name: string) => import(name);"],
  ["page", "server/src/domain/a/a.ts", "export const page = { offset: 0, limit: 1000 };"],
  ["page", "server/src/extension/a.ts", "export const f = (limit: number) => ({ page: { offset: 0, limit } });"],
  ["page", "server/src/api/v1/a.ts", "export const f = (rows: [], limit: number) => rows.length < limit;"],
  ["pattern", "server/src/oauth/a.ts", "export const match = (input: string) => new RegExp(input);"],
  ["pattern", "login/a.ts", "export const match = (input: string) => RegExp(`^${input}`);"],
  ["suppression", "server/src/oauth/a.ts", "// @ts-expect-error\nexport const a: string = 1;"],
  ["suppression", "server/src/oauth/a.ts", "export function f() {\n  return 1;\n  // biome-ignore lint/a/b:\n}"],
  ["suppression", "server/test/a.ts", "// oxlint-disable-next-line no-floating-promises\nexport const a = 1;"],
  ["spread", "server/src/oauth/a.ts", "export const f = (a: number, b: number) => ({ ...{ a }, b });"],
  ["spread", "server/test/a.test.ts", "export const a = { ...({ a: 1 } as const), b: 2 };"],
  ["spread", "e2e/a.ts", "export const a = { b: 2, ...({ a: 1 } satisfies object) };"],
  ["spread", "login/assets/a.js", "export const a = { b: { ...{ c: 3 } } };"],
  ["spread", "api/a.ts", "export const a = { ...{ ...process.env, b: 2 } };"],
  ["spread", "bench/a.ts", "export const f = (c: boolean) => ({ ...(c && { ...{ a: 1 }, b: 2 }) });"],
  ["spread", "examples/spa/a.ts", "export const a = { ...({}) };"],
  ["spread", "tools/a.ts", 'export const a = [...["a", "b"], "c"];'],
  ["spread", "server/test/a.test.ts", 'export const a = [...(["a", "b"] as const), "c"];'],
  ["file-length", "tools/a.ts", "export {};\n".repeat(401)],
  ["file-length", "server/src/main.ts", "export {};\n".repeat(41)],
  ["file-length", "server/src/app.ts", "export {};\n".repeat(201)],
  ["function-length", "server/src/oauth/a.ts", `export function f() {\n${"f();\n".repeat(79)}}`],
  ["function-length", "server/src/oauth/a.ts", `export const f = () => {\n${"f();\n".repeat(79)}};`],
  ["names", "docs/a.md", `Look into ${"/wo"}rk/main.`],
  ["names", "server/src/oauth/a.ts", `// ${"/tm"}p/wt/x\nexport {};`],
  ["names", "docs/a.md", `See ${"../sha"}red/spec.`],
  ["names", ".npmrc", `registry=https://${"registry.npm"}js.org/`],
  ["names", "AGENTS.md", `For ${"CLA"}UDE.`],
  ["words", "server/src/oauth/a.ts", "// He may sign in.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "/** Ends her session. */\nexport const a = 1;"],
  ["words", "server/test/a.ts", "export const a = 1; // nobody asks"],
  ["words", "server/src/oauth/a.ts", `/** ${"Returns it. ".repeat(10)}*/\nexport const a = 1;`],
  ["words", "server/test/a.ts", "// What no\n// one may do.\nexport {};"],
  ["words", "tools/a.cjs", "/*\n * Told to somebody else.\n */"],
  ["words", "e2e/a.ts", "export const a = `${/* whoever asks */ 1}`;"],
  ["words", "login/a.ts", "// Everybody may read it.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// A token for who\n// asked.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// Removes a hint that is none.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// E-mails are sent later.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// Not used any\n// more.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// Kept for ever.\nexport {};"],
  ["words", "server/src/oauth/a.ts", "// The colours of a page.\nexport {};"],
  ["words", "server/test/a.ts", 'test("a cancelled sign-in", () => {});'],
  ["words", "docs/a.md", "The name is normalised."],
  ["words", "docs/a.md", "The server analyses tables."],
  ["words", "server/test/a.ts", 'test("nobody reads it", () => {});'],
  ["words", "server/test/a.ts", "await t.test(`a user who is ${1} keeps his name`, () => {});"],
  ["words", "e2e/a.ts", 'browserTest("who asks is answered", () => {});'],
  ["words", "tools/a.ts", 'test.skip("only who may write writes", () => {});'],
  ["words", "server/test/a.ts", 'describe("codes by e-mail", () => {});'],
  ["words", "server/src/oauth/a.ts", "export const findPlace = 1;"],
  ["words", "server/src/oauth/a.ts", "export interface A {\n  readonly heldPlaces: string;\n}"],
  ["words", "server/test/a.test.ts", "export const makePlace = 1;"],
  ["words", "e2e/a.ts", "export interface Place {\n  readonly a: string;\n}"],
  ["words", "tools/a.ts", "export const f = (places: string[]) => places.length;"],
  ["words", "bench/a.ts", "export const a = { place: 1 };"],
  ["words", "examples/spa/a.ts", "export const findPlace = 1;"],
  ["words", "examples/login-app/a.ts", "export interface Way {\n  readonly id: string;\n}"],
  ["words", "server/src/pages/a.ts", "export const waysIn = 1;"],
  ["words", "server/test/a.test.ts", "export const makeUserWorld = (world: string) => world;"],
  ["words", "docs/a.md", "The page that *someone* opened."],
  ["words", "docs/a.md", "```sh\nls\n```\n\nAsk no one."],
  ["words", "CHANGELOG.md", "## [Unreleased]\n\n- Tells anybody.\n\n## [1.0.0]\n"],
  ["words", "login/assets/a.css", "/* as himself */\na {}"],
  ["words", "login/assets/a.css", `/* ${"wide ".repeat(24)}*/\na {}`],
  ["words", "proto/service/a.proto", "// Anybody may call it.\nmessage A {}"],
  ["words", "proto/service/a.proto", `message A {} // ${"wide ".repeat(24)}`],
];

for (const [index, [rule, path, source]] of planted.entries()) {
  test(`${rule} reports planted violation ${index + 1}: ${source.split("\n").at(-1)?.slice(0, 60)}`, () => {
    assert.deepEqual(brokenBy({ [path]: source }), [rule]);
  });
}

const allowed: readonly (readonly [what: string, path: string, source: string])[] = [
  ["the clock at home", "server/src/base/clock.ts", "export const now = () => Date.now();"],
  ["a date from a number", "server/src/oauth/a.ts", "export const iso = (at: number) => new Date(at).toISOString();"],
  [
    "words in comments and strings",
    "server/src/oauth/a.ts",
    '// Date.now() and eval("x")\nexport const a = "process.env Math.random()";',
  ],
  ["the environment at home", "server/src/config/a.ts", "export const port = process.env.PORT;"],
  ["the environment in tests", "server/test/a.test.ts", "export const ci = process.env.CI;"],
  ["a hash", "server/src/oauth/a.ts", 'import { createHash } from "node:crypto";\nexport { createHash };'],
  ["types of a module", "server/src/oauth/a.ts", 'import type { Socket } from "node:net";\nexport type { Socket };'],
  [
    "a built-in module in the listener",
    "server/src/http/listener.ts",
    'import { getBuiltinModule } from "node:process";\nexport const { createServer } = getBuiltinModule("node:http");',
  ],
  ["a server", "server/src/http/a.ts", 'import { createServer } from "node:http";\nexport { createServer };'],
  ["a method called fetch", "server/src/oauth/a.ts", "export const a = (cache: { fetch(): void }) => cache.fetch();"],
  [
    "statements in a store",
    "server/src/domain/user/user.store.ts",
    'import { sql } from "../../database/index.ts";\nexport const a = sql`select 1`;',
  ],
  [
    "markup through the renderer",
    "server/src/pages/login/a.ts",
    'import { html } from "../../html/html.ts";\nexport const a = html`<p>x</p>`;',
  ],
  ["the first of a list", "server/src/domain/a/a.ts", "export const page = { offset: 0, limit: 1 };"],
  [
    "one page with a reason",
    "server/src/domain/a/a.ts",
    "// One page: the newest are shown.\nexport const page = { offset: 0, limit: 10 };",
  ],
  ["a constant pattern", "server/src/oauth/a.ts", 'export const a = new RegExp("^a$");'],
  [
    "a suppression with a reason",
    "server/src/oauth/a.ts",
    "// @ts-expect-error the library lies\nexport const a: string = 1;",
  ],
  ["a suppression in a string", "server/src/oauth/a.ts", 'export const a = "@ts-ignore";'],
  [
    "a spread that leaves a property out",
    "server/src/oauth/a.ts",
    "export const f = (x?: number) => ({ a: 1, ...(x !== undefined && { x }) });",
  ],
  [
    "a spread of one of two literals",
    "server/src/oauth/a.ts",
    "export const f = (c: boolean) => ({ ...(c ? { a: 1 } : { b: 2 }), ...(c ? {} : { d: 3 }) });",
  ],
  [
    "a spread of what is not a literal",
    "server/src/oauth/a.ts",
    "export const f = (o: object, l: number[]) => [{ ...o, a: 1, b: { c: 2 } }, [...l, [1]], Math.max(...[1, 2])];",
  ],
  [
    "an array that is spread after a condition or a call",
    "tools/a.ts",
    'export const f = (c: boolean) => [...(c ? ["a"] : []), ...["a", "b"].map((name) => `${name}.`), "c"];',
  ],
  [
    "the parts of a pattern",
    "tools/a.ts",
    "export const f = ([first, ...rest]: number[]) => { const { a, ...others } = { a: rest }; return [first, a, others]; };",
  ],
  ["a file of 400 lines", "server/src/oauth/a.ts", "export {};\n".repeat(400)],
  ["a function of 80 lines", "server/src/oauth/a.ts", `export function f() {\n${"f();\n".repeat(78)}}`],
  [
    "a judged word in a string, a template or a pattern",
    "server/src/oauth/a.ts",
    'export const a = ["// nobody", `/* he ${1} */ her`, /\\/\\/ somebody/];',
  ],
  ["what is put into a title", "server/test/a.ts", "test(`answers ${nobody}`, () => {});"],
  ["a quotation in a title", "server/test/a.ts", "test('the page says \"nobody\"', () => {});"],
  ["a judged word in a call that is no test", "server/src/oauth/a.ts", 'export const a = /x/.test("nobody");'],
  ["users who act in a title", "server/test/a.ts", 'test("a user who asks is answered", () => {});'],
  ["a judged word as a name", "server/src/oauth/a.ts", "export const nobody = { he: 1 };"],
  ["a judged word inside of another", "server/src/oauth/a.ts", "// The sheet is where others gather.\nexport {};"],
  ["a long text", "server/src/oauth/a.ts", `export const a = "${"Returns it. ".repeat(10)}";`],
  ["an order to a checker", "server/src/oauth/a.ts", `// biome-ignore lint/a/b: ${"because ".repeat(14)}\nexport {};`],
  ["a quotation", "server/src/oauth/a.ts", '// The page says "nobody", the field is `he`.\nexport {};'],
  ["a longer word", "server/src/oauth/a.ts", "export const replacePlaceholders = 1;"],
  ["other longer words", "server/src/oauth/a.ts", "export const gateway = { isWorldwide: true, always: 1 };"],
  ["a column", "server/src/oauth/a.store.ts", "export const order = text(`place`);"],
  ["words of two comments", "server/src/oauth/a.ts", "export const a = 1; // no\nexport const one = 2; // one"],
  ["there are none", "proto/service/a.proto", "// Success when there are none.\nmessage A {}"],
  ["code in Markdown", "docs/a.md", "```\nwhoever\n```\n\n`nobody` and [a page](a/she.md)."],
  ["a released version", "CHANGELOG.md", "## [Unreleased]\n\n## [1.0.0]\n\n- Tells anybody.\n"],
  ["a measurement", "bench/results/a.md", "Nobody waits."],
  ["a generated page", "docs/a.md", "<!-- Written by `a` from b. Do not edit. -->\n\nFor everybody."],
  ["a frozen migration", "server/migrations/0001_a.sql", "-- nobody"],
  ["a wide statement of a contract", "proto/service/a.proto", `message A { string a = 1 [${"x ".repeat(60)}]; }`],
  ["a string of a contract", "proto/service/a.proto", 'message A { string a = 1 [b = "https://nobody"]; }'],
  ["a path inside a path", "docs/a.md", `https://example.com${"/wo"}rk/x and docs${"/wo"}rk/`],
];

for (const [what, path, source] of allowed) {
  test(`${what} breaks no convention`, () => {
    assert.deepEqual(brokenBy({ [path]: source }), []);
  });
}

test("a folder of more than 40 files is reported, of what ships and of tests", () => {
  const files = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${folder}/a${index}.ts`, "export {};\n"] as const),
    );
  // Each layer and module of the tree also has a README.md.
  assert.deepEqual(brokenBy(files("server/src/domain/user", 39)), []);
  assert.deepEqual(brokenBy(files("server/src/domain/user", 40)), ["folder-size"]);
  for (const folder of [
    "console/src/pages/user",
    "server/test/support",
    "server/test/oauth",
    "e2e/test",
    "tools/test",
  ]) {
    assert.deepEqual(brokenBy(files(folder, 40)), [], folder);
    assert.deepEqual(brokenBy(files(folder, 41)), ["folder-size"], folder);
  }
  assert.deepEqual(brokenBy(files("server/migrations", 41)), []);
});

test("two rules of the threat model that begin alike are reported", () => {
  const row = (rule: string) =>
    `| ${rule} | \`base/clock.ts\`, \`base/random.ts\`, \`base/secret.ts\` | \`server/test/base\` |`;
  const rule = "An export has the users that its caller may read and no others";
  const findings = (...rows: string[]) =>
    checkConventions(new Map([["docs/threat-model.md", `# Threat model\n\n${rows.map(row).join("\n")}\n`]]));
  assert.deepEqual(findings(rule, "A token ends with its user, and so does what was exchanged"), []);
  assert.deepEqual(
    findings(rule, `${rule}; its token is sealed`).map(({ rule: broken, line }) => [broken, line]),
    [["rows", 4]],
  );
});

test("a layer and a domain module without a README.md are reported", () => {
  const paths = (files: Record<string, string>) =>
    checkConventions(new Map(Object.entries(files))).map(({ path }) => path);
  assert.deepEqual(paths({ "server/src/oauth/a.ts": "export {};" }), ["server/src/oauth"]);
  assert.deepEqual(paths({ "server/src/oauth/a.ts": "export {};", "server/src/oauth/README.md": "# oauth\n" }), [
    "server/src/oauth",
  ]);
  assert.deepEqual(paths({ "server/src/domain/user/a.ts": "export {};" }), ["server/src/domain/user"]);
});

test("a function that a door offers needs a doc comment where it is declared", () => {
  const door = "server/src/domain/user/index.ts";
  const offer = 'export { addUser, type User } from "./add-user.ts";\n';
  const declare = "export function addUser() {}\nfunction inner() {}\nexport const limit = 3;\n";
  assert.deepEqual(brokenBy({ [door]: offer, "server/src/domain/user/add-user.ts": declare }), ["door-comment"]);
  assert.deepEqual(brokenBy({ [door]: offer, "server/src/domain/user/add-user.ts": `/** Adds. */\n${declare}` }), []);
  assert.deepEqual(brokenBy({ [door]: "export const addUser = () => {};" }), ["door-comment"]);
  assert.deepEqual(brokenBy({ [door]: 'export * from "./a.ts";', "server/src/domain/user/a.ts": declare }), [
    "door-comment",
  ]);
});

test("a function that no door offers needs none", () => {
  assert.deepEqual(brokenBy({ "server/src/domain/user/add-user.ts": "export function addUser() {}" }), []);
});

test("the conventions are checked over the whole repository", () => {
  const tree = readTree(resolve(import.meta.dirname, "../.."));
  for (const path of ["server/src/base/clock.ts", "tools/conventions/check.ts", "package.json", ".ci/run", "LICENSE"]) {
    assert.ok(tree.has(path), `${path} was not read`);
  }
  assert.ok(tree.size > 300, `only ${tree.size} files were read`);
});
