import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import type { Ending } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addOrganization, defaultOrganization } from "../support/people/people.ts";
import { makeDirectory, runCommand } from "../support/servers/command.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { linesOf, readMetadata, readUser, runImport, signsIn } from "./support.ts";

const marker = "doorward.import.unfinished";
const service = "service.user.v2.UserService";

/** Writes a table and returns its path. */
function writeTable(t: Ending, rows: readonly string[], header = "id,username,email,disabled"): string {
  const path = join(makeDirectory(t), "table.csv");
  writeFileSync(path, [header, ...rows, ""].join("\n"));
  return path;
}

const createUser = async (server: TestServer, organizationId: string, given: object): Promise<void> => {
  const human = { profile: { givenName: "G", familyName: "F" }, email: { email: "u@x.example", isVerified: true } };
  const made = await server.connect(`${service}/CreateUser`, { organizationId, human, ...given });
  assert.equal(made.status, 200, JSON.stringify(made.body));
};

serversInTurn((start, test) => {
  test("a run goes on where another was interrupted, and changes no other user who exists", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const elsewhere = await addOrganization(server, "Elsewhere");
    const metadata = [{ key: marker, value: Buffer.from("1").toString("base64") }];
    await createUser(server, organizationId, { userId: "begun", username: "begun", metadata });
    await createUser(server, organizationId, { userId: "own", username: "own" });
    await createUser(server, elsewhere, { userId: "foreign", username: "foreign", metadata });
    await createUser(server, organizationId, { userId: "other", username: "taken" });
    const names = ["begun", "own", "foreign", "new"];
    const rows = [...names.map((name) => `${name},${name},${name}@x.example,true`), "5,taken,t@x.example,"];

    const table = writeTable(t, rows);
    const checked = await runImport(t, server, [table, "--from=csv", "--dry-run"]);
    const done = await runImport(t, server, [table, "--from=csv"]);
    assert.deepEqual([checked.code, done.code], [1, 1], done.said);
    const { created, completed, existing, failed } = done.result;
    assert.deepEqual({ created, completed, existing, failed }, { created: 1, completed: 1, existing: 1, failed: 2 });
    assert.deepEqual(linesOf(done, "foreign"), ["failed id"]);
    assert.match(done.lines.find(({ user }) => user === "taken")?.why ?? "", /already has this username/);
    assert.deepEqual(linesOf(checked, "foreign"), ["failed id"]);
    assert.deepEqual(linesOf(checked, "taken"), ["failed username"]);

    const states = await Promise.all(names.map(async (name) => (await readUser(server, name)).state));
    const [inactive, active] = ["USER_STATE_INACTIVE", "USER_STATE_ACTIVE"];
    assert.deepEqual(states, [inactive, active, active, inactive]);
    for (const name of ["begun", "new"]) assert.deepEqual(await readMetadata(server, name), {}, "nothing is left over");

    const again = await runImport(t, server, [table, "--from=csv"]);
    assert.deepEqual([again.result.created, again.result.existing, again.result.failed], [0, 3, 2]);
  });

  test("entries without an id are found again by their username", async (t) => {
    const server = await start(t);
    const table = writeTable(t, ["ann,ann@x.example", "ben,ben@x.example", "ANN,ann2@x.example"], "username,email");
    const first = await runImport(t, server, [table, "--from=csv"]);
    assert.deepEqual([first.result.created, first.result.failed], [2, 1], first.said);
    const again = await runImport(t, server, [table, "--from=csv"]);
    assert.deepEqual([again.result.created, again.result.existing], [0, 2], again.said);
  });

  test("only callers who may write users of the organization import", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const { organizationId: elsewhere, token } = await addOwnedOrganization(server, "Elsewhere");
    const table = writeTable(t, ["1,one,one@x.example,"]);
    const args = [table, "--from=csv"];
    const refused = await runImport(t, server, [...args, `--organization=${organizationId}`], token);
    assert.equal(refused.code, 1, refused.said);
    assert.match(refused.result.error.fix, /--organization/);
    assert.equal((await server.connect(`${service}/GetUserByID`, { userId: "1" })).status, 404);
    const invalid = await runImport(t, server, args, "no-token");
    assert.deepEqual([invalid.code, invalid.result.error.problem === ""], [1, false]);
    const denied = await runImport(t, server, [...args, `--organization=${elsewhere}`], token);
    assert.match(denied.result.error.fix, /--new-ids/, "an id is chosen by administrators of the instance alone");
    for (const count of [1, 0]) {
      const allowed = await runImport(t, server, [...args, `--organization=${elsewhere}`, "--new-ids"], token);
      assert.deepEqual([allowed.code, allowed.result.created, allowed.result.existing], [0, count, 1 - count]);
    }
    const query = { loginNameQuery: { loginName: "one", method: "TEXT_QUERY_METHOD_STARTS_WITH" } };
    const [one] = (await server.connect(`${service}/ListUsers`, { queries: [query] })).body.result;
    assert.equal(one.details.resourceOwner, elsewhere);
    assert.deepEqual(await readMetadata(server, one.userId), { "doorward.import.id": "1" });
  });
});

type Verdict = "refuse" | "lose" | "pass";

/** A proxy that answers some calls that create users itself, or loses the answer. */
async function startProxy(t: Ending, server: TestServer, verdictOn: (count: number) => Verdict) {
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const content = await buffer(request);
    const verdict = request.url?.endsWith("/CreateUser") === true ? verdictOn(count++) : "pass";
    if (verdict === "refuse") {
      response.writeHead(429, { "retry-after": "0" }).end("too many");
      return;
    }
    const { authorization = "", "content-type": type = "" } = request.headers;
    const sent = { method: "POST", headers: { authorization, "content-type": type }, body: content.toString() };
    const answered = await fetch(`${server.origin}${request.url}`, sent);
    const text = await answered.text();
    if (verdict === "lose") response.destroy();
    else response.writeHead(answered.status, { "content-type": "application/json" }).end(text);
  };
  const proxy = createServer((request, response) => void answer(request, response));
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, calls: () => count };
}

test("calls that are refused for now, or whose answer is lost, are repeated", async (t) => {
  const server = await startServer(t, { engine: "sqlite" });
  const proxy = await startProxy(t, server, (count) => (count < 3 ? "refuse" : count === 4 ? "lose" : "pass"));
  const rows = Array.from({ length: 12 }, (_, index) => `u${index},u${index},u${index}@x.example,true`);
  const table = writeTable(t, rows);
  const done = await runImport(t, { ...server, origin: proxy.origin }, [table, "--from=csv", "--concurrency=4"]);
  assert.equal(done.code, 0, done.said);
  assert.equal(done.result.created + done.result.completed, 12, done.said);
  assert.equal(proxy.calls(), 12 + 3 + 1);
  for (let index = 0; index < 12; index++) {
    assert.equal((await readUser(server, `u${index}`)).state, "USER_STATE_INACTIVE");
    assert.deepEqual(await readMetadata(server, `u${index}`), {});
  }
});

test("a report in CSV has no formulas, can be read by its owner alone, and is never overwritten", async (t) => {
  const server = await startServer(t, { engine: "sqlite" });
  const directory = makeDirectory(t);
  const path = join(directory, "report.csv");
  writeFileSync(join(directory, "token"), server.ownerToken);
  const evil = '"=HYPERLINK(""http://evil.example"",""\u001b[31mx"")"';
  const hash = "$9$not-a-hash-we-know-0123456789";
  const table = writeTable(
    t,
    [`1,${evil},a@x.example,${hash}`, "2,+1+1,b@x.example,", `3,ok,c@x.example,${hash}`],
    "id,username,email,passwordHash",
  );
  const args = [
    "user",
    "import",
    table,
    "--from=csv",
    `--report=${path}`,
    `--url=${server.origin}`,
    "--token-file=token",
  ];
  const { code, stdout, stderr } = await runCommand(t, args, { in: directory });
  assert.equal(code, 1);
  const report = readFileSync(path, "utf8");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(report, /^file,row,user,field,what,why\r\ntable\.csv,2,"'=HYPERLINK/);
  assert.ok(!/(?:^|,)"?[=+@-]/m.test(report), report);
  assert.match(report, /table\.csv,4,ok,password,lost,/);
  assert.ok(!(report + stdout + stderr).includes("not-a-hash"), "no hashes");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
  assert.ok(!/[\u0000-\u0009\u001b]/.test(report), "no control characters");
  const again = await runCommand(t, args, { in: directory });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /already exists/);
  assert.equal(readFileSync(path, "utf8"), report);
});

test("files of the wrong kind or encoding, and options that have no effect, end the run with the reason", async (t) => {
  const server = await startServer(t, { engine: "sqlite" });
  const write = (name: string, content: string | Buffer): string => {
    const path = join(makeDirectory(t), name);
    writeFileSync(path, content);
    return path;
  };
  const table = writeTable(t, ["1,a,a@x.example,"]);
  const rows: readonly (readonly [args: readonly string[], expected: RegExp, code?: number])[] = [
    [[table, "--from=keycloak"], /is not JSON/],
    [[write("a.json", '{"realm":"x"}'), "--from=keycloak"], /has no users/],
    [[write("a.json", '{"users":[{"id":"1"}'), "--from=keycloak"], /end in the middle/],
    [[write("a.csv", Buffer.from("\ufeffid,email\n1,a@x.example\n", "utf16le")), "--from=csv"], /is UTF-16/],
    [[write("a.csv", "Mail\na@x.example\n"), "--from=csv"], /none of the columns email, username, id/],
    [[write("a.csv", "id,email,email\n1,a,b\n"), "--from=csv"], /two columns email/],
    [[table, "--from=csv", "--hash-config=x"], /--hash-config is for --from firebase/],
    [[table, "--from=csv", "--map", "phone"], /does not map a field/],
    [[table, "--from=csv", "--map", "shoe=email"], /does not map a field/],
    [[table, "--from=csv", "--provider=google"], /does not name a provider/],
    [[table, "--from=csv", "--provider=google=404"], /\w/],
    [[table, "--from=csv", "--concurrency=1000"], /not a number from 1 to 32/],
    [[table, "--from=csv", "--missing-email-domain=a b"], /not a domain/],
    [["/nowhere/at/all.csv", "--from=csv"], /cannot be read/],
    [[table, "--from=tape"], /Allowed choices/, 2],
    [[table], /--from/, 2],
  ];
  for (const [args, expected, code = 1] of rows) {
    const done = await runImport(t, server, args);
    assert.equal(done.code, code, `${args.join(" ")}: ${done.said}`);
    assert.match(done.result.error.problem, expected);
  }
  const nowhere = { ...server, origin: "http://127.0.0.1:1" };
  assert.match((await runImport(t, nowhere, [table, "--from=csv"])).result.error.problem, /does not answer/);
  const latin = write("a.csv", Buffer.from("id,email,givenName\n1,a@x.example,Andr\xe9\n2,b@x.example,B\n", "latin1"));
  const done = await runImport(t, server, [latin, "--from=csv"]);
  assert.deepEqual([done.result.created, done.result.failed], [1, 1]);
  assert.deepEqual(done.lines.map(({ row, why }) => `${row} ${why}`)[0], "2 the entry is not UTF-8");
  const unsure = writeTable(t, ["7,g,g@x.example,ja"]);
  assert.deepEqual(linesOf(await runImport(t, server, [unsure, "--from=csv"]), ""), ["failed disabled"]);
  assert.ok(!(await signsIn(server, "g", { password: "" })));
});
