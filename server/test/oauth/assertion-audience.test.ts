import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyedClient } from "../support/assertions.ts";
import { startOidcServer } from "../support/oidc.ts";

// CVE-2025-27370: an assertion for an endpoint of ours may have been made for another server that names us as audience.
test("client assertions are for the issuer alone; where the operator lets it, the token endpoint does as well", async (t) => {
  for (const assertionAudience of ["issuer", "issuer-or-token-endpoint"] as const) {
    const server = await startOidcServer(t, { config: { assertionAudience } });
    const keyed = await createKeyedClient(server);
    const isProven = async (aud: unknown): Promise<boolean> => {
      const { status } = await server.form("/oauth/v2/introspect", { token: "any", ...keyed.proof({ aud }) });
      assert.ok(status === 200 || status === 401);
      return status === 200;
    };
    const endpoint = `${server.origin}/oauth/v2/token`;
    const isOpen = assertionAudience === "issuer-or-token-endpoint";
    const cases: readonly [aud: unknown, isTaken: boolean][] = [
      [server.origin, true],
      [endpoint, isOpen],
      [[endpoint], isOpen],
      [[server.origin, endpoint], false],
      [`${endpoint}/`, false],
      [`${server.origin}/oauth/v2/introspect`, false],
      ["https://other.example/oauth/v2/token", false],
      [undefined, false],
    ];
    for (const [aud, isTaken] of cases) {
      assert.equal(await isProven(aud), isTaken, `${assertionAudience}: ${JSON.stringify(aud)}`);
    }
  }
});
