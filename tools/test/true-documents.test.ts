import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCommands, type KnownCommand } from "../docs/true/check-commands.ts";
import { checkLinks } from "../docs/true/check-links.ts";
import { checkEvents, checkIdentifiers, wordsOf } from "../docs/true/check-names.ts";
import { judgePath } from "../docs/true/check-paths.ts";
import { checkRoutes } from "../docs/true/check-routes.ts";
import { checkSettings } from "../docs/true/check-settings.ts";
import { namedInComments } from "../docs/true/comments.ts";
import { isExcepted } from "../docs/true/exceptions.ts";
import { createFileIndex } from "../docs/true/file-index.ts";
import { readPage } from "../docs/true/page.ts";

const files = createFileIndex([
  "README.md",
  "package.json",
  "docs/guide.md",
  "server/src/base/README.md",
  "server/src/base/clock.ts",
  "server/src/base/jose/sign.ts",
  "server/src/http/README.md",
  "server/src/http/router.ts",
  "server/src/http/index.ts",
  "server/src/text/texts.ts",
  "server/texts/de/pages.json",
  "server/test/http/router.test.ts",
  "tools/test.ts",
  "e2e/test/flows-sign-in.test.ts",
]);

test("a page is read: spans over the end of a line, rows, links, anchors, blocks of commands", () => {
  const page = readPage(
    "docs/guide.md",
    [
      "# A guide, with `code`",
      "",
      "Run `npm",
      "start`, see [it](a.md#b) and `[not](this)`. A lone ` here",
      "",
      "| `a\\|b` | `c` |",
      "| `d` |",
      "## A guide, with code",
      "```sh",
      "curl \\",
      "  -X GET $URL/x",
      "```",
      "```json",
      '{"not": "a command"}',
      "```",
      "last `span`",
    ].join("\n"),
  );
  assert.deepEqual(page.spans, [
    { text: "code", line: 1 },
    { text: "npm start", line: 3 },
    { text: "[not](this)", line: 4 },
    { text: "a|b", line: 6 },
    { text: "c", line: 6 },
    { text: "d", line: 7 },
    { text: "span", line: 16 },
  ]);
  assert.deepEqual(page.linkTargets, [{ text: "a.md#b", line: 4 }]);
  assert.deepEqual([...page.anchors], ["a-guide-with-code", "a-guide-with-code-1"]);
  assert.deepEqual(page.commandLines, [{ text: "curl -X GET $URL/x", line: 10 }]);
});

const absentPaths: readonly (readonly [page: string, named: string])[] = [
  ["docs/guide.md", "server/src/base/gone.ts"],
  ["docs/guide.md", "gone.ts"],
  ["docs/guide.md", "docs/design/"],
  ["docs/guide.md", "base/outbound"],
  ["docs/guide.md", "http/gone"],
  ["docs/guide.md", "e2e/test/gone-"],
  ["docs/guide.md", "../gone.md"],
  ["docs/guide.md", "server/texts/<language>/gone.json"],
  ["docs/guide.md", "server/src/{base,gone}/gone.ts"],
  ["docs/guide.md", "gone.ts#L1"],
  ["server/src/base/README.md", "router.ts"],
  ["server/src/base/README.md", "smtp/"],
  ["server/src/base/README.md", "*.store.ts"],
];

for (const [page, named] of absentPaths) {
  test(`${named} in ${page} is reported`, () => {
    assert.equal(judgePath(files, page, named), "does not exist");
  });
}

const fine: readonly (readonly [page: string, named: string])[] = [
  ["docs/guide.md", "server/src/base/clock.ts"],
  ["docs/guide.md", "router.ts"],
  ["docs/guide.md", "base/clock.ts"],
  ["docs/guide.md", "base/jose"],
  ["docs/guide.md", "http/router"],
  ["docs/guide.md", "server/texts/<language>/pages.json"],
  ["docs/guide.md", "server/src/{base,http}/README.md"],
  ["docs/guide.md", "../README.md#more"],
  ["docs/guide.md", "server/test/http/router"],
  ["docs/guide.md", "e2e/test/flows-"],
  ["server/src/base/README.md", "jose/"],
  ["server/src/base/README.md", "sign.ts"],
  ["server/src/base/README.md", "index.ts"],
  ["server/src/base/README.md", "package.json"],
  // What is not a path.
  ["docs/guide.md", "/v2/users/"],
  ["docs/guide.md", "https://example.com/a.json"],
  ["docs/guide.md", "application/json"],
  ["docs/guide.md", "text/html"],
  ["docs/guide.md", "user.email.set"],
  ["docs/guide.md", "process.env"],
  ["docs/guide.md", "@scope/package"],
  ["docs/guide.md", "either/or"],
  ["docs/guide.md", ".ts"],
  ["docs/guide.md", "node gone.ts"],
];

for (const [page, named] of fine) {
  test(`${named} in ${page} is not reported`, () => {
    assert.equal(judgePath(files, page, named), undefined);
  });
}

test("an exception is for the names and the file that it says", () => {
  assert.ok(isExcepted("README.md", "./.doorward"));
  assert.ok(isExcepted("ARCHITECTURE.md", "thing.store.ts"));
  assert.ok(!isExcepted("README.md", "thing.store.ts"));
  assert.ok(!isExcepted("README.md", "gone.ts"));
});

test("names of files in comments are found, and no others", () => {
  const named = (text: string): string[] => namedInComments(text).map((piece) => piece.text);
  assert.deepEqual(named("// See gone.ts and base/clock.ts."), ["gone.ts", "base/clock.ts"]);
  assert.deepEqual(named("/** As `http/router` does. */"), ["http/router"]);
  assert.deepEqual(named("const a = 1; // as in tools/test.ts"), ["tools/test.ts"]);
  assert.deepEqual(named(" * Everything in *.store.ts"), ["*.store.ts"]);
  assert.deepEqual(named('import { a } from "./gone.ts";'), []);
  assert.deepEqual(named("// Node.js, user.email.set, example.com/a.tsv, https://example.com/x.json"), []);
});

test("a link to a file or heading that does not exist is reported", () => {
  const other = readPage("README.md", "# More\n");
  const check = (link: string) => {
    const page = readPage("docs/guide.md", `# Own heading\n\nSee [it](${link}).\n`);
    return checkLinks(page, new Map([other, page].map((each) => [each.path, each])), files).length;
  };
  for (const link of ["gone.md", "../README.md#gone", "#gone", "../gone/"]) assert.equal(check(link), 1, link);
  const good = [
    "../README.md",
    "../README.md#more",
    "#own-heading",
    "../server/src/",
    "..",
    "https://example.com/gone.md",
  ];
  for (const link of good) assert.equal(check(link), 0, link);
});

const command = (name: string, flags: readonly string[], subcommands: readonly KnownCommand[] = []): KnownCommand => ({
  name,
  flags: new Set(flags),
  subcommands: new Map(subcommands.map((inner) => [inner.name, inner])),
});

test("a command, a flag or an npm script that does not exist is reported", () => {
  const doorward = command(
    "doorward",
    [],
    [command("start", ["--port"]), command("app", [], [command("create", ["--type"])])],
  );
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "": ["test", "lint:all", "doorward"],
    examples: ["start"],
  };
  const known = { doorward, scriptsIn: (folder: string) => new Set(scripts[folder]) };
  const count = (path: string, text: string) => checkCommands(readPage(path, text), known).length;
  const wrong = ["npm run gone", "npm start", "doorward gone", "doorward app gone", "doorward start --gone"];
  for (const text of [...wrong, "A=b npm run gone", "npm run doorward -- app gone", "cd x && npm run gone -- y"]) {
    assert.equal(count("README.md", `Run \`${text}\`.`), 1, text);
    assert.equal(count("README.md", `\`\`\`sh\n${text}\n\`\`\``), 1, text);
  }
  const right = [
    "npm test",
    "npm test -- PART",
    "npm run lint:all",
    "npm ci",
    "npm run <name>",
    "doorward start --port=80 x",
  ];
  for (const text of [
    ...right,
    "doorward app create web --type native",
    "doorward <command>",
    "npm run doorward -- start",
  ]) {
    assert.equal(count("README.md", `Run \`${text}\`.`), 0, text);
  }
  assert.equal(count("examples/README.md", "`npm start`"), 0);
  assert.equal(count("README.md", "`npm run start -w examples`"), 0);
  for (const text of ["npm run gone -w examples", "npm run test -w examples", "npm run start -w gone"]) {
    assert.equal(count("README.md", `\`${text}\``), 1, text);
  }
  assert.equal(count("README.md", "```sh\nnpm test   # or npm run gone\n```"), 0);
});

test("a variable that nothing reads is reported", () => {
  const known = new Set(["DOORWARD_PORT", "DOORWARD_BOOTSTRAP_ADMIN"]);
  const found = (text: string) => checkSettings(readPage("docs/guide.md", text), known).map((each) => each.text);
  assert.deepEqual(found("`DOORWARD_PROT` and\n```sh\nDOORWARD_GONE_ x\n```"), ["DOORWARD_PROT", "DOORWARD_GONE_"]);
  assert.deepEqual(found("DOORWARD_PORT, `DOORWARD_BOOTSTRAP_*`"), []);
});

test("a route that the server does not have is reported", () => {
  const routes = [
    { methods: ["GET", "DELETE"], path: "/v2/users/:user_id" },
    { methods: ["POST"], path: "/v2/users/search" },
    { methods: ["PUT"], path: "/admin/v1/roles/*" },
    { methods: ["GET"], path: "/assets/logo/dark" },
    { methods: ["GET"], path: "/assets/icon" },
  ];
  const found = (text: string) => checkRoutes(readPage("docs/guide.md", text), routes).map((each) => each.text);
  const wrong = [
    "POST /v2/users/{id}",
    "GET /v2/users/{id}/gone",
    "/v2/gone",
    "PUT /v2/users",
    "GET …/gone",
    "/assets/{icon|logo/light}",
  ];
  for (const text of wrong) assert.equal(found(`\`${text}\``).length, 1, text);
  const right = [
    "GET /v2/users/<id>?x=y",
    "/v2/users",
    "/v2",
    "/v2/…",
    "POST …/users/search",
    "PUT /admin/v1/roles/a/b",
  ];
  for (const text of [
    ...right,
    "/assets/{icon|logo/dark}",
    "/elsewhere/gone",
    "<origin>/v2/users",
    "https://a.example/v2/gone",
  ]) {
    assert.deepEqual(found(`\`${text}\``), [], text);
  }
  const block =
    "```sh\ncurl -X POST $URL/v2/users/search -d x\ncurl -X POST \\\n  $URL/v2/users/$ID\n" +
    "curl http://localhost:8080/v2/gone\n```";
  assert.deepEqual(found(block), ["POST /v2/users/$ID", "/v2/gone"]);
});

test("a name that no source has is reported", () => {
  const words = wordsOf(["export function findUser(user_id: UserId) {}"]);
  const found = (text: string) => checkIdentifiers(readPage("README.md", text), words).map((each) => each.text);
  assert.deepEqual(found("`findGone`, `goneRows()`, `gone_id`, `GoneId`"), [
    "findGone",
    "goneRows()",
    "gone_id",
    "GoneId",
  ]);
  assert.deepEqual(found("`findUser`, `findUser()`, `user_id`, `UserId`, `plain`, `a.b`, `npm test`"), []);
});

test("an event that is not recorded is reported", () => {
  const types = ["user.created", "user.totp.added", "user.totp_check.failed", "instance.idp.google.added"];
  const found = (text: string) => checkEvents(readPage("README.md", text), types).map((each) => each.text);
  assert.deepEqual(found("Text.\n\nEvents: `user.created|gone`,\n`gone.…`, `user.<kind>_check.gone`, `user.totp`."), [
    "user.gone",
    "gone.…",
    "user.<kind>_check.gone",
    "user.totp",
  ]);
  const right = "Events: `user.created|totp.added`, `user.…`, `user.totp.*`, `user.<kind>_check.failed`";
  assert.deepEqual(found(right), []);
  assert.deepEqual(found("Events: `instance.idp.<kind>.added`"), []);
  assert.deepEqual(found("Permission `user.gone`."), []);
});
