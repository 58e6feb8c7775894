import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "../../support/http/receiver.ts";
import { testCertificate } from "../../support/http/test-certificate.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { minimal, register, registered, registrationPath, setRegistration } from "../../support/oidc/registration.ts";

const [redirectUri = ""] = minimal.redirect_uris;

test("subjects are public: discovery says so, pairwise is refused, and a sector must list every redirect URI", async (t) => {
  const server = await startOidcServer(t, { certificates: testCertificate.cert });
  await setRegistration(server, "open");
  const { body: discovery } = await server.rest("GET", "/.well-known/openid-configuration", { token: null });
  assert.deepEqual(discovery.subject_types_supported, ["public"]);

  const sector = await startReceiver(t, { isSecure: true });
  const plain = await startReceiver(t);
  const address = `${sector.origin}/redirect_uris.json`;
  const publish = (body: unknown, status = 200): void => {
    sector.answer = (_request, response) =>
      response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const asked = { ...minimal, sector_identifier_uri: address };
  const refuse = async (what: string, metadata: object): Promise<void> => {
    const { status, body } = await register(server, metadata, null);
    assert.deepEqual([status, body.error], [400, "invalid_client_metadata"], what);
  };

  publish([redirectUri, "https://other.example/callback"]);
  const { client_id: clientId, registration_access_token: token, ...rest } = await registered(server, asked, null);
  assert.deepEqual([rest.subject_type, rest.sector_identifier_uri], ["public", address]);
  const managed = `${registrationPath}/${clientId}`;
  assert.equal((await server.rest("GET", managed, { token })).body.sector_identifier_uri, address);
  await refuse("pairwise, with a good sector", { ...asked, subject_type: "pairwise" });
  await refuse("one redirect URI too many", { ...asked, redirect_uris: [redirectUri, "https://evil.example/cb"] });
  const moved = { ...asked, redirect_uris: ["https://evil.example/cb"] };
  assert.equal((await server.rest("PUT", managed, { token, body: moved })).status, 400, "nor later");

  for (const [what, body, status] of [
    ["an empty list", []],
    ["another redirect URI", [`${redirectUri}/`]],
    ["no list", { redirect_uris: [redirectUri] }],
    ["no JSON", `["${redirectUri}"`],
    ["nothing there", [redirectUri], 404],
    ["too much", `["${redirectUri}", "${"x".repeat(200_000)}"]`],
  ] as const) {
    publish(body, status);
    await refuse(what, asked);
  }
  publish([redirectUri]);
  for (const uri of [`${plain.origin}/redirect_uris.json`, "https://10.0.0.1/list", "javascript:alert(1)", "x"]) {
    await refuse(uri, { ...minimal, sector_identifier_uri: uri });
  }
  assert.equal(plain.connections, 0);
});
