import assert from "node:assert/strict";
import { test } from "node:test";
import { findPresentTarget } from "../../src/domain/application/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { makeProofKey } from "../support/oidc/dpop.ts";
import { createSecondInstance, secondHost, systemUser } from "../support/people/system-user.ts";
import type { TestServer } from "../support/servers/server.ts";
import { askSilently, openConsole, redeem, signedInBrowser, startConsole } from "./support.ts";

eachEngine((_open, engine) => {
  test("a code of the console goes to its own two addresses, and nowhere else", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const browser = await signedInBrowser(server);
    const { origin, port } = server;
    for (const redirect_uri of [`${origin}/ui/console/return`, `${origin}/ui/console/`]) {
      const { code, page } = await askSilently(server, browser, clientId, { redirect_uri });
      assert.notEqual(code, "", `${redirect_uri}: ${page.html}`);
    }
    for (const redirect_uri of [
      undefined,
      `${origin}/ui/console`,
      `${origin}/ui/console/return/`,
      `${origin}/ui/console/return?next=https://evil.example/`,
      `${origin}/ui/console/return#`,
      `${origin}/ui/console/users`,
      `${origin}/ui/console/../login`,
      `${origin}/ui/console/%2e%2e/login`,
      `${origin}/`,
      `${origin}/ui/login`,
      `${origin}.evil.example/ui/console/return`,
      "http://localhost@evil.example/ui/console/return",
      `http://localhost:${port === 1024 ? 1025 : port - 1}/ui/console/return`,
      "http://localhost/ui/console/return",
      `https://localhost:${port}/ui/console/return`,
      `http://127.0.0.1:${port}/ui/console/return`,
      `http://LOCALHOST:${port}/ui/console/return`,
      "http://evil.example/ui/console/return",
      "doorward:/ui/console/return",
      "/ui/console/return",
    ]) {
      const { code, page } = await askSilently(server, browser, clientId, { redirect_uri });
      assert.deepEqual([code, page.status], ["", 400], `${redirect_uri} led to ${page.address}`);
    }
  });

  test("the console gets codes alone, each for the page that asked and for its key", async (t) => {
    const server = await startConsole(t, { engine });
    const clientId = await openConsole(server);
    const browser = await signedInBrowser(server);
    const key = await makeProofKey();

    await t.test("without PKCE there is no code", async () => {
      for (const asked of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge_method: "plain" },
      ]) {
        const { code, error } = await askSilently(server, browser, clientId, asked);
        assert.deepEqual([code, error], ["", "invalid_request"]);
      }
    });

    await t.test("no other response leaves through the browser", async () => {
      for (const response_type of ["token", "id_token", "id_token token", "code id_token", "code token"]) {
        const { page, code } = await askSilently(server, browser, clientId, { response_type, nonce: "n" });
        assert.equal(code, "");
        assert.doesNotMatch(page.address, /(?:access|id)_token=/, response_type);
      }
    });

    await t.test("a code without the verifier, or without a proof, gets nothing", async () => {
      for (const [codeVerifier, used] of [
        [undefined, key],
        ["x".repeat(43), key],
        ["right", undefined],
      ] as const) {
        const asked = await askSilently(server, browser, clientId);
        const sent = { code: asked.code, codeVerifier: codeVerifier === "right" ? asked.codeVerifier : codeVerifier };
        const { status, body } = await redeem(server, clientId, sent, used);
        assert.deepEqual([status, body.access_token], [400, undefined], JSON.stringify(body));
      }
    });

    await t.test("a code that names a key is not redeemed with another", async () => {
      const asked = await askSilently(server, browser, clientId, { dpop_jkt: key.thumbprint });
      const answer = await redeem(server, clientId, asked, await makeProofKey());
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
    });

    await t.test("offline access gives no refresh token", async () => {
      const asked = await askSilently(server, browser, clientId, { scope: "openid offline_access" });
      const { status, body } = await redeem(server, clientId, asked, key);
      assert.deepEqual([status, body.refresh_token], [200, undefined], JSON.stringify(body));
    });

    await t.test("no other grant is open to it", async () => {
      for (const grant of [
        { grant_type: "client_credentials", scope: "openid" },
        { grant_type: "refresh_token", refresh_token: "x" },
        { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "x" },
        {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token: server.ownerToken,
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        },
      ]) {
        const { status, body } = await server.form("/oauth/v2/token", { client_id: clientId, ...grant });
        assert.ok(status >= 400 && body.access_token === undefined, JSON.stringify(body));
      }
      const device = await server.form("/oauth/v2/device_authorization", { client_id: clientId, scope: "openid" });
      assert.equal(device.body.device_code, undefined);
    });

    await t.test("the same holds of pushed requests", async () => {
      const push = (redirect_uri: string, challenge: object) =>
        server.form("/oauth/v2/par", {
          client_id: clientId,
          redirect_uri,
          response_type: "code",
          scope: "openid",
          ...challenge,
        });
      const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
      const own = `${server.origin}/ui/console/return`;
      assert.equal((await push(own, challenge)).status, 201);
      assert.equal((await push(own, {})).status, 400);
      assert.equal((await push("https://evil.example/ui/console/return", challenge)).status, 400);
    });

    await t.test("after a sign-out, browsers return to the console and nowhere else", async () => {
      const end = async (uri: string) => {
        const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: uri });
        return (await browser.copy().send(`/oidc/v1/end_session?${query}`)).status;
      };
      assert.equal(await end(`${server.origin}/ui/console/`), 303);
      for (const uri of [`${server.origin}/ui/console/return`, "https://evil.example/ui/console/"]) {
        assert.equal(await end(uri), 400, uri);
      }
    });
  });

  test("a host that was taken away, and given to another instance, gets no code", async (t) => {
    const { config, tokenFor } = systemUser(t);
    const server = await startConsole(t, { engine, config: { ...config, baseUrl: "https://localhost" } });
    const token = tokenFor(server, { aud: "https://localhost" });
    const { instanceId } = await createSecondInstance(server, token);
    const first = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const system = async (method: string, path: string, body?: object) => {
      const answer = await server.rest(method, `/system/v1/instances/${path}`, { token, body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const old = "old.example";
    await system("POST", `${first}/domains`, { domain: old });
    await system("POST", `${first}/domains/_set_primary`, { domain: old });
    const clientId = await clientIdAt(server, old);
    const there = (at: string, host: string) => answerTo(server, { at, clientId, host });
    assert.deepEqual(await both(there, old, "localhost"), ["login_required", 400], "the addresses are the issuer's");

    const stale = await server.app.domain.clients.find(first, clientId);
    const target = { redirectUri: `https://${old}/ui/console/return`, responseType: "code" };
    assert.ok(stale);
    assert.equal(await findPresentTarget(server.app.domain.database.read, stale, target), "open");

    await system("POST", `${first}/domains/_set_primary`, { domain: "localhost" });
    assert.deepEqual(await both(there, "localhost", old), ["login_required", 400]);
    assert.equal(await there(old, old), 400, "although the host still reaches the instance");
    // A node that has yet to hear of it, and requests that wait for a sign-in, ask before they answer.
    assert.equal(await findPresentTarget(server.app.domain.database.read, stale, target), "removed");

    await system("DELETE", `${first}/domains/${old}`);
    await system("POST", `${instanceId}/domains`, { domain: old });
    assert.equal(await there(old, old), 400, "there is no such client in the other instance");
    assert.equal(await there("localhost", old), 400);
    const other = await clientIdAt(server, secondHost);
    assert.notEqual(other, clientId);
    assert.equal(await answerTo(server, { at: secondHost, clientId: other, host: secondHost }), "login_required");
    for (const [at, host] of [
      ["localhost", "localhost"],
      ["localhost", secondHost],
      [secondHost, "localhost"],
      [secondHost, old],
    ] as const) {
      assert.equal(await answerTo(server, { at, clientId: other, host }), 400, `${at} to ${host}`);
    }
  });
});

async function clientIdAt(server: TestServer, host: string): Promise<string> {
  const { status, body } = await server.byHost(host, "GET", "/ui/console/", { token: null });
  assert.equal(status, 200, body);
  return /name="doorward-client-id" content="([^"]+)"/.exec(body)?.[1] ?? "";
}

/** Asks at a host for a code at a host: the error that is sent there, or the status of the page that refuses it. */
async function answerTo(
  server: TestServer,
  { at, clientId, host }: { readonly at: string; readonly clientId: string; readonly host: string },
): Promise<string | number> {
  const redirectUri = `https://${host}/ui/console/return`;
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    prompt: "none",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  });
  const { status, headers } = await server.byHost(at, "GET", `/oauth/v2/authorize?${query}`, { token: null });
  const location = headers.get("location");
  if (location === null) return status;
  assert.ok(location.startsWith(`${redirectUri}?`), location);
  return new URL(location).searchParams.get("error") ?? "";
}

const both = async (ask: (at: string, host: string) => Promise<string | number>, one: string, other: string) => [
  await ask(one, one),
  await ask(one, other),
];
