import assert from "node:assert/strict";
import { test } from "node:test";
import { days, minutes } from "../../src/base/clock.ts";
import { exchangeGrant, extend, mayExchange, type Somebody, typeOf } from "../oauth/token-exchange/support.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { makeRegistrar, minimal, register, registrationPath, setRegistration } from "../support/oidc/registration.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const apis = "openid urn:service:iam:org:project:id:service:aud";

for (const profile of ["strict", "standard"] as const) {
  eachServer((start) => {
    const isStrict = profile === "strict";

    test(`a registrar registers clients only by a recent sign-in with two factors (${profile})`, async (t) => {
      const started = await start(t, { config: { profile } });
      const server = { ...started, ...(await setUpOidc(started)) };
      await server.trust();
      const { organizationId } = server;
      await setRegistration(server, "token");
      const eve = await addPerson(server, { username: "eve" });
      const token = (await server.tokens({ user: eve, scope: apis }))["access_token"] ?? "";
      await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
      const refused = await register(server, minimal, token);
      assert.equal(refused.status, isStrict ? 403 : 201, JSON.stringify(refused.body));
      if (isStrict) {
        assert.equal(refused.body.error, "insufficient_scope");
        assert.match(refused.body.error_description, /two factors/);
      }
      const machine = await makeRegistrar(server, organizationId);
      server.clock.now += minutes(60);
      const made = await register(server, minimal, machine.token);
      assert.equal(made.status, 201, "service accounts do not sign in");
      const read = () =>
        server.rest("GET", `${registrationPath}/${made.body.client_id}`, {
          token: made.body.registration_access_token,
        });
      server.clock.now += days(30) - 1;
      assert.equal((await read()).status, 200, "thirty days less a moment later");
      server.clock.now += 1;
      assert.equal((await read()).status, isStrict ? 401 : 200, "thirty days later");
    });

    test(`a user acts for others only by a recent sign-in with two factors (${profile})`, async (t) => {
      const started = await start(t, { config: { profile } });
      const server = await extend({ ...started, ...(await setUpOidc(started)) });
      const client = await server.createClient(mayExchange);
      await server.trust(client);
      const victim = await server.person("victim");
      const weak = await server.person("weak");
      const tokenOf = async (user: Somebody) =>
        (await server.tokens({ user, scope: apis, client }))["access_token"] ?? "";
      const actor = await tokenOf(weak);
      const { organizationId } = server;
      await appoint(server, weak, { organizationId }, ["ORG_END_USER_IMPERSONATOR"]);
      const impersonate = (token: string) =>
        server.form(
          "/oauth/v2/token",
          {
            grant_type: exchangeGrant,
            subject_token: victim.userId,
            subject_token_type: typeOf.user_id,
            actor_token: token,
            actor_token_type: typeOf.access_token,
            scope: "openid",
          },
          client.basic,
        );
      const refused = await impersonate(actor);
      assert.equal(refused.status, isStrict ? 400 : 200, JSON.stringify(refused.body));
      if (isStrict) assert.equal(refused.body.error, "invalid_request");
      const robot = await server.personalAccessToken("robot");
      await appoint(server, robot, { organizationId }, ["ORG_END_USER_IMPERSONATOR"]);
      assert.equal((await impersonate(robot.token)).status, 200, "service accounts do not sign in");
    });
  });
}
