import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { startTestProvider, type TestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { arrive, pages, provenAttempt, startAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, openOptions } from "./trusted.ts";

eachServer((start) => {
  test("a provider of any kind that is pointed elsewhere signs no user in by their links (A2)", async (t) => {
    const server = await start(t);
    const honest = await startTestProvider(t, () => server.clock.now);
    const mallory = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const { organizationId, owner, manager, plain } = await addStaff(server, "kinds");
    const common = {
      name: "Provider",
      clientId: "doorward",
      clientSecret: honest.clientSecret,
      scopes: ["openid"],
      providerOptions: openOptions,
    };
    const endpointsAt = ({ issuer }: TestProvider) => ({
      authorizationEndpoint: `${issuer}/authorize`,
      tokenEndpoint: `${issuer}/token`,
      userEndpoint: `${issuer}/user`,
    });
    const jwt = {
      name: "Provider",
      issuer: honest.issuer,
      jwtEndpoint: `${honest.issuer}/jwt`,
      keysEndpoint: `${honest.issuer}/keys`,
      headerName: "x-person",
      audience: "doorward",
      providerOptions: openOptions,
    };
    const oauth = { ...common, ...endpointsAt(honest), idAttribute: "sub", usePkce: true };
    const enterprise = { ...common, ...endpointsAt(honest) };
    const { userEndpoint, tokenEndpoint } = endpointsAt(mallory);

    /** Makes an attempt of a kind, in which `at` issues codes or tokens, and opens a session of the user with it. */
    const signIn = async (path: string, idpId: string, at: TestProvider): Promise<string> => {
      if (path !== "jwt") return trust.throughSession(plain.userId, idpId, at);
      const away = new URL(await startAttempt(server, idpId, pages));
      const now = Math.floor(server.clock.now / 1000);
      const token = at.sign({ iss: at.issuer, sub: "victim", aud: "doorward", iat: now, exp: now + 300 });
      const state = away.searchParams.get("authRequestID") ?? "";
      const url = new URL(`/idps/jwt?authRequestID=${state}`, server.origin);
      const { id, token: idpIntentToken } = (await arrive(url, { "x-person": token, "x-other": token })).parameters;
      const checks = { user: { userId: plain.userId }, idpIntent: { idpIntentId: id, idpIntentToken } };
      const { status, body } = await server.rest("POST", "/v2/sessions", { body: { checks } });
      return status === 201 ? "201" : `${status} ${body.details[0].id}`;
    };

    const rows: readonly [path: string, name: string, body: object, sub: string, evil: object, by: TestProvider][] = [
      ["generic_oidc", "issuer", bodyAt(honest), "victim", { issuer: mallory.issuer }, mallory],
      ["oauth", "user endpoint", oauth, "victim", { userEndpoint }, honest],
      ["oauth", "token and user endpoint", oauth, "victim", endpointsAt(mallory), mallory],
      ["oauth", "token endpoint", oauth, "victim", { tokenEndpoint }, mallory],
      // The attacker has an account there, and chooses a nickname.
      ["oauth", "id attribute", oauth, "victim", { idAttribute: "nickname" }, honest],
      ["github_es", "endpoints", enterprise, "4711", endpointsAt(mallory), mallory],
      ["github_es", "user endpoint", enterprise, "4711", { userEndpoint }, honest],
      [
        "gitlab_self_hosted",
        "issuer",
        { ...common, issuer: honest.issuer },
        "victim",
        { issuer: mallory.issuer },
        mallory,
      ],
      [
        "jwt",
        "keys and issuer",
        jwt,
        "victim",
        { keysEndpoint: `${mallory.issuer}/keys`, issuer: mallory.issuer },
        mallory,
      ],
      ["jwt", "keys", jwt, "victim", { keysEndpoint: `${mallory.issuer}/keys` }, honest],
      ["jwt", "header", jwt, "victim", { headerName: "x-other" }, honest],
    ];
    for (const [path, name, body, sub, evil, by] of rows) {
      await t.test(`${path}, another ${name} (A2)`, async () => {
        const there = { id: 4711, sub: "victim", login: "victim", email: "v@provider.example", email_verified: true };
        honest.user = there;
        mallory.user = there;
        const route = `/idps/${path === "jwt" ? "generic_jwt" : path}`;
        const headers = { "x-zitadel-orgid": organizationId };
        const options = { token: owner.token, headers, body };
        const made = await server.rest("POST", `/management/v1${route}`, options);
        assert.equal(made.status, 200, JSON.stringify(made.body));
        const idpId: string = made.body.id;
        await changeSettings(server, "login", { identityProviderIds: [idpId] }, organizationId);
        assert.equal(await trust.link(plain.userId, idpId, sub), "200");
        assert.equal(await signIn(path, idpId, honest), "201", "an ordinary sign-in (control)");

        const update = { ...body, ...evil };
        assert.equal(await trust.manage(organizationId, manager.token, "PUT", `${route}/${idpId}`, update), "200");
        if (name === "id attribute") honest.user = { ...there, sub: "attacker", nickname: "victim" };
        assert.equal(await signIn(path, idpId, by), "400 identity_intent.other_user");

        honest.user = there;
        assert.equal(await trust.manage(organizationId, manager.token, "PUT", `${route}/${idpId}`, body), "200");
        assert.equal(await signIn(path, idpId, honest), "201", "back again (control)");
      });
    }

    await t.test("links of before speakers were kept continue, and end with their speaker (A2)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(honest));
      assert.equal(await trust.link(plain.userId, idpId, "victim"), "200");
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      for (const statement of [
        sql`update identity_providers set speaker = '', answered_with = null where identity_provider_id = ${idpId}`,
        sql`update identity_links set speaker = '' where identity_provider_id = ${idpId}`,
      ]) {
        const call = testCall({ instanceId, now: server.clock.now });
        await server.app.domain.database.touch(call, (tx) => tx.run(statement));
      }
      assert.equal(await signIn("generic_oidc", idpId, honest), "201");
      const refused = async (person: { userId: string }) => trust.link(person.userId, idpId, `of-${person.userId}`);
      // Who wrote it is not known, and the manager might have.
      assert.equal(await refused(owner), "403 identity_link.provider_not_trusted");
      assert.equal(await refused(manager), "200");
      const route = `/idps/generic_oidc/${idpId}`;
      const put = (to: TestProvider) => trust.manage(organizationId, manager.token, "PUT", route, bodyAt(to));
      assert.equal(await put(mallory), "200");
      mallory.user = { ...mallory.user, sub: "victim" };
      assert.equal(await signIn("generic_oidc", idpId, mallory), "400 identity_intent.other_user");
      assert.equal(await put(honest), "200");
      assert.equal(await signIn("generic_oidc", idpId, honest), "201");
    });

    await t.test("what an organization's provider says is not repeated as the word of the instance (A13)", async () => {
      const idpId = await trust.addTo(organizationId, owner.token, bodyAt(honest));
      const read = async (sub: string, email: string) => {
        honest.user = { ...honest.user, sub, email, email_verified: true, given_name: "Vera", family_name: "Victim" };
        const { idpIntentId, idpIntentToken } = await provenAttempt(server, honest, idpId);
        return (await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } })).body;
      };
      // A login application of the instance does what the answer proposes.
      const { addHumanUser } = await read("proposed", "proposed@bank.example");
      const made = await server.rest("POST", "/v2/users/human", {
        body: { ...addHumanUser, organization: { orgId: organizationId } },
      });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const emailOf = async () => (await server.rest("GET", `/v2/users/${made.body.userId}`)).body.user.human.email;
      assert.deepEqual((await emailOf()).proof, {
        method: "CONTACT_PROOF_METHOD_PROVIDER",
        organizationId,
        idpId,
      });
      const { updateHumanUser } = await read("proposed", "victim@bank.example");
      const { userId, ...change } = updateHumanUser;
      const updated = await server.rest("PUT", `/v2/users/human/${userId}`, { body: change });
      assert.equal(updated.status, 200, JSON.stringify(updated.body));
      assert.deepEqual([(await emailOf()).email, (await emailOf()).isVerified], ["victim@bank.example", false]);
    });
  });
});
