import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../src/base/language.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

const permissionService = "service.internal_permission.v2.InternalPermissionService";
const instanceService = "service.instance.v2.InstanceService";
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const human = (username: string) => ({
  username,
  profile: { givenName: "Jane", familyName: "Doe" },
  email: { email: `${username}@acme.example`, returnCode: {} },
  password: { password: "correct horse battery staple", changeRequired: false },
});

async function addOrganization(server: TestServer, name: string, admins: object[] = []): Promise<string> {
  const { status, body } = await server.rest("POST", "/v2/organizations", { body: { name, admins } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.organizationId;
}

for (const engine of ["sqlite", "postgres"] as const) {
  test(`organizations are made, found, changed and deleted over REST (${engine})`, async (t) => {
    const server = await startServer(t, { engine });
    const body = { name: "Acme", organizationId: "acme-1", admins: [{ human: human("jane"), roles: [] }] };
    const made = await server.rest("POST", "/v2/organizations", { body });
    assert.equal(made.status, 201);
    assert.equal(made.body.organizationId, "acme-1");
    assert.deepEqual(Object.keys(made.body.details).sort(), [
      "changeDate",
      "creationDate",
      "resourceOwner",
      "sequence",
    ]);
    const [{ userId, emailCode }] = made.body.createdAdmins;
    assert.match(emailCode, /^\S+$/);

    const administrators = await server.connect(`${permissionService}/ListAdministrators`, {
      filters: [{ inUserIdsFilter: { ids: [userId] } }],
    });
    assert.deepEqual(administrators.body.administrators[0].roles, ["ORG_OWNER"]);
    assert.deepEqual(administrators.body.administrators[0].organization, { id: "acme-1", name: "Acme" });
    assert.equal(administrators.body.administrators[0].user.preferredLoginName, "jane@acme.localhost");

    const again = await server.rest("POST", "/v2/organizations", { body: { name: "acme" } });
    assert.deepEqual([again.status, again.body.code], [409, 6]);
    const renamed = await server.rest("POST", "/v2/organizations/acme-1", { body: { name: "Acme Inc" } });
    assert.match(renamed.body.changeDate, iso);
    const search = { queries: [{ nameQuery: { name: "acme", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }] };
    const found = await server.rest("POST", "/v2/organizations/_search", { body: search });
    assert.deepEqual([found.body.details.totalResult, found.body.result.length], [1, 1]);
    const { details, ...organization } = found.body.result[0];
    assert.deepEqual(organization, {
      id: "acme-1",
      state: "ORGANIZATION_STATE_ACTIVE",
      name: "Acme Inc",
      primaryDomain: "acme.localhost",
    });
    assert.equal(details.resourceOwner, "acme-1");
    const gone = await server.rest("DELETE", "/v2/organizations/acme-1");
    assert.match(gone.body.deletionDate, iso);
    const twice = await server.rest("DELETE", "/v2/organizations/acme-1");
    assert.equal(twice.status, 200);
    const empty = await server.rest("POST", "/v2/organizations/_search", { body: search });
    assert.deepEqual([empty.body.details.totalResult, empty.body.result], [0, []]);
  });

  test(`an organization is made with all its administrators or not at all (${engine})`, async (t) => {
    const server = await startServer(t, { engine });
    const attempt = (admins: object[]) => server.rest("POST", "/v2/organizations", { body: { name: "Acme", admins } });
    const refusals: [object, string][] = [
      [{ human: { ...human("jo"), password: { password: "short" } } }, "user.password_too_short"],
      [{ userId: "404" }, "user.not_found"],
      [{ human: human("jo"), roles: ["IAM_OWNER"] }, "membership.role_invalid"],
      [{}, "setup.administrator_missing"],
    ];
    for (const [wrong, slug] of refusals) {
      const { status, body } = await attempt([{ human: human("jane") }, wrong]);
      assert.equal(body.details?.[0]?.id, slug, JSON.stringify(body));
      assert.ok(status >= 400 && status < 500);
    }
    const found = await server.rest("POST", "/v2/organizations/_search", { body: {} });
    assert.equal(found.body.details.totalResult, 1);
    await addOrganization(server, "Acme", [{ human: human("jane") }]);
  });

  test(`domains and metadata of an organization over REST (${engine})`, async (t) => {
    const server = await startServer(t, { engine });
    await changeSettings(server, "domain", { requireOrganizationDomainProof: false });
    const id = await addOrganization(server, "Acme");
    const base = `/v2/organizations/${id}`;
    const domain = { domain: "acme.example" };
    assert.match((await server.rest("POST", `${base}/domains`, { body: domain })).body.creationDate, iso);
    const listed = await server.rest("POST", `${base}/domains/search`, { body: {} });
    assert.equal(listed.body.pagination.totalResult, 2);
    assert.deepEqual(
      listed.body.domains.map((each: { domain: string; isPrimary: boolean }) => [each.domain, each.isPrimary]),
      [
        ["acme.localhost", true],
        ["acme.example", false],
      ],
    );
    const generate = await server.rest("POST", `${base}/domains/validation/generate`, {
      body: { ...domain, type: "DOMAIN_VALIDATION_TYPE_DNS" },
    });
    assert.equal(generate.body.details[0].id, "organization.domain_verified_already");
    const metadata = [{ key: "plan", value: Buffer.from("gold").toString("base64") }];
    assert.match((await server.rest("POST", `${base}/metadata`, { body: { metadata } })).body.setDate, iso);
    const pairs = await server.rest("POST", `${base}/metadata/search`, { body: {} });
    assert.equal(pairs.body.metadata[0].value, metadata[0]?.value);
    const query = "?keys=plan";
    assert.equal((await server.rest("DELETE", `${base}/metadata${query}`)).status, 200);
    const none = await server.rest("POST", `${base}/metadata/search`, { body: {} });
    assert.deepEqual(none.body.metadata, []);
    assert.equal((await server.rest("DELETE", `${base}/domains?domain=acme.example`)).status, 200);
  });

  test(`settings are read over REST and security settings replaced (${engine})`, async (t) => {
    const server = await startServer(t, { engine });
    const get = async (path: string) => (await server.rest("GET", `/v2/settings${path}`)).body;
    const general = await get("");
    assert.deepEqual(
      [general.defaultLanguage, general.supportedLanguages, general.allowedLanguages],
      ["en", [...languages], []],
    );
    assert.equal((await get("/password/complexity")).settings.minLength, 12);
    assert.equal((await get("/login")).settings.passwordCheckLifetime, "43200s");
    assert.equal((await get("/login?ctx.instance=true")).settings.resourceOwnerType, "RESOURCE_OWNER_TYPE_INSTANCE");
    assert.equal((await get("/login?ctx.orgId=404")).code, 5);
    for (const path of ["/password/expiry", "/lockout", "/domain"]) assert.ok((await get(path)).settings, path);

    const security = { embeddedIframe: { enabled: true, allowedOrigins: ["https://app.example.com"] } };
    const set = (body: object) => server.rest("PUT", "/v2/policies/security", { body });
    const { details } = (await set(security)).body;
    assert.deepEqual(Object.keys(details).sort(), ["changeDate", "creationDate", "resourceOwner", "sequence"]);
    assert.deepEqual((await set(security)).body.details, details);
    assert.deepEqual((await get("/security")).settings, {
      embeddedIframe: { enabled: true, allowedOrigins: ["https://app.example.com"] },
      enableImpersonation: false,
      dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
      claimNamespaces: [],
      clientIdMetadataDocument: { enabled: false, allowedUrls: [], allowAnyUrl: false },
      skipConsentAcrossOrganizations: false,
    });
    await set({});
    assert.deepEqual((await get("/security")).settings.embeddedIframe, { enabled: false, allowedOrigins: [] });
    const wrong = await set({ embeddedIframe: { allowedOrigins: ["app.example.com/"] } });
    assert.equal(wrong.status, 400);
    assert.equal(wrong.body.details[0].id, "settings.security.origin_invalid");
  });

  test(`administrators and the instance over Connect (${engine})`, async (t) => {
    const server = await startServer(t, { engine });
    const id = await addOrganization(server, "Acme");
    const user = await server.rest("POST", "/v2/users/human", {
      body: { ...human("joe"), organization: { orgId: id } },
    });
    const { userId } = user.body;
    const call = (method: string, body: object) => server.connect(`${permissionService}/${method}`, body);
    const resource = { organizationId: id };
    assert.match(
      (await call("CreateAdministrator", { userId, resource, roles: ["ORG_OWNER"] })).body.creationDate,
      iso,
    );
    const taken = await call("CreateAdministrator", { userId, resource, roles: ["ORG_OWNER"] });
    assert.deepEqual([taken.status, taken.body.code], [409, "already_exists"]);
    const none = await call("CreateAdministrator", { userId, roles: ["ORG_OWNER"] });
    assert.equal(none.body.code, "invalid_argument");
    assert.match(
      (await call("UpdateAdministrator", { userId, resource, roles: ["ORG_USER_MANAGER"] })).body.changeDate,
      iso,
    );
    const nested = {
      filters: [
        {
          and: {
            queries: [{ role: { roleKey: "ORG_USER_MANAGER" } }, { not: { query: { resource: { instance: true } } } }],
          },
        },
      ],
    };
    const listed = await call("ListAdministrators", nested);
    assert.equal(listed.body.administrators.length, 1);
    assert.equal(listed.body.pagination.totalResult, "1");
    assert.match((await call("DeleteAdministrator", { userId, resource })).body.deletionDate, iso);
    assert.deepEqual((await call("DeleteAdministrator", { userId, resource })).body, {});

    const instance = await server.connect(`${instanceService}/GetInstance`, {});
    assert.equal(instance.body.instance.state, "STATE_RUNNING");
    assert.equal(instance.body.instance.customDomains[0].domain, "localhost");
    const instances = await server.connect(`${instanceService}/ListInstances`, {});
    assert.equal(instances.body.code, "permission_denied");
    await server.connect(`${instanceService}/AddTrustedDomain`, { trustedDomain: "App.example.com" });
    const trusted = await server.connect(`${instanceService}/ListTrustedDomains`, {});
    assert.equal(trusted.body.trustedDomain[0].domain, "app.example.com");
  });
}
