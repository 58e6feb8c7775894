import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { fetch } from "../support/http/fetch.ts";
import {
  addOrganization,
  addPerson,
  appoint,
  defaultOrganization,
  goodPassword,
  sessionOf,
} from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

const admin = "/admin/v1";

async function call(server: TestServer, method: string, path: string, body?: object, org?: string) {
  const headers = org === undefined ? {} : { "x-service-orgid": org };
  const answer = await server.rest(method, path, { headers, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function refusal(server: TestServer, method: string, path: string, body?: object) {
  const { status, body: refused } = await server.rest(method, path, { ...(body !== undefined && { body }) });
  return [status, refused.details?.[0]?.id];
}

const nameOf = async (server: TestServer, userId: string): Promise<string> =>
  (await server.connect("service.user.v2.UserService/GetUserByID", { userId })).body.user.preferredLoginName;

async function mails(server: TestServer, email: string) {
  const path = `/ui/dev/inbox?recipient=${encodeURIComponent(email)}`;
  const { body } = await server.rest("GET", path, { token: null, headers: { accept: "application/json" } });
  return body.messages as { kind: string; text: string }[];
}

eachServer((start) => {
  test("the instance by the first generation of the API", async (t) => {
    const server = await start(t);
    const home = await defaultOrganization(server);
    const owner = await addPerson(server, { username: "orga" });
    await appoint(server, owner, { organizationId: home }, ["ORG_OWNER"]);
    const { token: ownerToken } = await sessionOf(server, owner);
    const signIn = (loginName: string) =>
      server.rest("POST", "/v2/sessions", {
        body: { checks: { user: { loginName }, password: { password: goodPassword } } },
      });

    await t.test("only administrators of the instance may call it", async () => {
      const rows: readonly [string, string, object?][] = [
        ["PUT", "/policies/domain", { userLoginMustBeDomain: true }],
        ["POST", `/orgs/${home}/policies/domain`, {}],
        ["PUT", `/orgs/${home}/policies/domain`, {}],
        ["DELETE", `/orgs/${home}/policies/domain`],
        ["PUT", "/policies/orgiam", {}],
        ["PUT", "/policies/notification", {}],
        ["PUT", "/languages/default/de", {}],
        ["PUT", "/restrictions", {}],
        ["GET", "/restrictions"],
        ["PUT", "/settings/oidc", {}],
        ["GET", "/settings/oidc"],
        ["PUT", `/orgs/default/${home}`, {}],
        ["POST", "/orgs/_setup", { org: { name: "X" } }],
        ["GET", "/orgs/_is_unique?name=x"],
        ["GET", "/instances/me"],
        ["POST", "/domains/_search", {}],
        ["POST", "/trusted_domains", { domain: "evil.example" }],
        ["DELETE", "/trusted_domains/evil.example"],
      ];
      for (const [method, path, body] of rows) {
        const refused = await server.rest(method, admin + path, { token: ownerToken, ...(body && { body }) });
        assert.equal(refused.status, 403, `${method} ${path}: ${JSON.stringify(refused.body)}`);
      }
      assert.equal(
        (await server.rest("POST", "/management/v1/orgs", { token: ownerToken, body: { name: "X" } })).status,
        403,
      );
    });

    await t.test("login names follow the settings of domains in the same moment", async () => {
      const acme = await addOrganization(server, "Acme");
      const ada = await addPerson(server, { username: "ada", organizationId: acme });
      const bob = await addPerson(server, { username: "bob" });
      assert.equal(ada.loginName, "ada@acme.localhost");
      const policy = `${admin}/orgs/${acme}/policies/domain`;
      await call(server, "POST", policy, { userLoginMustBeDomain: false });
      assert.deepEqual([await nameOf(server, ada.userId), await nameOf(server, bob.userId)], ["ada", bob.loginName]);
      assert.equal((await signIn("ada")).status, 201);
      assert.deepEqual(await refusal(server, "POST", policy, {}), [409, "settings.exists"]);
      // Users created now get such a name as well.
      const eve = await addPerson(server, { username: "eve", organizationId: acme });
      assert.equal(eve.loginName, "eve");
      await call(server, "DELETE", policy);
      assert.equal(await nameOf(server, eve.userId), "eve@acme.localhost");
      assert.equal((await call(server, "GET", policy)).isDefault, true);

      await call(server, "PUT", `${admin}/policies/domain`, { userLoginMustBeDomain: false, validateOrgDomains: true });
      assert.deepEqual([await nameOf(server, ada.userId), await nameOf(server, bob.userId)], ["ada", "bob"]);
      const taken = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: home,
        username: "ada",
        human: { profile: { givenName: "A", familyName: "B" }, email: { email: "two@mail.example", isVerified: true } },
      });
      assert.equal(taken.status, 409, "a bare name is one person's in the whole instance");
      // The former name of the settings does not change what it has no word for.
      await call(server, "PUT", `${admin}/policies/orgiam`, { userLoginMustBeDomain: true });
      const { policy: now } = await call(server, "GET", `${admin}/policies/domain`);
      assert.deepEqual([now.userLoginMustBeDomain, now.validateOrgDomains], [true, true]);
      assert.equal((await call(server, "GET", `${admin}/policies/orgiam`)).policy.userLoginMustBeDomain, true);
      assert.equal(await nameOf(server, bob.userId), bob.loginName);
    });

    await t.test("names that two users would have are refused, and nothing changes", async () => {
      const other = await addOrganization(server, "Second");
      const first = await addPerson(server, { username: "same" });
      const second = await addPerson(server, { username: "same", organizationId: other });
      const refused = await refusal(server, "PUT", `${admin}/policies/domain`, { userLoginMustBeDomain: false });
      assert.deepEqual(refused, [400, "user.login_names_collide"]);
      assert.deepEqual(
        [await nameOf(server, first.userId), await nameOf(server, second.userId)],
        [first.loginName, second.loginName],
      );
      assert.equal((await call(server, "GET", `${admin}/policies/domain`)).policy.userLoginMustBeDomain, true);
      // No user of this organization collides.
      await call(server, "POST", `${admin}/orgs/${other}/policies/orgiam`, { userLoginMustBeDomain: false });
      assert.equal(await nameOf(server, second.userId), "same");
      await call(server, "DELETE", `${admin}/orgs/${other}/policies/orgiam`);
    });

    await t.test("a user whose name is taken by a claimed domain is told the new one", async () => {
      await call(server, "PUT", `${admin}/policies/domain`, { userLoginMustBeDomain: true, validateOrgDomains: false });
      const bare = await addOrganization(server, "Bare");
      await call(server, "POST", `${admin}/orgs/${bare}/policies/domain`, { userLoginMustBeDomain: false });
      const claimer = await addOrganization(server, "Claimer");
      const made = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: bare,
        username: "ida@claimed.example",
        human: {
          profile: { givenName: "Ida", familyName: "Example" },
          email: { email: "ida@claimed.example", isVerified: true },
          password: { password: goodPassword },
        },
      });
      const person = { userId: made.body.id };
      assert.equal(await nameOf(server, person.userId), "ida@claimed.example");
      assert.equal((await signIn("ida@claimed.example")).status, 201);
      await call(server, "POST", "/management/v1/orgs/me/domains", { domain: "claimed.example" }, claimer);
      const renamed = await nameOf(server, person.userId);
      assert.equal(renamed, "ida@claimed.example@bare.localhost");
      assert.notEqual((await signIn("ida@claimed.example")).status, 201);
      assert.equal((await signIn(renamed)).status, 201);
      const [mail] = await mails(server, "ida@claimed.example");
      assert.equal(mail?.kind, "domain_claimed");
      assert.ok(mail.text.includes("claimed.example") && mail.text.includes(renamed), mail.text);
    });

    await t.test("users are told of a new password where the settings want it", async () => {
      const person = await addPerson(server, { username: "notified" });
      const setPassword = (password: string) =>
        call(server, "POST", `/management/v1/users/${person.userId}/password`, { password, noChangeRequired: true });
      const told = async () =>
        (await mails(server, "notified@mail.example")).filter(({ kind }) => kind === "password_changed").length;
      assert.equal((await call(server, "GET", `${admin}/policies/notification`)).policy.passwordChange, true);
      await setPassword("a first good passphrase");
      assert.equal(await told(), 1);
      const management = "/management/v1/policies/notification";
      await call(server, "POST", management, { passwordChange: false });
      await setPassword("a second good passphrase");
      assert.equal(await told(), 1);
      assert.deepEqual(await refusal(server, "POST", management, {}), [409, "settings.exists"]);
      assert.equal((await call(server, "GET", management)).policy.isDefault ?? false, false);
      await call(server, "PUT", management, { passwordChange: true });
      await call(server, "DELETE", management);
      await call(server, "PUT", `${admin}/policies/notification`, { passwordChange: false });
      assert.equal((await call(server, "GET", management)).policy.isDefault, true);
      await setPassword("a third good passphrase");
      assert.equal(await told(), 1);
      const expected = (await server.rest("GET", "/management/v1/policies/default/notification")).body.policy;
      assert.equal(expected.passwordChange ?? false, false);
      assert.deepEqual(await refusal(server, "POST", `${admin}/policies/notification`, {}), [409, "settings.exists"]);
    });

    await t.test("languages", async () => {
      assert.deepEqual((await call(server, "GET", `${admin}/languages/allowed`)).languages, languages);
      assert.deepEqual(await refusal(server, "PUT", `${admin}/languages/default/tlh`), [
        400,
        "settings.language_unsupported",
      ]);
      await call(server, "PUT", `${admin}/languages/default/de`, {});
      assert.equal((await call(server, "GET", `${admin}/languages/default`)).language, "de");
      const excluding = { allowedLanguages: { list: ["en"] } };
      assert.deepEqual(await refusal(server, "PUT", `${admin}/restrictions`, excluding), [
        400,
        "settings.default_language_excluded",
      ]);
      await call(server, "PUT", `${admin}/restrictions`, { allowedLanguages: { list: ["de"] } });
      assert.deepEqual(await refusal(server, "PUT", `${admin}/languages/default/en`), [
        400,
        "settings.language_unsupported",
      ]);
      const { disallowPublicOrgRegistration, allowedLanguages } = await call(server, "GET", `${admin}/restrictions`);
      assert.deepEqual([disallowPublicOrgRegistration, allowedLanguages], [true, ["de"]]);
      assert.deepEqual((await call(server, "GET", `${admin}/languages/allowed`)).languages, ["de"]);
      const page = await server.rest("GET", "/ui/login", { token: null, headers: { "accept-language": "en" } });
      assert.equal(page.headers.get("content-language"), "de");
      // What clients state about it is kept, and opens nothing: there is no page for it.
      for (const stated of [false, true, true]) {
        await call(server, "PUT", `${admin}/restrictions`, { disallowPublicOrgRegistration: stated });
        const kept = await call(server, "GET", `${admin}/restrictions`);
        assert.deepEqual([kept.disallowPublicOrgRegistration, kept.allowedLanguages], [stated, ["de"]]);
      }
      await call(server, "PUT", `${admin}/restrictions`, { allowedLanguages: {} });
      await call(server, "PUT", `${admin}/languages/default/en`, {});
    });

    await t.test("tokens live as long as the settings say", async () => {
      const { settings } = await call(server, "GET", `${admin}/settings/oidc`);
      assert.equal(settings.accessTokenLifetime, "43200s");
      assert.deepEqual(await refusal(server, "POST", `${admin}/settings/oidc`, {}), [409, "settings.exists"]);
      await call(server, "PUT", `${admin}/settings/oidc`, { accessTokenLifetime: "600s" });
      const after = (await call(server, "GET", `${admin}/settings/oidc`)).settings;
      assert.deepEqual(
        [after.accessTokenLifetime, after.refreshTokenExpiration],
        ["600s", settings.refreshTokenExpiration],
      );
      assert.deepEqual(await refusal(server, "PUT", `${admin}/settings/oidc`, { idTokenLifetime: "0s" }), [
        400,
        "settings.lifetime_invalid",
      ]);
      const made = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: home,
        username: "robot",
        machine: { name: "Robot" },
      });
      const secret = await server.connect("service.user.v2.UserService/AddSecret", { userId: made.body.id });
      const issued = await fetch(`${server.origin}/oauth/v2/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`robot:${secret.body.clientSecret}`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", scope: "openid" }),
      });
      assert.equal(((await issued.json()) as { expires_in: number }).expires_in, 600);
    });

    await t.test("organizations are made, found and made the default", async () => {
      const me = await call(server, "POST", "/management/v1/orgs", { name: "Mine" });
      const member = await call(server, "POST", "/management/v1/orgs/me/members/_search", {}, me.id);
      assert.deepEqual(
        member.result.map(({ roles }: { roles: string[] }) => roles),
        [["ORG_OWNER"]],
      );
      const human = {
        userName: "gigi",
        profile: { firstName: "G", lastName: "G" },
        email: { email: "gigi@mail.example", isEmailVerified: true },
        password: goodPassword,
      };
      const made = await call(server, "POST", `${admin}/orgs/_setup`, {
        org: { name: "Set Up", domain: "setup.example" },
        human,
        roles: ["ORG_USER_MANAGER"],
      });
      const members = await call(server, "POST", "/management/v1/orgs/me/members/_search", {}, made.orgId);
      assert.deepEqual(
        members.result.map(({ userId, roles }: { userId: string; roles: string[] }) => [userId, roles]),
        [[made.userId, ["ORG_USER_MANAGER"]]],
      );
      assert.equal((await signIn("gigi@setup.example")).status, 201);
      const found = await call(server, "GET", "/management/v1/global/orgs/_by_domain?domain=setup.example");
      assert.equal(found.org.id, made.orgId);
      assert.deepEqual(await refusal(server, "GET", "/management/v1/global/orgs/_by_domain?domain=none.example"), [
        404,
        "organization.not_found",
      ]);
      for (const [query, isUnique] of [
        ["name=SET UP", false],
        ["name=Other", true],
        ["domain=setup.example", false],
        ["domain=free.example&name=Free", true],
      ] as const) {
        const answer = await call(server, "GET", `${admin}/orgs/_is_unique?${query}`);
        assert.equal(answer.isUnique ?? false, isUnique, query);
      }
      const again = { org: { name: "Again", domain: "setup.example" }, human: { ...human, userName: "again" } };
      assert.deepEqual(await refusal(server, "POST", `${admin}/orgs/_setup`, again), [
        409,
        "organization.domain_taken",
      ]);
      assert.equal((await call(server, "GET", `${admin}/orgs/_is_unique?name=Again`)).isUnique, true, "all or nothing");

      await call(server, "PUT", `${admin}/orgs/default/${made.orgId}`, {});
      assert.equal((await call(server, "GET", `${admin}/orgs/default`)).org.id, made.orgId);
      const iam = await call(server, "GET", "/management/v1/iam");
      assert.equal(iam.defaultOrgId, made.orgId);
      const kept = await server.rest("DELETE", "/management/v1/orgs/me", {
        headers: { "x-service-orgid": made.orgId },
      });
      assert.equal(kept.status, 400, "the default one stays");
      await call(server, "PUT", `${admin}/orgs/default/${home}`, {});
      assert.deepEqual(await refusal(server, "PUT", `${admin}/orgs/default/1`), [404, "organization.not_found"]);
      await call(server, "POST", "/management/v1/orgs/me/_deactivate", {}, made.orgId);
      assert.deepEqual(await refusal(server, "PUT", `${admin}/orgs/default/${made.orgId}`), [
        400,
        "organization.not_active",
      ]);
    });

    await t.test("the instance tells about itself", async () => {
      const { instance } = await call(server, "GET", `${admin}/instances/me`);
      assert.equal(instance.state, "STATE_RUNNING");
      const domains = await call(server, "POST", `${admin}/domains/_search`, {
        queries: [{ primaryQuery: { primary: true } }],
      });
      assert.deepEqual(
        domains.result.map(({ domain }: { domain: string }) => domain),
        ["localhost"],
      );
      await call(server, "POST", `${admin}/trusted_domains`, { domain: "links.example" });
      const trusted = await call(server, "POST", `${admin}/trusted_domains/_search`, {});
      assert.deepEqual(
        trusted.result.map(({ domain }: { domain: string }) => domain),
        ["links.example"],
      );
      assert.equal((await refusal(server, "POST", `${admin}/trusted_domains`, { domain: "links.example" }))[0], 409);
      await call(server, "DELETE", `${admin}/trusted_domains/links.example`);
      assert.deepEqual((await call(server, "POST", `${admin}/trusted_domains/_search`, {})).result ?? [], []);
      const information = await server.rest("GET", "/management/v1/service/docs", { token: null });
      assert.equal(information.body.issuer, server.origin);
      const discovery = await fetch(information.body.discoveryEndpoint);
      assert.equal(((await discovery.json()) as { issuer: string }).issuer, server.origin);
    });
  });
});
