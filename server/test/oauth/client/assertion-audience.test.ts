import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyedClient } from "../../support/oidc/assertions.ts";
import { type OidcServer, startOidcServer } from "../../support/oidc/oidc.ts";

const issuerAlone = { assertionAudience: "OIDC_ASSERTION_AUDIENCE_ISSUER" };
const withEndpoints = { assertionAudience: "OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS" };

async function proves(
  server: OidcServer,
  configuration: Readonly<Record<string, unknown>>,
): Promise<(aud: unknown) => Promise<boolean>> {
  const keyed = await createKeyedClient(server, configuration);
  return async (aud) => {
    const { status } = await server.form("/oauth/v2/introspect", { token: "any", ...keyed.proof({ aud }) });
    assert.ok(status === 200 || status === 401);
    return status === 200;
  };
}

// CVE-2025-27370: an assertion for an endpoint of ours may have been made for another server that names us as audience.
test("assertions name only the issuer, or our endpoints for clients that may (C7, Z4)", async (t) => {
  for (const assertionAudience of ["issuer", "issuer-or-endpoints", "issuer-or-token-endpoint"] as const) {
    const server = await startOidcServer(t, { config: { assertionAudience } });
    const at = (path: string): string => `${server.origin}/oauth/v2/${path}`;
    const clients: readonly [name: string, configuration: object, isOpen: boolean][] = [
      ["the server's default", {}, assertionAudience !== "issuer"],
      ["the issuer alone", issuerAlone, false],
      ["endpoints as well", withEndpoints, true],
    ];
    for (const [name, configuration, isOpen] of clients) {
      const isProven = await proves(server, { ...configuration });
      const cases: readonly [aud: unknown, isTaken: boolean][] = [
        [server.origin, true],
        [[server.origin], true],
        [at("token"), isOpen],
        [[at("token")], isOpen],
        [[server.origin, at("token")], isOpen],
        [[at("token"), server.origin, at("par"), at("introspect"), at("revoke")], isOpen],
        [at("device_authorization"), isOpen],
        [[server.origin, "https://other.example"], false],
        [[at("token"), "https://other.example"], false],
        [[server.origin, 1], false],
        [[], false],
        [`${at("token")}/`, false],
        [at("authorize"), false],
        [`${server.origin}/`, false],
        ["https://other.example/oauth/v2/token", false],
        [undefined, false],
        [{}, false],
      ];
      for (const [aud, isTaken] of cases) {
        assert.equal(await isProven(aud), isTaken, `${assertionAudience}, ${name}: ${JSON.stringify(aud)}`);
      }
    }
  }
});

test("the setting of a client comes back from the API, and can be changed (C7)", async (t) => {
  const server = await startOidcServer(t);
  const { client } = await createKeyedClient(server, issuerAlone);
  const read = async () => {
    const path = "service.application.v2.ApplicationService/GetApplication";
    const { body } = await server.connect(path, { applicationId: client.applicationId });
    return body.application.oidcConfiguration.assertionAudience;
  };
  assert.equal(await read(), "OIDC_ASSERTION_AUDIENCE_ISSUER");
  const changed = await server.connect("service.application.v2.ApplicationService/UpdateApplication", {
    projectId: server.projectId,
    applicationId: client.applicationId,
    oidcConfiguration: withEndpoints,
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(await read(), "OIDC_ASSERTION_AUDIENCE_ISSUER_OR_ENDPOINTS");
});
