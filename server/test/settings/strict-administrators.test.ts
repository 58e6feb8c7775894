import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { addApp, createSession } from "../factor/support.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint, defaultOrganization, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { appCode } from "../support/sign-in/totp.ts";

const profiles = ["strict", "standard"] as const;
const apis = "openid urn:service:iam:org:project:id:service:aud";
const tooOld = "authentication.too_old";
const twoFactors = "authentication.two_factors_needed";

/** What an administrator does, over each transport: reading, a change, and a change of their own account. */
function deedsOf(server: TestServer, { userId }: Person, organizationId: string) {
  const done = ({ status, body }: { status: number; body: { details?: { id?: string }[]; code?: string } }): string =>
    status === 200 || status === 201 ? "done" : (body.details?.[0]?.id ?? String(status));
  let count = 0;
  return {
    read: async (token: string) => done(await server.rest("POST", "/v2/users", { token, body: {} })),
    list: async (token: string) => {
      const { body } = await server.rest("POST", "/v2/users", { token, body: {} });
      return (body.result ?? []).length > 1;
    },
    change: (token: string) =>
      server.rest("POST", "/v2/organizations", { token, body: { name: `Org ${++count} ${userId}` } }),
    ofV1: async (token: string) =>
      done(
        await server.rest("POST", "/management/v1/projects", {
          token,
          body: { name: `P ${++count}` },
          headers: { "x-service-orgid": organizationId },
        }),
      ),
    own: async (token: string) =>
      done(
        await server.rest("PUT", `/v2/users/human/${userId}`, {
          token,
          body: { profile: { givenName: "A", familyName: "B" } },
        }),
      ),
    done,
  };
}

for (const profile of profiles) {
  eachServer((start) => {
    const isStrict = profile === "strict";
    const onlyStrict = (slug: string) => (isStrict ? slug : "done");

    test(`administrators change something only within ten minutes of a full sign-in (${profile})`, async (t) => {
      const server = await start(t, { config: { profile } });
      const organizationId = await defaultOrganization(server);
      const ada = await addPerson(server, { username: "ada" });
      const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
      await appoint(server, ada, { instance: true }, ["IAM_OWNER"]);
      const open = async () => {
        server.clock.now += minutes(1);
        const checks = {
          user: { userId: ada.userId },
          password: { password: ada.password },
          totp: { code: appCode(secret, server.clock.now) },
        };
        return (await createSession(server, { checks })).body.sessionToken as string;
      };
      const { read, list, change, ofV1, own, done } = deedsOf(server, ada, organizationId);
      const token = await open();
      assert.equal(done(await change(token)), "done");
      server.clock.now += minutes(10) + 1;
      const refused = await change(token);
      assert.equal(done(refused), onlyStrict(tooOld));
      if (isStrict) {
        assert.equal(refused.status, 403);
        assert.match(refused.headers.get("www-authenticate") ?? "", /insufficient_user_authentication.*max_age="600"/);
      }
      assert.equal(await ofV1(token), onlyStrict(tooOld));
      assert.deepEqual([await read(token), await list(token), await own(token)], ["done", true, "done"]);
      const fresh = await open();
      assert.deepEqual([done(await change(fresh)), await ofV1(fresh)], ["done", "done"]);
      server.clock.now += minutes(60);
      assert.equal(await ofV1(server.ownerToken), "done", "service accounts do not sign in");
    });

    test(`a token of a sign-in with one factor does not act as administrator (${profile})`, async (t) => {
      const started = await start(t, { config: { profile } });
      const server = { ...started, ...(await setUpOidc(started)) };
      await server.trust();
      const organizationId = await defaultOrganization(server);
      const eve = await addPerson(server, { username: "eve" });
      const tokens = await server.tokens({ user: eve, scope: apis });
      const token = tokens["access_token"] ?? "";
      await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
      const { read, list, change, ofV1, own, done } = deedsOf(server, eve, organizationId);
      assert.equal(await ofV1(token), onlyStrict(twoFactors));
      assert.equal(await list(token), !isStrict, "nor does it see what administrators see");
      assert.deepEqual([await read(token), await own(token)], ["done", "done"]);
      const refused = await change(token);
      assert.equal(done(refused), "permission.missing", "what the role does not give is said to be missing");
      const v1 = await server.rest("POST", "/management/v1/projects", {
        token,
        body: { name: "X" },
        headers: { "x-service-orgid": organizationId },
      });
      if (isStrict) assert.match(v1.headers.get("www-authenticate") ?? "", /acr_values="urn:service:iam:acr:2"/);
    });
  });
}
