import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { fetch } from "../../support/http/fetch.ts";
import { basicOf, type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";
import { addResource } from "../../support/oidc/resources.ts";

const token = "/oauth/v2/token";
const tools = "https://tools.example/mcp";
const files = "https://files.example";

async function authorize(server: OidcServer, resources: readonly string[], scope = "openid offline_access") {
  const { client } = server;
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  for (const resource of resources) query.append("resource", resource);
  return new URL(`${server.origin}/oauth/v2/authorize?${query}`);
}

async function send(
  server: OidcServer,
  parameters: Record<string, string>,
  resources: readonly string[],
  headers = server.client.basic,
) {
  const body = new URLSearchParams(parameters);
  for (const resource of resources) body.append("resource", resource);
  const response = await fetch(server.origin + token, { method: "POST", headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
  return { status: response.status, body: (await response.json()) as any };
}

async function redeem(server: OidcServer, granted: readonly string[], requested: readonly string[], scope?: string) {
  const { callback } = await server.answer(await authorize(server, granted, scope));
  const code = callback.searchParams.get("code") ?? "";
  const request = {
    grant_type: "authorization_code",
    code,
    redirect_uri: server.client.redirectUri,
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  };
  return send(server, request, requested);
}

const refresh = (server: OidcServer, refreshToken: string, resources: readonly string[]) =>
  send(server, { grant_type: "refresh_token", refresh_token: refreshToken }, resources);

async function audienceOf(server: OidcServer, accessToken: string): Promise<unknown> {
  return (await server.introspect(accessToken))["aud"];
}

enginesInTurn((engine, test) => {
  test("resource indicators (RFC 8707)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { client } = server;
    for (const uri of [tools, files])
      await addResource(server, server.projectId, uri, { tokenFormat: "RESOURCE_TOKEN_FORMAT_JWT" });

    await t.test(
      "a token is for the resources that were named, and for no other that the project would add",
      async () => {
        const { body } = await redeem(server, [tools, files], []);
        assert.deepEqual(await audienceOf(server, body.access_token), [client.clientId, tools, files]);
        assert.deepEqual(decodeJwt(body.id_token).aud, [client.clientId]);
        const sibling = await server.createClient();
        assert.deepEqual(await server.introspect(body.access_token, sibling), { active: false });
        const plain = await redeem(server, [], []);
        assert.ok(((await audienceOf(server, plain.body.access_token)) as string[]).includes(server.projectId));
      },
    );

    await t.test(
      "a token request takes a part of what was granted, a refresh another part, and nothing else",
      async () => {
        const { body } = await redeem(server, [tools, files], [tools]);
        assert.deepEqual(await audienceOf(server, body.access_token), [client.clientId, tools]);
        const other = await refresh(server, body.refresh_token, [files]);
        assert.deepEqual(await audienceOf(server, other.body.access_token), [client.clientId, files]);
        const refused = await refresh(server, other.body.refresh_token, ["https://more.example"]);
        assert.deepEqual([refused.status, refused.body.error], [400, "invalid_target"]);
        const all = await refresh(server, other.body.refresh_token, []);
        assert.equal(all.status, 200, "the refusal did not spend the token");
        assert.deepEqual(await audienceOf(server, all.body.access_token), [client.clientId, tools, files]);
        for (const granted of [[], [tools]]) {
          const wider = await redeem(server, granted, [files]);
          assert.deepEqual([wider.status, wider.body.error], [400, "invalid_target"]);
        }
      },
    );

    await t.test("a token that comes through the browser is for the resource as well", async () => {
      const implicit = await server.createClient({
        responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
        grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"],
      });
      const query = new URLSearchParams({
        client_id: implicit.clientId,
        redirect_uri: implicit.redirectUri,
        scope: "openid",
        nonce: "n",
        response_type: "id_token token",
        resource: tools,
      });
      const { callback } = await server.answer(new URL(`${server.origin}/oauth/v2/authorize?${query}`));
      const answered = new URLSearchParams(callback.hash.slice(1));
      const introspected = await server.introspect(answered.get("access_token") ?? "", implicit);
      assert.deepEqual(introspected["aud"], [implicit.clientId, tools]);
      assert.deepEqual(decodeJwt(answered.get("id_token") ?? "").aud, [implicit.clientId]);
    });

    await t.test("service accounts name the resource at the token endpoint; a JWT has it in aud", async () => {
      const machine = {
        organizationId: server.organizationId,
        username: "robot",
        machine: { name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" },
      };
      const { id } = (await server.rest("POST", "/v2/users/new", { body: machine })).body;
      const { clientSecret } = (await server.rest("POST", `/v2/users/${id}/secret`, { body: {} })).body;
      const request = { grant_type: "client_credentials", scope: "openid" };
      const answer = await send(server, request, [tools, files], basicOf("robot", clientSecret));
      assert.deepEqual(decodeJwt(answer.body.access_token).aud, [tools, files]);
    });

    await t.test("our own APIs are a resource: its token may call them", async () => {
      const { body } = await redeem(server, [server.origin], []);
      const path = `/v2/users/${server.user.userId}`;
      assert.equal((await server.rest("GET", path, { token: body.access_token })).status, 200);
      const elsewhere = await redeem(server, [tools], []);
      assert.equal((await server.rest("GET", path, { token: elsewhere.body.access_token })).status, 401);
    });

    await t.test("an invalid resource is invalid_target at every endpoint", async () => {
      const wrong = [
        "tools",
        "/mcp",
        "//tools.example",
        "http://tools.example",
        "ftp://tools.example",
        "urn:tools",
        "https://tools.example/#x",
        "https://user@tools.example",
        "https://",
        "javascript:alert(1)",
        "https://t\u00e9.example",
        "https://unknown.example",
        "https://tools.example",
        "https://tools.example/mcp/",
        "https://tools.example/mcp/more",
        "https://tools.example/MCP",
        "https://tools.example:8443/mcp",
        "https://tools.example./mcp",
        "https://tools.example/mcp?x",
        "https://tools.example.evil.example/mcp",
        "http://localhost:3000/mcp",
        `https://tools.example/${"x".repeat(2_100)}`,
      ];
      for (const resource of wrong) {
        const refused = await fetch(await authorize(server, [resource]), { redirect: "manual" });
        assert.match(refused.headers.get("location") ?? "", /[?&]error=invalid_target/, resource.slice(0, 60));
        const pushed = await server.form(
          "/oauth/v2/par",
          { redirect_uri: client.redirectUri, response_type: "code", scope: "openid", resource },
          client.basic,
        );
        assert.deepEqual([pushed.status, pushed.body.error], [400, "invalid_target"], resource.slice(0, 60));
      }
      const many = Array.from({ length: 11 }, (_, index) => `https://tools.example/${index}`);
      const refused = await fetch(await authorize(server, many), { redirect: "manual" });
      assert.match(refused.headers.get("location") ?? "", /error=invalid_target/);
      const known = await fetch(await authorize(server, ["HTTPS://TOOLS.example:443/%6dcp", files]), {
        redirect: "manual",
      });
      assert.match(known.headers.get("location") ?? "", /^\/ui\/login/);
      // RFC 8252 §7.3: all of 127.0.0.0/8 is this machine.
      const here = "http://127.0.0.2:3000/mcp";
      const unregistered = await fetch(await authorize(server, [here]), { redirect: "manual" });
      assert.match(unregistered.headers.get("location") ?? "", /error=invalid_target/);
      await addResource(server, server.projectId, here);
      const registered = await fetch(await authorize(server, [here]), { redirect: "manual" });
      assert.match(registered.headers.get("location") ?? "", /^\/ui\/login/);
    });
  });
});
