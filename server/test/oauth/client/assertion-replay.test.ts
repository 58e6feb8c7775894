import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { createKeyedClient, signAssertion } from "../../support/oidc/assertions.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";

const hour = 3_600_000;

enginesInTurn((engine, test) => {
  test("client assertions: one with jti works once, one without works for an hour (Z1)", async (t) => {
    const server = await startOidcServer(t, { engine });
    const keyed = await createKeyedClient(server);
    const isProven = async (proof: Record<string, string>): Promise<boolean> =>
      (await server.form("/oauth/v2/introspect", { token: "any", ...proof })).status === 200;

    await t.test("with a jti", async () => {
      const once = keyed.proof();
      assert.deepEqual([await isProven(once), await isProven(once)], [true, false]);
      assert.ok(await isProven(keyed.proof()), "another one is good");
    });

    await t.test("with a jti that another text repeats", async () => {
      const proofs = [60, 120].map((lives) =>
        keyed.proof({ jti: "the same", exp: Math.floor(server.clock.now / 1000) + lives }),
      );
      const taken: boolean[] = [];
      for (const proof of proofs) taken.push(await isProven(proof));
      assert.deepEqual(taken, [true, false]);
    });

    await t.test("without a jti: again and again, but no longer than an hour whatever it says", async () => {
      const now = Math.floor(server.clock.now / 1000);
      const often = keyed.proof({ jti: undefined, exp: now + 86_400 });
      for (let round = 0; round < 3; round++) assert.ok(await isProven(often), `round ${round}`);
      server.clock.now += hour - 60_000;
      assert.ok(await isProven(often));
      server.clock.now += 120_000;
      assert.equal(await isProven(often), false);
      assert.equal(await isProven(keyed.proof({ jti: undefined, iat: undefined })), false, "its age is unknown");
    });

    await t.test("a service account's assertion follows the same rules", async () => {
      const made = await server.rest("POST", "/v2/users/new", {
        body: { organizationId: server.organizationId, username: "robot", machine: { name: "robot" } },
      });
      const userId: string = made.body.id;
      const { body } = await server.rest("POST", `/v2/users/${userId}/keys`, {
        body: { expirationDate: "2100-01-01T00:00:00Z" },
      });
      const { key, keyId } = JSON.parse(Buffer.from(body.keyContent, "base64").toString("utf8"));
      const ask = async (claims: object): Promise<(text?: string) => Promise<number>> => {
        const assertion = signAssertion(server, { key, keyId, subject: userId }, { ...claims });
        const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
        return async () =>
          (await server.form("/oauth/v2/token", { grant_type: grant, scope: "openid", assertion })).status;
      };
      const once = await ask({});
      assert.deepEqual([await once(), await once()], [200, 400]);
      const often = await ask({ jti: undefined });
      assert.deepEqual([await often(), await often()], [200, 200]);
      const both = await ask({ aud: [server.origin, `${server.origin}/oauth/v2/token`] });
      assert.equal(await both(), 200, "Z4");
      const stranger = await ask({ aud: [server.origin, "https://other.example"] });
      assert.equal(await stranger(), 400);
    });
  });
});
