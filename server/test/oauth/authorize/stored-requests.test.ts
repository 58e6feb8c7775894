import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

const par = "/oauth/v2/par";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const off = { authorization: 0, token: 0, introspection: 0, login: 0, signUp: 0, registration: 0, keys: 0 };
const from = (address: string) => ({ "x-forwarded-for": address });

const requestOf = (redirectUri: string) => ({
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "openid",
  code_challenge: challenge,
  code_challenge_method: "S256",
});

const sizeOf = async ({ app: { domain } }: OidcServer, table: "pushed" | "waiting"): Promise<number> => {
  const row = await domain.database.read.maybe<{ size: number | null }>(
    table === "pushed"
      ? sql`select sum(length(parameters)) as "size" from pushed_requests`
      : sql`select sum(length(parameters)) as "size" from auth_requests`,
  );
  return Number(row?.size ?? 0);
};

enginesInTurn((engine, test) => {
  test("a pushed request keeps what a standard knows and nothing else, within a bound (A22)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;
    const request = requestOf(client.redirectUri);
    const plain = await server.form(par, request, client.basic);
    assert.equal(plain.status, 201, JSON.stringify(plain.body));
    const before = await sizeOf(server, "pushed");
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, "y".repeat(1000)]));
    assert.equal((await server.form(par, { ...request, ...unknown }, client.basic)).status, 201);
    assert.equal(await sizeOf(server, "pushed"), 2 * before, "fifty kilobytes of unknown parameters are not kept");
    const large = await server.form(par, { ...request, acr_values: "a ".repeat(20_000) }, client.basic);
    assert.deepEqual([large.status, large.body.error], [400, "invalid_request"]);
  });

  test("pushed requests of a client have a budget of bytes, which is no other source's (A22)", async (t) => {
    const config = { rateLimits: { ...off, token: 100_000 }, trustedProxies: ["127.0.0.0/8"] };
    const server = await startOidcServer(t, { engine, config });
    const { client } = server;
    const push = (address: string, id_token_hint: string) =>
      fetch(server.origin + par, {
        method: "POST",
        headers: { ...from(address), authorization: client.basic.authorization },
        body: new URLSearchParams({ ...requestOf(client.redirectUri), id_token_hint }),
      });
    const statuses: number[] = [];
    for (let count = 0; count < 300; count++) statuses.push((await push("203.0.113.1", "h".repeat(16_000))).status);
    const stored = statuses.filter((status) => status === 201).length;
    assert.ok(stored > 200 && stored < 270, `${stored} were stored`);
    const refused = await push("203.0.113.1", "h".repeat(16_000));
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.equal(((await refused.json()) as { error: string }).error, "temporarily_unavailable");
    assert.ok((await sizeOf(server, "pushed")) < 4.5 * 1024 * 1024);
    server.clock.now += 60_000;
    assert.equal((await push("203.0.113.1", "h")).status, 201, "later again");
  });

  test("strangers use up no budget of a public client (A22)", async (t) => {
    const config = { rateLimits: { ...off, token: 100_000 }, trustedProxies: ["127.0.0.0/8"] };
    const server = await startOidcServer(t, { engine, config });
    const client = await server.createClient({
      authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
      applicationType: "OIDC_APP_TYPE_USER_AGENT",
    });
    const push = async (address: string, id_token_hint: string) => {
      const request = { ...requestOf(client.redirectUri), client_id: client.clientId, id_token_hint };
      return (await server.form(par, request, from(address))).status;
    };
    const stranger: number[] = [];
    for (let count = 0; count < 300; count++) stranger.push(await push("203.0.113.1", "h".repeat(16_000)));
    assert.equal(stranger.at(-1), 429);
    assert.equal(await push("203.0.113.2", "h"), 201);
  });

  test("authorization requests of one source are counted, by their number and by what they store (A22)", async (t) => {
    const config = { rateLimits: { ...off, authorization: 20 }, trustedProxies: ["127.0.0.0/8"] };
    const server = await startOidcServer(t, { engine, config });
    const { client } = server;
    const authorize = (address: string, state: string) => {
      const request = { ...requestOf(client.redirectUri), client_id: client.clientId, state, nonce: "n".repeat(1000) };
      const query = new URLSearchParams(request);
      return fetch(`${server.origin}/oauth/v2/authorize?${query}`, { redirect: "manual", headers: from(address) });
    };
    const answers = [];
    for (let count = 0; count < 30; count++) answers.push(await authorize("203.0.113.1", "s".repeat(4000)));
    const words = answers.map((answer) => {
      const error = new URL(answer.headers.get("location") ?? "x:", server.origin).searchParams.get("error");
      return error ?? answer.status;
    });
    assert.equal(words[0], 303);
    assert.ok(words.includes("temporarily_unavailable"), words.join());
    assert.equal(words.at(-1), 429, words.join());
    const last = answers.at(-1);
    assert.ok(Number(last?.headers.get("retry-after")) > 0);
    assert.match(last?.headers.get("content-type") ?? "", /text\/html/);
    assert.ok((await sizeOf(server, "waiting")) < 20 * 4096 + 20_000);
    assert.equal((await authorize("203.0.113.2", "s")).status, 303, "another source");
    server.clock.now += 60_000;
    assert.equal((await authorize("203.0.113.1", "s")).status, 303, "later again");
  });
});
