import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { createKeyedClient } from "../support/assertions.ts";
import { changeSettings } from "../support/change-settings.ts";
import { eachServer, type Start } from "../support/each-server.ts";
import { setUpOidc, type TestClient } from "../support/oidc.ts";
import { addPerson, appoint, defaultOrganization } from "../support/people.ts";
import { minimal, register, setRegistration } from "../support/registration.ts";
import { addClient } from "../support/sign-in-client.ts";
import { TestBrowser } from "../support/test-browser.ts";

type Profile = "standard" | "strict";

async function startOidc(t: TestContext, start: Start, profile: Profile) {
  const server = await start(t, { config: { profile } });
  return { ...server, ...(await setUpOidc(server)) };
}

/** Runs a check in both profiles: what the strict one refuses is answered in the standard one. */
function inBoth(name: string, check: (t: TestContext, profile: Profile) => Promise<void>): void {
  for (const profile of ["strict", "standard"] as const) test(`${name} (${profile})`, (t) => check(t, profile));
}

eachServer((start) => {
  inBoth("the strict profile shortens access tokens to ten minutes", async (t, profile) => {
    const { expires_in: lifetime } = await (await startOidc(t, start, profile)).tokens();
    assert.equal(Number(lifetime), profile === "strict" ? 600 : 43_200);
  });

  inBoth("the strict profile lets strangers make neither accounts nor clients", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const isOpen = profile === "standard";
    const { address } = await new TestBrowser(server).open("/ui/login/register");
    assert.equal(address.startsWith("/ui/login/register"), isOpen);
    await setRegistration(server, "open");
    assert.equal((await register(server, minimal, null)).status, isOpen ? 201 : 401);
    const withToken = { ...minimal, client_name: "Vouched" };
    assert.equal((await register(server, withToken)).status, 201, "administrators register clients in both");
    const body = { clientIdMetadataDocument: { enabled: true, allowAnyUrl: true } };
    assert.equal((await server.rest("PUT", "/v2/policies/security", { body })).status, 200);
    const { settings } = (await server.rest("GET", "/v2/settings/security")).body;
    assert.equal(settings.clientIdMetadataDocument?.allowAnyUrl ?? false, isOpen);
  });

  inBoth("the strict profile demands PKCE of every client and refuses tokens in addresses", async (t, profile) => {
    const server = await startOidc(t, start, profile);
    const hybrid = await server.createClient({
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
    });
    const errorOf = async ({ clientId, redirectUri }: TestClient, parameters: Record<string, string>) => {
      const sent = { client_id: clientId, redirect_uri: redirectUri, scope: "openid", nonce: "n", ...parameters };
      const url = `${server.origin}/oauth/v2/authorize?${new URLSearchParams(sent)}`;
      const target = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "", server.origin);
      return new URLSearchParams(target.search || target.hash.slice(1)).get("error");
    };
    const isStrict = profile === "strict";
    assert.equal(await errorOf(server.client, { response_type: "code" }), isStrict ? "invalid_request" : null);
    const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };
    assert.equal(await errorOf(server.client, { response_type: "code", ...challenge }), null);
    assert.equal(await errorOf(hybrid, { response_type: "id_token" }), isStrict ? "unauthorized_client" : null);
    assert.equal(await errorOf(hybrid, { response_type: "code", ...challenge }), null);
  });

  inBoth("the strict profile demands a jti and the issuer as audience of client assertions", async (t, profile) => {
    const server = await startOidc(t, start, profile);
    const clients = [
      await createKeyedClient(server),
      await createKeyedClient(server, { assertionAudience: "OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS" }),
    ];
    for (const { proof } of clients) {
      const statusOf = async (claims: Record<string, unknown>) =>
        (await server.form("/oauth/v2/introspect", { token: "any", ...proof(claims) })).status;
      const loose = profile === "strict" ? 401 : 200;
      assert.equal(await statusOf({}), 200);
      assert.equal(await statusOf({ jti: undefined }), loose);
      assert.equal(await statusOf({ aud: `${server.origin}/oauth/v2/token` }), loose);
    }
  });

  inBoth("the strict profile demands two factors of administrators", async (t, profile) => {
    const server = await start(t, { config: { profile } });
    const organizationId = await defaultOrganization(server);
    const client = await addClient(server);
    const owner = await addPerson(server, { username: "instance-owner" });
    const ofOrganization = await addPerson(server, { username: "organization-owner" });
    const plain = await addPerson(server, { username: "plain" });
    await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
    await appoint(server, ofOrganization, { organizationId }, ["ORG_OWNER"]);
    await changeSettings(server, "login", { secondFactors: [], multiFactors: [] });
    for (const person of [owner, ofOrganization, plain]) {
      const page = await enter(await visit(server, client), person);
      const isDemanded = profile === "strict" && person !== plain;
      assert.equal(isBack(page), !isDemanded, page.address);
      assert.equal(page.address.startsWith("/ui/login/add-factor"), isDemanded, page.address);
      if (isDemanded) assert.match(page.html, /totp/, "the demand can be met");
    }
  });

  test("the strict profile stores nothing: without it everything is as it was", async (t) => {
    const strict = await startOidc(t, start, "strict");
    assert.equal(Number((await strict.tokens())["expires_in"]), 600);
    await strict.app.close();
    const { place, ownerToken } = strict;
    const server = await start(t, { place, ownerToken });
    const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const { settings: oidc } = await server.app.domain.settings.get("oidc", { instanceId });
    const { settings: login } = await server.app.domain.settings.get("login", { instanceId });
    assert.deepEqual([oidc.accessTokenLifetimeSeconds, login.allowRegister], [43_200, true]);
    const client = await server.app.domain.clients.find(instanceId, strict.client.clientId);
    assert.equal(client?.isPkceRequired, false);
  });
});
