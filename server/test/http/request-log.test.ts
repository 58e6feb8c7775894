import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { startServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

type Line = Readonly<Record<string, unknown>>;

const linesOf = (log: readonly string[], message: string): Line[] =>
  log.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);

/** The line with the reference that an answer shows. */
function findLine(log: readonly string[], reference: string | null | undefined): Line {
  const found = linesOf(log, "request refused").filter((line) => line["reference"] === reference);
  assert.equal(found.length, 1, `${reference} in ${log.join("")}`);
  return found[0] ?? {};
}

/** What is the same in each run. */
const told = ({ errorId, clientId, userId, status, method, route }: Line): Line => ({
  errorId,
  clientId,
  userId,
  status,
  method,
  route,
});

eachEngine((_open, engine) => {
  test("the reference of each refusal is in one line of the log: which error, client, user and source (U6)", async (t) => {
    const log: string[] = [];
    const server = await startOidcServer(t, { engine, log });
    const { clientId } = server.client;

    await t.test("a page", async () => {
      const query = new URLSearchParams({ client_id: clientId, redirect_uri: "https://evil.example/", code: "secret" });
      const page = await new TestBrowser(server).open(`/oauth/v2/authorize?${query}`);
      const shown = /id="reference"[\s\S]*?<code>([^<]+)<\/code>/.exec(page.html)?.[1];
      const line = findLine(log, shown);
      assert.deepEqual(told(line), {
        errorId: "authorize.redirect_uri_mismatch",
        clientId,
        userId: undefined,
        status: 400,
        method: "GET",
        route: "/oauth/v2/authorize",
      });
      assert.deepEqual([line["source"], typeof line["instanceId"]], ["127.0.0.1", "string"]);
      assert.doesNotMatch(JSON.stringify(line), /evil|secret/);
    });

    await t.test("a page that does not exist", async () => {
      const page = await new TestBrowser(server).open("/ui/login/nosuch?token=secret");
      const shown = /id="reference"[\s\S]*?<code>([^<]+)<\/code>/.exec(page.html)?.[1];
      const line = findLine(log, shown);
      assert.deepEqual([line["errorId"], line["route"], line["status"]], ["request.unknown_path", "none", 404]);
      assert.doesNotMatch(JSON.stringify(line), /nosuch|secret/);
    });

    await t.test("a host that no instance has", async () => {
      const { status, headers } = await server.byHost("unknown.example", "GET", "/ui/login", { token: null });
      const line = findLine(log, headers.get("x-request-id"));
      assert.deepEqual([status, line["errorId"], line["instanceId"]], [404, "instance.unknown_host", undefined]);
      assert.equal(line["source"], "127.0.0.1");
    });

    await t.test("the token endpoint", async () => {
      const form = { grant_type: "authorization_code", code: "secret", redirect_uri: "https://x.example/" };
      const { headers } = await server.form("/oauth/v2/token", form, server.client.basic);
      const line = findLine(log, headers.get("x-request-id"));
      assert.deepEqual([line["errorId"], line["clientId"], line["status"]], ["invalid_grant", clientId, 400]);
      assert.doesNotMatch(JSON.stringify(line), /secret|x\.example/);
    });

    await t.test("a client that fails to prove itself, and one that does not exist", async () => {
      const attempt = async (client_id: string) => {
        const form = { grant_type: "authorization_code", code: "x", client_id, client_secret: "wrong" };
        const { headers } = await server.form("/oauth/v2/token", form);
        return findLine(log, headers.get("x-request-id"));
      };
      assert.equal((await attempt(clientId))["clientId"], clientId);
      const unknown = await attempt("made-up\n{}");
      assert.deepEqual([unknown["errorId"], unknown["clientId"]], ["invalid_client", undefined]);
    });

    await t.test("REST and Connect, with the user", async () => {
      const { userId } = server.user;
      const { body } = await server.rest("POST", "/v2/users/new", { body: {} });
      assert.ok(body.code > 0);
      const rest = await server.rest("GET", "/v2/users/404404", {});
      const line = findLine(log, rest.headers.get("x-request-id"));
      assert.deepEqual([line["status"], line["route"], typeof line["userId"]], [404, "/v2/users/:user_id", "string"]);
      const connect = await server.connect("service.user.v2.UserService/GetUserByID", { userId: "404404" });
      const same = findLine(log, connect.headers.get("x-request-id"));
      assert.deepEqual([same["errorId"], same["userId"], same["status"]], [line["errorId"], line["userId"], 404]);
      const none = await server.rest("GET", `/v2/users/${userId}`, { token: "dwp_secret" });
      const refused = findLine(log, none.headers.get("x-request-id"));
      assert.deepEqual([refused["userId"], refused["status"]], [undefined, 401]);
      assert.doesNotMatch(JSON.stringify(refused), /dwp_/);
    });

    assert.deepEqual(linesOf(log, "request"), [], "what is answered is not logged");
  });
});

test("the access log has every request, without anything that it brought (U6)", async (t) => {
  const log: string[] = [];
  const server = await startServer(t, { log, config: { isAccessLogOn: true } });
  await fetch(`${server.origin}/.well-known/openid-configuration?token=secret`, { headers: { cookie: "a=secret" } });
  await server.rest("POST", "/v2/users", { body: {} });
  await server.connect("service.user.v2.UserService/ListUsers", {});
  const found = linesOf(log, "request").map((line) => [line["route"], line["status"], typeof line["userId"]]);
  for (const expected of [
    ["/.well-known/openid-configuration", 200, "undefined"],
    ["/v2/users", 200, "string"],
    ["/service.user.v2.UserService/ListUsers", 200, "string"],
  ]) {
    assert.ok(
      found.some((one) => JSON.stringify(one) === JSON.stringify(expected)),
      `${JSON.stringify(expected)} is not in ${JSON.stringify(found)}`,
    );
  }
  assert.doesNotMatch(log.join(""), /secret|dwp_/);
});

test("refusals of one source are logged to a limit, and those of others still are (U6)", async (t) => {
  const log: string[] = [];
  const server = await startServer(t, { log, config: { trustedProxies: ["127.0.0.1/32"] } });
  const ask = (address: string) => fetch(`${server.origin}/nosuch`, { headers: { "x-forwarded-for": address } });
  for (let count = 0; count < 320; count++) await ask("192.0.2.1");
  await ask("198.51.100.1");
  const sources = linesOf(log, "request refused").map((line) => line["source"]);
  const ofFlood = sources.filter((source) => source === "192.0.2.1").length;
  assert.deepEqual([ofFlood, sources.includes("198.51.100.1")], [300, true]);
});
