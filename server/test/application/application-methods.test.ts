import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { test } from "node:test";
import { type ServerOptions, startServer, type TestServer } from "../support/servers/server.ts";

const service = "service.application.v2.ApplicationService";
const projectService = "service.project.v2.ProjectService";

async function start(t: Parameters<typeof startServer>[0], engine: NonNullable<ServerOptions["engine"]>) {
  const server = await startServer(t, { engine });
  const organizations = await server.connect("service.org.v2.OrganizationService/ListOrganizations", {});
  const organizationId = organizations.body.result[0].id as string;
  const project = await server.connect(`${projectService}/CreateProject`, { organizationId, name: "Shop" });
  assert.equal(project.status, 200, JSON.stringify(project.body));
  const projectId = project.body.projectId as string;
  const call = (method: string, body: object) => server.connect(`${service}/${method}`, body);
  const create = (name: string, configuration: object) =>
    call("CreateApplication", { projectId, name, ...configuration });
  return { server, organizationId, projectId, call, create };
}

const detailOf = (answer: Awaited<ReturnType<TestServer["connect"]>>) => JSON.stringify(answer.body);

for (const engine of ["sqlite", "postgres"] as const) {
  test(`an OpenID Connect application is made, read, changed and listed (${engine})`, async (t) => {
    const { projectId, call, create } = await start(t, engine);
    const made = await create("Web", {
      applicationId: "web",
      oidcConfiguration: {
        redirectUris: ["https://shop.example.com/callback", " https://shop.example.com/callback "],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        postLogoutRedirectUris: ["https://shop.example.com/"],
        clockSkew: "1.500s",
        additionalOrigins: ["https://cdn.example.com"],
        accessTokenType: "OIDC_TOKEN_TYPE_JWT",
        idTokenRoleAssertion: true,
        loginVersion: { loginV2: { baseUri: "https://login.example.com/" } },
        narrowAudience: true,
        refreshTokenGrace: "5s",
        idTokenSignedResponseAlg: "ES256",
        initiateLoginUri: "https://shop.example.com/login",
      },
    });
    assert.equal(made.status, 200, detailOf(made));
    assert.equal(made.body.applicationId, "web");
    const { clientId, clientSecret, nonCompliant } = made.body.oidcConfiguration;
    assert.match(clientId, /^\d{18,19}$/);
    assert.ok(Buffer.from(clientSecret, "base64url").length * 8 >= 192);
    assert.equal(nonCompliant ?? false, false);

    const read = await call("GetApplication", { applicationId: "web" });
    assert.ok(!detailOf(read).includes(clientSecret), "a secret is shown once");
    const { creationDate, changeDate, ...application } = read.body.application;
    assert.equal(creationDate, changeDate);
    assert.deepEqual(application, {
      applicationId: "web",
      projectId,
      name: "Web",
      state: "APPLICATION_STATE_ACTIVE",
      hasSecret: true,
      etag: "web-1",
      oidcConfiguration: {
        clientId,
        redirectUris: ["https://shop.example.com/callback"],
        responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
        grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
        postLogoutRedirectUris: ["https://shop.example.com/"],
        accessTokenType: "OIDC_TOKEN_TYPE_JWT",
        idTokenRoleAssertion: true,
        clockSkew: "1.500s",
        additionalOrigins: ["https://cdn.example.com"],
        allowedOrigins: ["https://shop.example.com", "https://cdn.example.com"],
        loginVersion: { loginV2: { baseUri: "https://login.example.com/" } },
        narrowAudience: true,
        refreshTokenGrace: "5s",
        idTokenSignedResponseAlg: "ES256",
        initiateLoginUri: "https://shop.example.com/login",
        roleListClaim: "roles",
        groupListClaim: "groups",
      },
    });

    const changed = await call("UpdateApplication", {
      applicationId: "web",
      projectId,
      oidcConfiguration: { developmentMode: true, clockSkew: "0s" },
    });
    assert.equal(changed.status, 200, detailOf(changed));
    const again = (await call("GetApplication", { applicationId: "web" })).body.application;
    assert.equal(again.oidcConfiguration.developmentMode, true);
    assert.deepEqual(again.oidcConfiguration.redirectUris, ["https://shop.example.com/callback"]);
    assert.equal(again.name, "Web");

    await create("API", { apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC" } });
    const list = async (filters: object[], sortingColumn = "APPLICATION_SORT_BY_NAME") =>
      (await call("ListApplications", { filters, sortingColumn, pagination: { asc: true } })).body;
    const names = (body: { applications?: { name: string }[] }) => (body.applications ?? []).map(({ name }) => name);
    assert.deepEqual(names(await list([{ projectIdFilter: { projectId } }])), ["API", "Web"]);
    assert.deepEqual(names(await list([{ typeFilter: "APPLICATION_TYPE_OIDC" }, { clientIdFilter: { clientId } }])), [
      "Web",
    ]);
    assert.deepEqual(
      names(await list([{ nameFilter: { name: "ap", method: "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE" } }])),
      ["API"],
    );
    assert.deepEqual(names(await list([{ entityIdFilter: { entityId: "https://sp.example.com" } }])), []);
    const paged = await call("ListApplications", {
      filters: [{ projectIdFilter: { projectId } }],
      pagination: { limit: 1 },
    });
    assert.deepEqual(paged.body.pagination, { totalResult: "2", appliedLimit: "1" });

    const deactivated = await call("DeactivateApplication", { applicationId: "web", projectId });
    assert.equal(deactivated.status, 200, detailOf(deactivated));
    assert.deepEqual(names(await list([{ stateFilter: "APPLICATION_STATE_INACTIVE" }])), ["Web"]);
    assert.equal((await call("ReactivateApplication", { applicationId: "web", projectId })).status, 200);
    const secret = await call("GenerateClientSecret", { applicationId: "web", projectId });
    assert.notEqual(secret.body.clientSecret, clientSecret);
    assert.equal(
      (await call("GenerateClientSecret", { applicationId: "web", projectId: "other" })).body.code,
      "not_found",
    );
    const deleted = await call("DeleteApplication", { applicationId: "web", projectId });
    assert.ok(deleted.body.deletionDate);
    assert.deepEqual((await call("DeleteApplication", { applicationId: "web", projectId })).body, {});
    assert.equal((await call("GetApplication", { applicationId: "web" })).body.code, "not_found");
  });

  test(`an application has keys of its own (${engine})`, async (t) => {
    const { server, projectId, call, create } = await start(t, engine);
    const api = await create("API", { apiConfiguration: { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" } });
    const { applicationId } = api.body;
    const { clientId, clientSecret } = api.body.apiConfiguration;
    assert.equal(clientSecret ?? "", "");
    const expirationDate = new Date(server.clock.now + 60_000).toISOString();
    const made = await call("CreateApplicationKey", { applicationId, projectId, expirationDate });
    assert.equal(made.status, 200, detailOf(made));
    const file = JSON.parse(Buffer.from(made.body.keyDetails, "base64").toString());
    assert.deepEqual(
      { ...file, key: "" },
      { type: "application", keyId: made.body.keyId, key: "", appId: applicationId, clientId },
    );
    const key = createPrivateKey(file.key);
    assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
    assert.match(file.key, /^-----BEGIN RSA PRIVATE KEY-----/);

    const { clients, findInstanceByHost } = server.app.domain;
    const { instanceId } = (await findInstanceByHost("localhost")) ?? assert.fail("no instance");
    const client = await clients.find(instanceId, clientId);
    assert.equal(client?.keys[0]?.publicKey, createPublicKey(key).export({ type: "spki", format: "pem" }));

    const read = await call("GetApplicationKey", { keyId: made.body.keyId });
    assert.equal(new Date(read.body.expirationDate).getTime(), server.clock.now + 60_000);
    const list = await call("ListApplicationKeys", { filters: [{ applicationIdFilter: { applicationId } }] });
    assert.equal(list.body.keys.length, 1);
    assert.equal(list.body.keys[0].projectId, projectId);
    const past = await call("CreateApplicationKey", {
      applicationId,
      projectId,
      expirationDate: new Date(server.clock.now).toISOString(),
    });
    assert.equal(past.body.code, "invalid_argument");
    const { keyId } = made.body;
    assert.ok((await call("DeleteApplicationKey", { keyId, applicationId, projectId })).body.deletionDate);
    assert.deepEqual((await call("DeleteApplicationKey", { keyId, applicationId, projectId })).body, {});
    assert.equal((await clients.find(instanceId, clientId))?.keys.length, 0);
    const web = await create("Web", { oidcConfiguration: { authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE" } });
    const refusedKey = await call("CreateApplicationKey", { applicationId: web.body.applicationId, projectId });
    assert.equal(refusedKey.body.code, "failed_precondition");
  });
}

const redirectUriInvalid = "application.redirect_uri_invalid";
const wildcardsTooMany = "application.wildcards_too_many";
const repeated = (times: number) => (part: string) => `https://app.example.com/${part.repeat(times)}`;
/** So many URIs of 2,000 characters. */
const urisOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://app.example.com/${index}`.padEnd(2000, "a"));

test("an impossible configuration is refused, and the field is named", async (t) => {
  const { projectId, call, create } = await start(t, "sqlite");
  const cases: readonly (readonly [configuration: object, id: string])[] = [
    [{ responseTypes: ["OIDC_RESPONSE_TYPE_ID_TOKEN"] }, "application.grant_type_missing"],
    [
      { responseTypes: ["OIDC_RESPONSE_TYPE_CODE"], grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"] },
      "application.grant_type_missing",
    ],
    [{ redirectUris: ["javascript:alert(1)"] }, "application.redirect_uri_invalid"],
    [{ redirectUris: ["https://app.example.com/cb#x"] }, "application.redirect_uri_invalid"],
    [{ redirectUris: ["https://*.example.com/a?b[c"] }, "application.redirect_uri_invalid"],
    [{ postLogoutRedirectUris: ["data:text/html,x"] }, "application.redirect_uri_invalid"],
    [{ redirectUris: [`https://app.example.com/${"*/".repeat(101)}`], developmentMode: true }, wildcardsTooMany],
    [{ postLogoutRedirectUris: ["*x", "*y"].map(repeated(51)), developmentMode: true }, wildcardsTooMany],
    [{ redirectUris: [`https://app.example.com/${"{a,b}".repeat(5)}`], developmentMode: true }, redirectUriInvalid],
    [{ redirectUris: urisOf(17) }, "field.too_long"],
    [{ redirectUris: urisOf(9), postLogoutRedirectUris: urisOf(8) }, "field.too_long"],
    [{ additionalOrigins: ["https://app.example.com/"] }, "application.origin_invalid"],
    [{ backChannelLogoutUri: "javascript:alert(1)" }, "application.back_channel_logout_uri_invalid"],
    [{ loginVersion: { loginV2: { baseUri: "javascript:alert(1)" } } }, "application.login_uri_invalid"],
    [{ initiateLoginUri: "javascript:alert(1)" }, "application.initiate_login_uri_invalid"],
    [{ initiateLoginUri: "http://app.example.com/login" }, "application.initiate_login_uri_invalid"],
    [{ initiateLoginUri: "https://app.example.com/login#x" }, "application.initiate_login_uri_invalid"],
  ];
  for (const [oidcConfiguration, id] of cases) {
    const answer = await create("Bad", { oidcConfiguration });
    assert.equal(answer.status, 400, detailOf(answer));
    assert.equal(answer.body.details[0].debug.id, id, detailOf(answer));
  }
  const wild = await create("Wild", {
    oidcConfiguration: { redirectUris: ["*/", "*x"].map(repeated(50)), developmentMode: true },
  });
  assert.equal(wild.status, 200, detailOf(wild));
  const many = await create("Many", {
    oidcConfiguration: { redirectUris: urisOf(8), postLogoutRedirectUris: urisOf(8) },
  });
  assert.equal(many.status, 200, detailOf(many));
  assert.equal((await create("Skewed", { oidcConfiguration: { clockSkew: "6s" } })).status, 400);
  assert.equal((await create("Graceful", { oidcConfiguration: { refreshTokenGrace: "11s" } })).status, 400);
  assert.equal((await create("Unsigned", { oidcConfiguration: { idTokenSignedResponseAlg: "none" } })).status, 400);
  assert.equal((await create("SAML", { samlConfiguration: {} })).status, 400);
  assert.equal((await create("Nothing", {})).status, 400);
  const api = await create("API", { apiConfiguration: {} });
  const wrong = await call("UpdateApplication", {
    applicationId: api.body.applicationId,
    projectId,
    oidcConfiguration: { developmentMode: true },
  });
  assert.equal(wrong.body.code, "invalid_argument");
  assert.equal((await create("API", { apiConfiguration: {} })).body.code, "already_exists");
});

test("a foolish configuration is stored and reported in the reader's language", async (t) => {
  const { server, projectId } = await start(t, "sqlite");
  const answer = await server.connect(
    `${service}/CreateApplication`,
    {
      projectId,
      name: "SPA",
      oidcConfiguration: { redirectUris: ["http://spa.example.com"], applicationType: "OIDC_APP_TYPE_USER_AGENT" },
    },
    { headers: { "accept-language": "de" } },
  );
  const { nonCompliant, complianceProblems } = answer.body.oidcConfiguration;
  assert.equal(nonCompliant, true);
  assert.deepEqual(
    complianceProblems.map(({ key }: { key: string }) => key),
    [
      "Application.OIDC.V1.NotCompliant",
      "Application.OIDC.V1.Code.RedirectUris.HttpOnlyForWeb",
      "Application.OIDC.V1.UserAgent.AuthMethodType.NotNone",
    ],
  );
  assert.equal(
    complianceProblems[1].localizedMessage,
    "Mit dem Authorization-Code-Ablauf dürfen nur Webanwendungen http-Redirect-URIs verwenden.",
  );
});
