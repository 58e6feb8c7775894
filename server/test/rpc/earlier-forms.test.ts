import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2beta/user_service_pb";
import { actionsOf } from "../action/support/actions.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addOrganization, addPerson, appoint, goodPassword, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

/** Calls a method, and expects an answer. */
async function call(server: TestServer, method: string, body: object, token?: string) {
  const answer = await server.connect(`zitadel.${method}`, body, token === undefined ? {} : { token });
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const human = (username: string) => ({
  username,
  profile: { givenName: "Ada", familyName: "Lovelace" },
  email: { email: `${username}@example.com`, isVerified: true },
  password: { password: goodPassword },
});

eachServer((start) => {
  test("earlier forms of services answer as the methods of version 2", async (t) => {
    const server = await start(t);
    const beta = (method: string, body: object, token?: string) => call(server, method, body, token);
    const acme = await addOrganization(server, "Acme");

    await t.test("users: created, found, changed, and gone", async () => {
      const service = "user.v2beta.UserService";
      const body = { organization: { orgId: acme }, ...human("ada") };
      const { userId } = await beta(`${service}/AddHumanUser`, body);
      const { user } = await beta(`${service}/GetUserByID`, { userId });
      assert.deepEqual([user.userId, user.username, user.state], [userId, "ada", "USER_STATE_ACTIVE"]);
      assert.equal(user.human.profile.preferredLanguage, "und");
      const queries = [{ userNameQuery: { userName: "ada" } }];
      const { result, details } = await beta(`${service}/ListUsers`, {
        queries,
        sortingColumn: "USER_FIELD_NAME_EMAIL",
      });
      assert.deepEqual([result.map((found: { userId: string }) => found.userId), details.totalResult], [[userId], "1"]);
      const { verificationCode } = await beta(`${service}/SetEmail`, {
        userId,
        email: "a@example.com",
        returnCode: {},
      });
      await beta(`${service}/VerifyEmail`, { userId, verificationCode });
      await beta(`${service}/UpdateHumanUser`, { userId, profile: { givenName: "A", familyName: "L" } });
      for (const method of ["DeactivateUser", "ReactivateUser", "LockUser", "UnlockUser", "DeleteUser"]) {
        await beta(`${service}/${method}`, { userId });
      }
      const gone = await server.connect(`zitadel.${service}/GetUserByID`, { userId });
      assert.deepEqual([gone.status, gone.body.details[0].type], [404, "zitadel.v1.ErrorDetail"]);
    });

    await t.test("settings that the form cannot name stay", async () => {
      const current = "settings.v2.SettingsService";
      const unnamed = {
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
        clientIdMetadataDocument: { enabled: true, allowedUrls: ["https://client.example/id"] },
        claimNamespaces: ["service"],
        skipConsentAcrossOrganizations: true,
      };
      const read = async () => (await call(server, `${current}/GetSecuritySettings`, {})).settings;
      await call(server, `${current}/SetSecuritySettings`, { ...unnamed, enableImpersonation: true });
      const { enableImpersonation, ...before } = await read();
      assert.equal(enableImpersonation, true);
      const embeddedIframe = { enabled: true, allowedOrigins: ["https://portal.example"] };
      await beta("settings.v2beta.SettingsService/SetSecuritySettings", { embeddedIframe });
      // What it does name is replaced.
      assert.deepEqual(await read(), { ...before, embeddedIframe });
      // The control: version 2 names all of them.
      const off = { skipConsentAcrossOrganizations: false };
      await call(server, `${current}/SetSecuritySettings`, off);
      const after = await read();
      assert.deepEqual([after.dynamicClientRegistration.enabled, after.claimNamespaces], [undefined, undefined]);
    });

    await t.test("sessions and settings", async () => {
      const person = await addPerson(server, { username: "grace", organizationId: acme });
      const service = "session.v2beta.SessionService";
      const checks = { user: { loginName: person.loginName }, password: { password: goodPassword } };
      const { sessionId, sessionToken } = await beta(`${service}/CreateSession`, { checks, metadata: { a: "Yg==" } });
      const { session } = await beta(`${service}/GetSession`, { sessionId, sessionToken });
      assert.equal(session.factors.user.id, person.userId);
      assert.equal(session.metadata.a, "Yg==");
      assert.ok(session.factors.password.verifiedAt);
      const { sessions } = await beta(`${service}/ListSessions`, { queries: [{ idsQuery: { ids: [sessionId] } }] });
      assert.deepEqual(
        sessions.map(({ id }: { id: string }) => id),
        [sessionId],
      );
      await beta(`${service}/DeleteSession`, { sessionId });

      const settings = "settings.v2beta.SettingsService";
      const current = await server.connect("service.settings.v2.SettingsService/GetLoginSettings", {});
      const { settings: login } = await beta(`${settings}/GetLoginSettings`, {});
      assert.equal(login.allowUsernamePassword, current.body.settings.allowUsernamePassword);
      assert.equal(login.passwordCheckLifetime, current.body.settings.passwordCheckLifetime);
      assert.ok((await beta(`${settings}/GetGeneralSettings`, {})).supportedLanguages.length > 20);
    });

    await t.test("organizations: with administrators, listed by pages, with domains and metadata", async () => {
      const service = "org.v2beta.OrganizationService";
      const person = await addPerson(server, { username: "known", organizationId: acme });
      const made = await beta(`${service}/CreateOrganization`, {
        name: "Beta",
        id: "beta-organization",
        admins: [{ userId: person.userId }, { human: human("first"), roles: ["ORG_OWNER"] }],
      });
      assert.equal(made.id, "beta-organization");
      assert.match(made.creationDate, /^\d{4}-/);
      const [created, assigned] = made.organizationAdmins;
      assert.match(created.createdAdmin.userId, /^\d+$/);
      assert.equal(assigned.assignedAdmin.userId, person.userId);
      const { organizations, pagination } = await beta(`${service}/ListOrganizations`, {
        pagination: { limit: 5, asc: true },
        sortingColumn: "ORG_FIELD_NAME_NAME",
        filter: [{ nameFilter: { name: "Be", method: "TEXT_QUERY_METHOD_STARTS_WITH" } }],
      });
      assert.deepEqual(pagination, { totalResult: "1", appliedLimit: "5" });
      const { creationDate, changedDate, ...found } = organizations[0];
      assert.deepEqual(found, {
        id: "beta-organization",
        name: "Beta",
        state: "ORG_STATE_ACTIVE",
        primaryDomain: "beta.localhost",
      });
      assert.ok(creationDate && changedDate);
      const { domains } = await beta(`${service}/ListOrganizationDomains`, {
        organizationId: "beta-organization",
        filters: [{ domainNameFilter: { name: "beta.localhost" } }],
      });
      assert.deepEqual(
        domains.map(({ domainName }: { domainName: string }) => domainName),
        ["beta.localhost"],
      );
      const organizationId = "beta-organization";
      await beta(`${service}/SetOrganizationMetadata`, { organizationId, metadata: [{ key: "k", value: "dg==" }] });
      const filter = [{ keyQuery: { key: "k" } }];
      const { metadata } = await beta(`${service}/ListOrganizationMetadata`, { organizationId, filter });
      assert.deepEqual(
        metadata.map(({ key, value }: { key: string; value: string }) => [key, value]),
        [["k", "dg=="]],
      );
      await beta(`${service}/UpdateOrganization`, { id: organizationId, name: "Gamma" });
      await beta(`${service}/DeactivateOrganization`, { id: organizationId });
      await beta(`${service}/ActivateOrganization`, { id: organizationId });
      await beta(`${service}/DeleteOrganization`, { id: organizationId });
    });

    await t.test("projects, applications, role assignments and administrators", async () => {
      const projects = "project.v2beta.ProjectService";
      const { id: projectId } = await beta(`${projects}/CreateProject`, { organizationId: acme, name: "Shop" });
      await beta(`${projects}/UpdateProject`, { id: projectId, projectRoleCheck: true, hasProjectCheck: true });
      const { project } = await beta(`${projects}/GetProject`, { id: projectId });
      assert.deepEqual(
        [project.id, project.authorizationRequired, project.projectAccessRequired],
        [projectId, true, true],
      );
      for (const [filter, length] of [
        [{ projectResourceOwnerFilter: { id: acme } }, 1],
        [{ projectGrantResourceOwnerFilter: { id: acme } }, 0],
        [{ projectOrganizationIdFilter: { id: acme } }, 1],
      ] as const) {
        const { projects: found = [] } = await beta(`${projects}/ListProjects`, { filters: [filter] });
        assert.equal(found.length, length, JSON.stringify(filter));
      }
      await beta(`${projects}/AddProjectRole`, { projectId, roleKey: "buyer", displayName: "Buyer" });

      const apps = "app.v2beta.AppService";
      const oidcRequest = {
        redirectUris: ["https://shop.example/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
        appType: "OIDC_APP_TYPE_NATIVE",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
        devMode: true,
      };
      const made = await beta(`${apps}/CreateApplication`, { projectId, name: "web", oidcRequest });
      assert.match(made.oidcResponse.clientId, /^\d+/);
      const { app } = await beta(`${apps}/GetApplication`, { id: made.appId });
      assert.deepEqual(
        [app.id, app.state, app.oidcConfig.appType, app.oidcConfig.devMode],
        [made.appId, "APP_STATE_ACTIVE", "OIDC_APP_TYPE_NATIVE", true],
      );
      const apiMade = await beta(`${apps}/CreateApplication`, { projectId, name: "api", apiRequest: {} });
      assert.ok(apiMade.apiResponse.clientSecret);
      for (const [filters, names] of [
        [[], ["api", "web"]],
        [[{ apiAppOnly: true }], ["api"]],
        [[{ oidcAppOnly: true }], ["web"]],
        [[{ nameFilter: { name: "web" } }], ["web"]],
      ] as const) {
        const { applications } = await beta(`${apps}/ListApplications`, { projectId, filters });
        assert.deepEqual(applications.map(({ name }: { name: string }) => name).toSorted(), names);
      }
      await beta(`${apps}/UpdateApplication`, {
        projectId,
        id: made.appId,
        oidcConfigurationRequest: { devMode: false },
      });
      const secret = await beta(`${apps}/RegenerateClientSecret`, {
        projectId,
        applicationId: apiMade.appId,
        isApi: true,
      });
      assert.ok(secret.clientSecret && secret.clientSecret !== apiMade.apiResponse.clientSecret);
      const apiConfigurationRequest = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
      await beta(`${apps}/UpdateApplication`, { projectId, id: apiMade.appId, apiConfigurationRequest });
      const key = await beta(`${apps}/CreateApplicationKey`, { projectId, appId: apiMade.appId });
      const { keys } = await beta(`${apps}/ListApplicationKeys`, { applicationId: apiMade.appId });
      assert.deepEqual(
        keys.map(({ id }: { id: string }) => id),
        [key.id],
      );
      assert.equal((await beta(`${apps}/GetApplicationKey`, { id: key.id, projectId })).id, key.id);
      await beta(`${apps}/DeleteApplicationKey`, { id: key.id, projectId, applicationId: apiMade.appId });

      const person = await addPerson(server, { username: "buyer", organizationId: acme });
      const authorizations = "authorization.v2beta.AuthorizationService";
      const body = { userId: person.userId, projectId, organizationId: acme, roleKeys: ["buyer"] };
      const { id } = await beta(`${authorizations}/CreateAuthorization`, body);
      const filters = [{ userId: { id: person.userId } }];
      const listed = await beta(`${authorizations}/ListAuthorizations`, { filters });
      const [found] = listed.authorizations;
      assert.deepEqual(
        [found.id, found.projectId, found.projectName, found.organizationId, found.grantedOrganizationId, found.roles],
        [id, projectId, "Shop", acme, undefined, ["buyer"]],
      );

      const administrators = "internal_permission.v2beta.InternalPermissionService";
      const resource = { projectId };
      const position = { userId: person.userId, resource, roles: ["PROJECT_OWNER"] };
      await beta(`${administrators}/CreateAdministrator`, position);
      const search = {
        filters: [
          { resource },
          { creationDate: { timestamp: "2000-01-01T00:00:00Z", method: "TIMESTAMP_FILTER_METHOD_GREATER" } },
        ],
      };
      const { administrators: all } = await beta(`${administrators}/ListAdministrators`, search);
      assert.deepEqual(
        all.map(({ user }: { user: { id: string } }) => user.id),
        [person.userId],
      );
      await beta(`${administrators}/DeleteAdministrator`, { userId: person.userId, resource });
    });

    await t.test("administrators of a project grant, by the id of the grant", async () => {
      const partner = await addOrganization(server, "Partner");
      const person = await addPerson(server, { username: "partner", organizationId: partner });
      const { id: projectId } = await beta("project.v2beta.ProjectService/CreateProject", {
        organizationId: acme,
        name: "Lent",
      });
      const headers = { "x-service-orgid": acme };
      const body = { grantedOrgId: partner };
      const granted = await server.rest("POST", `/management/v1/projects/${projectId}/grants`, { headers, body });
      const { grantId } = granted.body;
      const service = "internal_permission.v2beta.InternalPermissionService";
      const position = {
        userId: person.userId,
        resource: { projectGrant: { projectId, projectGrantId: grantId } },
        roles: ["PROJECT_GRANT_OWNER"],
      };
      await beta(`${service}/CreateAdministrator`, position);
      const filters = [{ resource: { projectGrantId: grantId } }];
      const { administrators } = await beta(`${service}/ListAdministrators`, { filters });
      assert.deepEqual(
        administrators.map(({ user, projectGrant }: { user: { id: string }; projectGrant: { id: string } }) => [
          user.id,
          projectGrant.id,
        ]),
        [[person.userId, grantId]],
      );
      const elsewhere = { ...position, resource: { projectGrant: { projectId: "1", projectGrantId: grantId } } };
      const refused = await server.connect(`zitadel.${service}/CreateAdministrator`, elsewhere);
      assert.equal(refused.status, 404, "a grant is of its project");
      const nothing = await server.connect(
        "service.internal_permission.v2.InternalPermissionService/CreateAdministrator",
        {
          ...position,
          resource: { projectGrant: { projectId } },
        },
      );
      assert.deepEqual([nothing.status, nothing.body.code], [400, "invalid_argument"]);
      await beta(`${service}/DeleteAdministrator`, { userId: person.userId, resource: position.resource });
    });

    await t.test("instances, features, keys, targets", async () => {
      const instances = "instance.v2beta.InstanceService";
      const { instance } = await beta(`${instances}/GetInstance`, {});
      assert.ok(instance.id && instance.domains.length > 0);
      const { domains } = await beta(`${instances}/ListCustomDomains`, {
        instanceId: instance.id,
        queries: [{ primaryQuery: { primary: true } }],
      });
      assert.equal(domains.length, 1);
      await beta(`${instances}/AddTrustedDomain`, { instanceId: instance.id, domain: "portal.example" });
      const { trustedDomain } = await beta(`${instances}/ListTrustedDomains`, { instanceId: instance.id });
      assert.deepEqual(
        trustedDomain.map(({ domain }: { domain: string }) => domain),
        ["portal.example"],
      );
      await beta("feature.v2beta.FeatureService/SetInstanceFeatures", { userSchema: true });
      const features = await beta("feature.v2beta.FeatureService/GetInstanceFeatures", {});
      assert.equal(features.userSchema.enabled, true);
      const { id } = await beta("webkey.v2beta.WebKeyService/CreateWebKey", { ed25519: {} });
      const { webKeys } = await beta("webkey.v2beta.WebKeyService/ListWebKeys", {});
      assert.ok(webKeys.some((key: { id: string }) => key.id === id));
      const target = await beta("action.v2beta.ActionService/CreateTarget", {
        name: "t",
        restWebhook: { interruptOnError: true },
        endpoint: "https://hooks.example/",
        timeout: "3s",
      });
      assert.ok(target.signingKey);
      assert.ok((await beta("action.v2beta.ActionService/ListExecutionMethods", {})).methods.length > 100);
    });
  });
});

test("an earlier form gives no more rights, is seen by the targets of version 2, and keeps its rules", async (t) => {
  const server = await startServer(t);
  const acme = await addOrganization(server, "Acme");
  const ada = await addPerson(server, { username: "ada", organizationId: acme });
  const { token } = await sessionOf(server, ada);
  const body = { organization: { orgId: acme }, ...human("bob") };

  const stranger = await server.connect("zitadel.user.v2beta.UserService/AddHumanUser", body, { token: null });
  assert.equal(stranger.status, 401);
  const refused = await server.connect("zitadel.user.v2beta.UserService/AddHumanUser", body, { token });
  assert.deepEqual([refused.status, refused.body.code], [403, "permission_denied"]);
  await appoint(server, ada, { organizationId: acme }, ["ORG_OWNER"]);
  const owner = (await sessionOf(server, ada)).token;
  const other = await addOrganization(server, "Other");
  const elsewhere = { ...body, organization: { orgId: other } };
  const abroad = await server.connect("zitadel.user.v2beta.UserService/AddHumanUser", elsewhere, { token: owner });
  assert.notEqual(abroad.status, 200);
  assert.equal(
    (await server.connect("zitadel.user.v2beta.UserService/AddHumanUser", body, { token: owner })).status,
    200,
  );

  const long = await server.connect("zitadel.project.v2beta.ProjectService/CreateProject", {
    organizationId: acme,
    name: "n".repeat(201),
  });
  assert.deepEqual([long.status, long.body.code], [400, "invalid_argument"]);
  const unknown = await server.connect("zitadel.project.v2beta.ProjectService/GetProject", { projectId: "1" });
  assert.deepEqual([unknown.status, unknown.body.code], [400, "invalid_argument"]);

  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) =>
    void response.end(JSON.stringify({ forwardedStatusCode: 412, forwardedErrorMessage: "not now" }));
  const actions = actionsOf(server);
  const target = await actions.createTarget(receiver.origin);
  await actions.set({ request: { method: "/service.user.v2.UserService/AddHumanUser" } }, [target]);
  const blocked = await server.connect("zitadel.user.v2beta.UserService/AddHumanUser", { ...body, ...human("eve") });
  assert.match(blocked.body.message, /not now/);
  const [seen] = receiver.received.map(({ body: sent }) => JSON.parse(sent));
  assert.equal(seen.request.username, "eve");
  assert.ok(!receiver.received.some(({ body: sent }) => sent.includes(goodPassword)), "a secret was sent");
});

test("every transport serves the earlier forms, under both words", async (t) => {
  const server = await startServer(t);
  for (const word of ["service", "zitadel"]) {
    for (const createTransport of [
      (interceptors: Interceptor[]) => createGrpcTransport({ baseUrl: server.origin, interceptors }),
      (interceptors: Interceptor[]) =>
        createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1", interceptors }),
    ]) {
      const rename: Interceptor = (next) => (request) =>
        next({ ...request, url: request.url.replace(`${server.origin}/service.`, `${server.origin}/${word}.`) });
      const client = createClient(UserService, createTransport([rename]));
      const headers = { authorization: `Bearer ${server.ownerToken}` };
      const { result } = await client.listUsers({}, { headers });
      assert.ok(result.length > 0);
      const refused = await client.getUserByID({ userId: "1" }, { headers }).catch((error: unknown) => error);
      assert.equal(ConnectError.from(refused).code, Code.NotFound);
    }
  }
  const listed = await server.rest("POST", "/v2beta/users", { body: {} });
  assert.equal(listed.status, 200, JSON.stringify(listed.body));
  assert.equal(listed.body.details.totalResult, 1);
  const [user] = listed.body.result;
  assert.equal((await server.rest("GET", `/v2beta/users/${user.userId}`)).body.user.userId, user.userId);
  assert.equal((await server.rest("GET", "/v2beta/users/1")).status, 404);
  assert.equal((await server.rest("GET", "/v2beta/users/1", { token: null })).status, 401);
});
