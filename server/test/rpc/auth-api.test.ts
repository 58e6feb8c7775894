import assert from "node:assert/strict";
import { test } from "node:test";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const projects = "service.project.v2.ProjectService";
const authorizations = "service.authorization.v2.AuthorizationService";
const apiScope = "openid offline_access urn:service:iam:org:project:id:service:aud";

eachServer((start) => {
  test("what users may know and change of themselves (first generation)", async (t) => {
    const server = await start(t);
    const oidc = await setUpOidc(server);
    await oidc.trust();
    const { organizationId, projectId, user } = oidc;
    const partner = await addOrganization(server, "Partner");
    const addRole = (roleKey: string) =>
      server.connect(`${projects}/AddProjectRole`, { projectId, roleKey, displayName: roleKey });
    for (const roleKey of ["reader", "writer"]) await addRole(roleKey);
    await server.connect(`${projects}/CreateProjectGrant`, {
      projectId,
      grantedOrganizationId: partner,
      roleKeys: ["reader"],
    });
    const assign = async (given: object) => {
      const body = { userId: user.userId, projectId, roleKeys: ["reader"], ...given };
      const made = await server.connect(`${authorizations}/CreateAuthorization`, body);
      assert.equal(made.status, 200, JSON.stringify(made.body));
      return made.body.id as string;
    };
    const owned = await assign({ organizationId, roleKeys: ["writer", "reader"] });
    const lent = await assign({ organizationId: partner });
    const { access_token: token = "" } = await oidc.tokens({ scope: apiScope });
    const other = await addPerson(server, { username: "other" });
    const { token: othersToken } = await sessionOf(server, other);
    const auth = (method: string, path: string, body?: object, as = token) =>
      server.rest(method, `/auth/v1${path}`, { token: as, ...(body !== undefined && { body }) });

    await t.test("their role assignments, with every field", async () => {
      const { status, body } = await auth("POST", "/usergrants/me/_search", { query: { asc: true } });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body.details).sort(), ["processedSequence", "totalResult", "viewTimestamp"]);
      assert.equal(body.details.totalResult, 2);
      const { details, ...first } = body.result.find(({ grantId }: { grantId: string }) => grantId === owned);
      assert.deepEqual(first, {
        orgId: organizationId,
        projectId,
        userId: user.userId,
        roles: ["reader", "writer"],
        orgName: "Doorward",
        grantId: owned,
        orgDomain: "doorward.localhost",
        projectName: "Shop",
        projectGrantId: "",
        roleKeys: ["reader", "writer"],
        userType: "TYPE_HUMAN",
        state: "USER_GRANT_STATE_ACTIVE",
      });
      assert.deepEqual(Object.keys(details).sort(), ["changeDate", "creationDate", "resourceOwner", "sequence"]);
      const second = body.result.find(({ grantId }: { grantId: string }) => grantId === lent);
      assert.deepEqual([second.orgId, second.roles, second.orgName], [partner, ["reader"], "Partner"]);
      assert.notEqual(second.projectGrantId, "");
      const page = await auth("POST", "/usergrants/me/_search", { query: { limit: 1 } });
      assert.deepEqual([page.body.result.length, page.body.details.totalResult], [1, 2]);
      const others = await auth("POST", "/usergrants/me/_search", {}, othersToken);
      assert.deepEqual([others.body.result, others.body.details.totalResult], [[], 0]);
      assert.equal(
        (await server.rest("POST", "/auth/v1/usergrants/me/_search", { body: {}, token: null })).status,
        401,
      );
      const headers = { "x-service-orgid": "404" };
      const unknown = await server.rest("POST", "/auth/v1/usergrants/me/_search", { body: {}, token, headers });
      assert.equal(unknown.status, 403);
      await server.connect(`${authorizations}/DeactivateAuthorization`, { id: owned });
      const again = await auth("POST", "/usergrants/me/_search", {});
      const states = again.body.result.map(({ grantId, state }: Record<string, string>) => [grantId, state]);
      assert.deepEqual(new Map(states).get(owned), "USER_GRANT_STATE_INACTIVE");
      await server.connect(`${authorizations}/ActivateAuthorization`, { id: owned });
    });

    await t.test("their roles in the project of the client, in the organization of the call", async () => {
      const mine = await auth("POST", "/permissions/me/_search");
      assert.deepEqual(mine.body, { result: ["reader", "writer"] });
      const inPartner = await server.rest("POST", "/auth/v1/permissions/me/_search", {
        token,
        headers: { "x-service-orgid": partner },
      });
      assert.deepEqual(inPartner.body, { result: ["reader"] });
      // A token that was issued to no client has no project.
      assert.equal((await auth("POST", "/permissions/me/_search", undefined, othersToken)).status, 404);
      await server.connect(`${authorizations}/UpdateAuthorization`, { id: owned, roleKeys: [] });
      assert.deepEqual((await auth("POST", "/permissions/me/_search")).body, { result: [] });
      await server.connect(`${authorizations}/DeleteAuthorization`, { id: owned });
      assert.equal((await auth("POST", "/permissions/me/_search")).status, 404);
    });

    await t.test("the organizations, positions and permissions they have", async () => {
      const names = async (as: string) =>
        (await auth("POST", "/global/projectorgs/_search", { query: { asc: true } }, as)).body.result
          .map(({ name }: { name: string }) => name)
          .sort();
      assert.deepEqual(await names(token), ["Partner"]);
      assert.deepEqual(await names(othersToken), ["Doorward"]);
      await appoint(server, other, { organizationId: partner }, ["ORG_OWNER"]);
      await appoint(server, other, { projectId }, ["PROJECT_OWNER_VIEWER"]);
      assert.deepEqual(await names(othersToken), ["Doorward", "Partner"]);
      assert.deepEqual(await names(server.ownerToken), ["Doorward", "Partner"]);
      const held = await auth("POST", "/memberships/me/_search", { query: { asc: true } }, othersToken);
      const active = { state: "ADMINISTRATOR_STATE_ACTIVE", pendingRoles: [] };
      assert.deepEqual(
        held.body.result.map(({ details, ...membership }: { details: object }) => membership).sort(byName),
        [
          { userId: other.userId, roles: ["ORG_OWNER"], displayName: "Partner", orgId: partner, ...active },
          { userId: other.userId, roles: ["PROJECT_OWNER_VIEWER"], displayName: "Shop", projectId, ...active },
        ],
      );
      const one = await auth(
        "POST",
        "/memberships/me/_search",
        { queries: [{ projectQuery: { projectId } }] },
        othersToken,
      );
      assert.deepEqual([one.body.result.length, one.body.details.totalResult], [1, 1]);
      const permissions = (await auth("POST", "/permissions/service/me/_search", undefined, othersToken)).body.result;
      assert.ok(
        permissions.includes(`project.read:${projectId}`) && !permissions.includes("org.write"),
        permissions.join(" "),
      );
      const there = await server.rest("POST", "/auth/v1/permissions/service/me/_search", {
        token: othersToken,
        headers: { "x-service-orgid": partner },
      });
      assert.ok(there.body.result.includes("org.write"));
      const all = (await auth("POST", "/permissions/service/me/_search", undefined, server.ownerToken)).body.result;
      assert.ok(all.includes("iam.write"));
    });

    await t.test("their account and what they change of it", async () => {
      const me = async () => (await auth("GET", "/users/me", undefined, othersToken)).body;
      const before = await me();
      assert.equal(before.user.userName, "other");
      assert.equal(before.user.state, "USER_STATE_ACTIVE");
      assert.deepEqual(before.user.human.email, {
        email: "other@mail.example",
        isEmailVerified: true,
        proof: { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", level: "CONTACT_PROOF_LEVEL_INSTANCE" },
      });
      assert.ok(before.user.loginNames.includes(before.user.preferredLoginName));
      assert.match(before.lastLogin, /^\d{4}-/);
      const change = (method: string, path: string, body?: object) =>
        auth(method, `/users/me${path}`, body, othersToken);
      const profile = {
        firstName: "Otto",
        lastName: "Other",
        nickName: "O",
        displayName: "OO",
        preferredLanguage: "de",
      };
      const set = await change("PUT", "/profile", { ...profile, gender: "GENDER_DIVERSE" });
      assert.equal(set.status, 200, JSON.stringify(set.body));
      assert.deepEqual((await change("PUT", "/profile", { ...profile, gender: "GENDER_DIVERSE" })).body, set.body);
      const read = await change("GET", "/profile");
      assert.deepEqual(read.body.profile, { ...profile, gender: "GENDER_DIVERSE", avatarUrl: "" });
      const wrong = await change("PUT", "/profile", { ...profile, preferredLanguage: "not a tag" });
      assert.match(wrong.body.message, /preferredLanguage/);
      assert.equal((await change("PUT", "/username", { userName: "otto" })).status, 200);
      assert.equal((await me()).user.preferredLoginName, "otto@doorward.localhost");
      assert.equal((await change("PUT", "/username", { userName: user.loginName.split("@")[0] })).status, 409);
      assert.equal((await change("PUT", "/email", { email: "otto@mail.example" })).status, 200);
      assert.deepEqual((await change("GET", "/email")).body.email, {
        email: "otto@mail.example",
        isEmailVerified: false,
      });
      assert.equal((await change("POST", "/email/_resend_verification", {})).status, 200);
      assert.equal(
        (await change("POST", "/email/_verify", { code: "000000" })).body.details[0].id,
        "user.code_invalid",
      );
      assert.equal((await change("PUT", "/phone", { phone: "+41791234567" })).status, 200);
      assert.deepEqual((await change("GET", "/phone")).body.phone, { phone: "+41791234567", isPhoneVerified: false });
      assert.equal((await change("POST", "/phone/_resend_verification", {})).status, 200);
      assert.equal((await change("POST", "/phone/_verify", { code: "000000" })).status, 400);
      assert.equal((await change("DELETE", "/phone")).status, 200);
      assert.equal((await change("GET", "/phone")).body.phone.phone, "");
    });

    await t.test("their metadata, which others set", async () => {
      const value = Buffer.from("gold").toString("base64");
      await server.connect("service.user.v2.UserService/SetUserMetadata", {
        userId: other.userId,
        metadata: [{ key: "plan", value }],
      });
      const list = await auth(
        "POST",
        "/users/me/metadata/_search",
        { queries: [{ keyQuery: { key: "plan" } }] },
        othersToken,
      );
      assert.deepEqual([list.body.details.totalResult, list.body.result[0].value], [1, value]);
      assert.equal((await auth("GET", "/users/me/metadata/plan", undefined, othersToken)).body.metadata.key, "plan");
      assert.equal((await auth("GET", "/users/me/metadata/absent", undefined, othersToken)).status, 404);
      assert.equal((await auth("GET", "/users/me/metadata/plan")).status, 404);
    });

    await t.test("their sessions here, and what applications may renew", async () => {
      const sessions = await auth("POST", "/users/me/sessions/_search", {}, othersToken);
      assert.deepEqual(
        sessions.body.result.map(({ userId, authState }: Record<string, string>) => [userId, authState]),
        [[other.userId, "SESSION_STATE_ACTIVE"]],
      );
      const list = async () => (await auth("POST", "/users/me/tokens/refresh/_search", {})).body;
      const listed = await list();
      assert.equal(listed.details.totalResult, 1);
      const [family] = listed.result;
      assert.equal(family.clientId, oidc.client.clientId);
      assert.ok(family.scopes.includes("offline_access") && family.idleExpiration <= family.expiration);
      const foreign = await auth("DELETE", `/users/me/tokens/refresh/${family.id}`, undefined, othersToken);
      const absent = await auth("DELETE", "/users/me/tokens/refresh/404", undefined, othersToken);
      assert.deepEqual([foreign.status, foreign.body], [404, absent.body]);
      const second = await oidc.tokens({ scope: apiScope });
      const third = await oidc.tokens({ scope: apiScope });
      assert.equal((await list()).details.totalResult, 3);
      const { access_token: own = "" } = third;
      const all = (await list()).result.map(({ id }: { id: string }) => id);
      const revoked = await auth("DELETE", `/users/me/tokens/refresh/${family.id}`, undefined, own);
      assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
      assert.equal((await oidc.introspect(token))["active"], false);
      assert.ok(all.includes(family.id));
      assert.equal((await auth("POST", "/users/me/tokens/refresh/_revoke_all", {}, own)).status, 200);
      for (const dead of [second, third])
        assert.equal((await oidc.introspect(dead["access_token"] ?? ""))["active"], false);
    });

    await t.test("the settings that count for them", async () => {
      const get = (path: string) => auth("GET", path, undefined, othersToken);
      const complexity = (await get("/policies/passwords/complexity")).body.policy;
      assert.deepEqual([complexity.minLength, complexity.isDefault], [12, true]);
      const login = (await get("/policies/login")).body.policy;
      assert.deepEqual([login.allowUsernamePassword, login.passwordlessType], [true, "PASSWORDLESS_TYPE_ALLOWED"]);
      assert.ok((await get("/languages")).body.languages.includes("en"));
    });

    await t.test("their password and their end", async () => {
      const set = (oldPassword: string, newPassword: string) =>
        auth("PUT", "/users/me/password", { oldPassword, newPassword }, othersToken);
      const next = "a much longer battery staple";
      assert.equal((await set("wrong password here", next)).body.details[0].id, "user.password_wrong");
      assert.equal((await set(goodPassword, "short")).status, 400);
      assert.equal((await set(goodPassword, next)).status, 200);
      assert.equal((await sessionOf(server, { ...other, password: next })).token.length > 0, true);
      const { token: fresh } = await sessionOf(server, { ...other, password: next });
      assert.equal((await auth("DELETE", "/users/me", undefined, fresh)).status, 403);
      await appoint(server, other, { organizationId }, ["ORG_USER_SELF_MANAGER"]);
      assert.equal((await auth("DELETE", "/users/me", undefined, fresh)).status, 200);
      assert.equal((await auth("GET", "/users/me", undefined, fresh)).status, 401);
    });
  });
});

const byName = (a: { displayName?: string }, b: { displayName?: string }): number =>
  (a.displayName ?? "") < (b.displayName ?? "") ? -1 : 1;
