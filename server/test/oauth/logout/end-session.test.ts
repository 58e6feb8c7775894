import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { hours } from "../../../src/base/clock.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type OidcServer, startOidcServer, type TestClient } from "../../support/oidc/oidc.ts";
import { eachTopology } from "../../support/servers/nodes.ts";
import { signInByBrowser } from "../support/browser-tokens.ts";

// Every combination of parameters of the end session endpoint, and its outcome (OpenID Connect RP-Initiated Logout 1.0
// §2, §3).

const registered = "https://app.example/bye";
const state = "x y&z=ü";

const hints = ["none", "valid", "expired", "foreign", "tampered"] as const;
const clientIds = ["none", "equal", "different", "unknown"] as const;
const uris = ["none", "registered", "unregistered"] as const;
const methods = ["GET", "POST"] as const;
const twice = [false, true] as const;

interface Case {
  readonly hint: (typeof hints)[number];
  readonly clientId: (typeof clientIds)[number];
  readonly uri: (typeof uris)[number];
  readonly hasState: boolean;
  readonly hasLogoutHint: boolean;
  readonly method: (typeof methods)[number];
  readonly isSignedIn: boolean;
}

const cases: readonly Case[] = hints.flatMap((hint) =>
  clientIds.flatMap((clientId) =>
    uris.flatMap((uri) =>
      methods.flatMap((method) =>
        twice.flatMap((hasState) =>
          twice.flatMap((hasLogoutHint) =>
            twice.map((isSignedIn) => ({ hint, clientId, uri, method, hasState, hasLogoutHint, isSignedIn })),
          ),
        ),
      ),
    ),
  ),
);

/** What the specification says of a case: an error page, our question, or the end with the browser's destination. */
type Expected = "error" | "asked" | "ended";

function expectedOf({ hint, clientId, uri, isSignedIn }: Case): Expected {
  if (hint === "foreign" || hint === "tampered") return "error";
  const isGenuine = hint !== "none";
  if (isGenuine && (clientId === "different" || clientId === "unknown")) return "error";
  // Without a client the address is ignored; with one it has to be the client's.
  const client = isGenuine ? "equal" : clientId;
  if (uri !== "none" && client !== "none" && !(uri === "registered" && client === "equal")) return "error";
  // Without the cookie of its browser an id token ends nothing (A23).
  return isGenuine && isSignedIn ? "ended" : "asked";
}

interface Fixtures {
  readonly server: OidcServer;
  readonly other: TestClient;
  /** Cookies of the browser where the hints were issued. */
  readonly cookie: string;
  readonly tokens: Readonly<Record<"valid" | "expired" | "foreign" | "tampered", string>>;
}

async function makeFixtures(server: OidcServer): Promise<Fixtures> {
  const other = await server.createClient({ postLogoutRedirectUris: ["https://other.example/bye"] });
  const first = await signInByBrowser(server);
  const { id_token: expired = "" } = first.tokens;
  server.clock.now += hours(13);
  const second = await signInByBrowser(server, { browser: first.browser });
  const { id_token: valid = "" } = second.tokens;
  const tokens = { expired, valid, foreign: signedBySomebodyElse(valid), tampered: withOtherSubject(valid) };
  return { server, other, cookie: second.cookie, tokens };
}

function signedBySomebodyElse(token: string): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const input = token.split(".").slice(0, 2).join(".");
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
}

function withOtherSubject(token: string): string {
  const [header, payload = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  return [header, Buffer.from(JSON.stringify({ ...claims, sub: "1" })).toString("base64url"), signature].join(".");
}

function parametersOf({ server, other }: Fixtures, given: Case, hint: string | undefined): URLSearchParams {
  const clientId = { none: undefined, equal: server.client.clientId, different: other.clientId, unknown: "1" };
  const uri = { none: undefined, registered, unregistered: `${registered}/more` };
  const entries: Record<string, string | undefined> = {
    id_token_hint: hint,
    client_id: clientId[given.clientId],
    post_logout_redirect_uri: uri[given.uri],
    state: given.hasState ? state : undefined,
    logout_hint: given.hasLogoutHint ? server.user.loginName : undefined,
    ui_locales: "de en",
  };
  return new URLSearchParams(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function send({ server, cookie }: Fixtures, given: Case, parameters: URLSearchParams): Promise<Response> {
  const url = `${server.origin}/oidc/v1/end_session`;
  const headers = given.isSignedIn ? { cookie } : {};
  return given.method === "GET"
    ? fetch(`${url}?${parameters}`, { headers, redirect: "manual" })
    : fetch(url, { method: "POST", body: parameters, headers, redirect: "manual" });
}

/** Returns where the browser has to go. */
function targetOf(given: Case, parameters: URLSearchParams, clientId: string): string {
  const hasTarget = given.uri === "registered" && expectedOf(given) !== "error";
  if (expectedOf(given) === "ended") {
    if (!hasTarget) return "/ui/logout/done";
    return given.hasState ? `${registered}?${new URLSearchParams({ state })}` : registered;
  }
  // The parameters that the page needs are forwarded, and no others; the client is that of the hint.
  const isClientKnown = given.clientId !== "none" || given.hint !== "none";
  const kept = !isClientKnown || !hasTarget ? ["client_id", "logout_hint", "ui_locales"] : undefined;
  const names = kept ?? ["client_id", "logout_hint", "ui_locales", "post_logout_redirect_uri", "state"];
  const all = new URLSearchParams(parameters);
  if (given.hint !== "none") all.set("client_id", clientId);
  const passed = names.flatMap((name) => (all.has(name) ? [[name, all.get(name) ?? ""]] : []));
  return `/ui/logout?${new URLSearchParams(passed)}`;
}

async function check(fixtures: Fixtures, given: Case, hint: string | undefined): Promise<void> {
  const parameters = parametersOf(fixtures, given, hint);
  const answer = await send(fixtures, given, parameters);
  const what = JSON.stringify(given);
  if (expectedOf(given) === "error") {
    assert.equal(answer.status, 400, what);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, what);
    assert.equal(answer.headers.get("location"), null, what);
    return;
  }
  assert.equal(answer.status, 303, `${what}: ${await answer.text()}`);
  assert.equal(answer.headers.get("location"), targetOf(given, parameters, fixtures.server.client.clientId), what);
  assert.equal(answer.headers.get("cache-control"), "no-store", what);
}

/** Requires that a page asks, whatever else the case says. */
async function checkAsked(fixtures: Fixtures, given: Case, hint: string | undefined): Promise<void> {
  const answer = await send(fixtures, given, parametersOf(fixtures, given, hint));
  assert.equal(answer.status, 303, await answer.text());
  assert.match(answer.headers.get("location") ?? "", /^\/ui\/logout\?/);
}

const isActive = async ({ server }: Fixtures, token: string): Promise<boolean> =>
  (await server.introspect(token))["active"] === true;

test("every combination of parameters leads where the specification says", async (t) => {
  const fixtures = await makeFixtures(await startOidcServer(t));
  const { server, tokens } = fixtures;
  const bystander = await server.tokens();
  assert.equal(cases.length, 960);
  const counts = { error: 0, asked: 0, ended: 0 };
  for (const given of cases) {
    counts[expectedOf(given)]++;
    await check(fixtures, given, given.hint === "none" ? undefined : tokens[given.hint]);
  }
  assert.deepEqual(counts, { error: 720, asked: 176, ended: 64 });
  assert.ok(await isActive(fixtures, bystander["access_token"] ?? ""), "nobody else's session was ended");
});

enginesInTurn((engine, test) => {
  test("what ends a session ends exactly that one with its tokens, and everything else ends none", async (t) => {
    const fixtures = await makeFixtures(await startOidcServer(t, { engine }));
    const { server } = fixtures;
    const ending = cases.filter(
      (given) => expectedOf(given) === "ended" && given.hasState && given.hint === "valid" && !given.hasLogoutHint,
    );
    assert.equal(ending.length, 8);
    const bystander = await signInByBrowser(server);
    const api = await server.tokens();
    for (const given of ending) {
      const { cookie, tokens } = await signInByBrowser(server);
      const { id_token: hint, access_token: token = "" } = tokens;
      const here = { ...fixtures, cookie };
      await check(here, { ...given, hint: "tampered" }, withOtherSubject(hint ?? ""));
      await check(here, { ...given, clientId: "different" }, hint);
      await check(here, { ...given, hint: "none" }, undefined);
      // A copy of the id token in any other browser, or in none (A23); and one of a session that is in no browser.
      await check(here, { ...given, isSignedIn: false }, hint);
      await checkAsked({ ...fixtures, cookie: bystander.cookie }, given, hint);
      await checkAsked(here, given, bystander.tokens["id_token"]);
      await checkAsked(here, given, api["id_token"]);
      assert.ok(await isActive(fixtures, token), "still signed in");
      await check(here, given, hint);
      assert.ok(!(await isActive(fixtures, token)), JSON.stringify(given));
      await check(here, given, hint);
    }
    assert.ok(await isActive(fixtures, api["access_token"] ?? ""));
    const last = await signInByBrowser(server, { scope: "openid offline_access" });
    const { id_token: expired, refresh_token: refresh = "" } = last.tokens;
    server.clock.now += hours(13);
    const late = { ...(ending[0] as Case), hint: "expired" } as const;
    await check({ ...fixtures, cookie: last.cookie }, late, expired);
    const refreshed = await server.form(
      "/oauth/v2/token",
      { grant_type: "refresh_token", refresh_token: refresh },
      server.client.basic,
    );
    assert.equal(refreshed.body.error, "invalid_grant", "a hint that has expired still ends its session");
    server.clock.now -= hours(13);
    assert.ok(await isActive(fixtures, bystander.tokens["access_token"] ?? ""));
  });
});

test("an application that is deactivated gets no browser after a sign-out", async (t) => {
  const server = await startOidcServer(t);
  const client = await server.createClient({ postLogoutRedirectUris: [registered] });
  const loginVersion = { loginV2: { baseUri: "https://gone.example/login" } };
  const custom = await server.createClient({ loginVersion });
  const query = new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: registered });
  const open = async (path: string) => {
    const answer = await fetch(`${server.origin}${path}?${query.toString()}`, { redirect: "manual" });
    return [answer.status, answer.headers.get("location") ?? ""] as const;
  };
  const signOut = async () => {
    const path = `${server.origin}/oidc/v1/end_session?client_id=${custom.clientId}`;
    return (await fetch(path, { redirect: "manual" })).headers.get("location");
  };
  assert.deepEqual(await open("/ui/logout"), [303, registered]);
  assert.equal(await signOut(), "https://gone.example/login/logout");
  const service = "service.application.v2.ApplicationService";
  for (const { applicationId } of [client, custom]) {
    const application = { projectId: server.projectId, applicationId };
    assert.equal((await server.connect(`${service}/DeactivateApplication`, application)).status, 200);
  }
  assert.deepEqual(await open("/oidc/v1/end_session"), [400, ""]);
  assert.notEqual((await open("/ui/logout"))[1], registered);
  assert.equal(await signOut(), `/ui/logout?client_id=${custom.clientId}`, "its own login neither");
  const loginV2 = { required: true, baseUri: "https://login.example" };
  assert.equal((await server.rest("PUT", "/v2/features/instance", { body: { loginV2 } })).status, 200);
  assert.equal(await signOut(), "https://login.example/logout", "the login of the instance");
});

test("a hint that is not an id token, and a parameter that comes twice, are refused", async (t) => {
  const server = await startOidcServer(t);
  const jwt = await server.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" });
  const { access_token: accessToken = "", id_token: idToken = "" } = await server.tokens({ client: jwt });
  const queries = [
    `id_token_hint=${accessToken}`,
    "id_token_hint=x",
    "id_token_hint=a.b.c",
    `id_token_hint=${idToken}&id_token_hint=${idToken}`,
    `id_token_hint=${idToken}&client_id=${jwt.clientId}&client_id=${jwt.clientId}`,
    `id_token_hint=${idToken}&post_logout_redirect_uri=javascript:alert(1)`,
  ];
  for (const query of queries) {
    const answer = await fetch(`${server.origin}/oidc/v1/end_session?${query}`, { redirect: "manual" });
    assert.deepEqual([answer.status, answer.headers.get("location")], [400, null], query.slice(0, 60));
  }
  assert.equal((await server.introspect(accessToken, jwt))["active"], true);
});

eachTopology((start) => {
  test("tokens of a session that has ended are invalid at once, opaque or JWT, on every node", async (t) => {
    const cluster = await start(t);
    const { first, nodes } = cluster;
    const clients = [first.client, await first.createClient({ accessTokenType: "OIDC_TOKEN_TYPE_JWT" })];
    const introspect = async (origin: string, token: string, client: TestClient): Promise<boolean> => {
      const body = new URLSearchParams({ token });
      const answer = await fetch(`${origin}/oauth/v2/introspect`, { method: "POST", body, headers: client.basic });
      return ((await answer.json()) as { active: boolean }).active;
    };
    for (const ending of nodes) {
      for (const client of clients) {
        const { cookie, tokens } = await signInByBrowser(first, { client });
        const { id_token: hint, access_token: token = "" } = tokens;
        for (const node of nodes) assert.ok(await introspect(`http://localhost:${node.port}`, token, client));
        const url = `http://localhost:${ending.port}/oidc/v1/end_session?id_token_hint=${hint}`;
        assert.equal((await fetch(url, { redirect: "manual" })).status, 303);
        for (const node of nodes) assert.ok(await introspect(`http://localhost:${node.port}`, token, client), "asked");
        const ended = await fetch(url, { redirect: "manual", headers: { cookie } });
        assert.equal(ended.headers.get("location"), "/ui/logout/done");
        for (const node of nodes) {
          assert.ok(!(await introspect(`http://localhost:${node.port}`, token, client)), `port ${node.port}`);
        }
      }
    }
  });
});
