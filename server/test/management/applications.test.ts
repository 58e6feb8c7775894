import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { test } from "node:test";
import { file_service_app_v1_app } from "@doorward/api/service/app/v1/app_pb";
import { file_service_application_v2_oidc } from "@doorward/api/service/application/v2/oidc_pb";
import { etagOfApplication, findApplication } from "../../src/domain/application/index.ts";
import type { OidcConfiguration } from "../../src/domain/oidc-configuration/index.ts";
import { updateApplication } from "../../src/domain/registration/index.ts";
import { operatorCall } from "../../src/domain/setup/index.ts";
import { eachServer } from "../support/servers/each-server.ts";
import {
  type Deed,
  errorId,
  expectFound,
  type Managed,
  management,
  perform,
  startManaged,
} from "../support/servers/managed.ts";

const service = "service.application.v2.ApplicationService";

/** Every member but the profile has a value that is not the default one. */
const unusual: OidcConfiguration = {
  redirectUris: ["https://shop.example.com/old"],
  responseTypes: ["code", "id_token"],
  grantTypes: ["authorization_code", "implicit", "urn:ietf:params:oauth:grant-type:token-exchange"],
  applicationType: "user_agent",
  authMethod: "client_secret_post",
  postLogoutRedirectUris: ["https://shop.example.com/old"],
  version: "1.0",
  isDevelopmentMode: true,
  accessTokenFormat: "jwt",
  isAccessTokenRoleAssertionOn: true,
  isIdTokenRoleAssertionOn: true,
  isIdTokenUserinfoAssertionOn: true,
  clockSkew: 1500,
  additionalOrigins: ["https://old.example.com"],
  isNativeSuccessPageSkipped: true,
  backChannelLogoutUri: "https://shop.example.com/logout",
  loginVersion: { kind: "v2", baseUri: "https://login.example.com/" },
  isAudienceNarrow: true,
  refreshGrace: 5000,
  isPushRequired: true,
  isDpopRequired: true,
  isConsentRequired: true,
  isPkceRequired: true,
  isRequestObjectRequired: true,
  assertionAudience: "issuer",
  isRotationOff: true,
  // A profile would decide other members.
  profile: "",
  isTrustedForApi: true,
  isIdTokenAudienceWide: true,
  isRoleListOn: true,
  roleListClaim: "shop_roles",
  isGroupListOn: true,
  groupListClaim: "shop_groups",
  idTokenAlgorithm: "ES256",
  userinfoAlgorithm: "ES384",
  initiateLoginUri: "https://shop.example.com/start",
  jwks: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }],
  jwksUri: "https://shop.example.com/keys",
  requestUris: ["https://shop.example.com/request"],
  defaultAcrValues: ["phr"],
};

/** Nothing but the names: the first generation states all that it knows, so the rest becomes empty or off. */
const emptied: Partial<OidcConfiguration> = {
  redirectUris: [],
  responseTypes: ["code"],
  grantTypes: ["authorization_code"],
  applicationType: "web",
  authMethod: "client_secret_basic",
  postLogoutRedirectUris: [],
  isDevelopmentMode: false,
  accessTokenFormat: "opaque",
  isAccessTokenRoleAssertionOn: false,
  isIdTokenRoleAssertionOn: false,
  isIdTokenUserinfoAssertionOn: false,
  clockSkew: 0,
  additionalOrigins: [],
  isNativeSuccessPageSkipped: false,
  backChannelLogoutUri: "",
  loginVersion: { kind: "unspecified" },
};

/** What both generations say of a client, in the words of the first one. */
const configured = {
  redirectUris: ["https://shop.example.com/callback"],
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
  appType: "OIDC_APP_TYPE_WEB",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_POST",
  postLogoutRedirectUris: ["https://shop.example.com/"],
  devMode: true,
  accessTokenType: "OIDC_TOKEN_TYPE_JWT",
  accessTokenRoleAssertion: true,
  idTokenRoleAssertion: true,
  idTokenUserinfoAssertion: true,
  clockSkew: "1.500s",
  additionalOrigins: ["https://cdn.example.com"],
  skipNativeAppSuccessPage: true,
  backChannelLogoutUri: "https://shop.example.com/logout",
  loginVersion: { loginV2: { baseUri: "https://login.example.com/" } },
};

/** The words of the second generation for the same. */
function inSecond({ appType, devMode, ...same }: typeof configured) {
  return { ...same, applicationType: appType, developmentMode: devMode };
}

test("enumerations of clients have the same values in both generations", () => {
  const valuesOf = (file: typeof file_service_app_v1_app, name: string, shift = 0) =>
    (file.enums.find((found) => found.name === name)?.values ?? assert.fail(name))
      .map((value) => [value.number - shift, value.name] as const)
      .filter(([number]) => number >= 0);
  const cases = [
    ["OIDCResponseType", "OIDCResponseType", 1],
    ["OIDCGrantType", "OIDCGrantType", 0],
    ["OIDCAppType", "OIDCApplicationType", 0],
    ["OIDCAuthMethodType", "OIDCAuthMethodType", 0],
    ["OIDCTokenType", "OIDCTokenType", 0],
  ] as const;
  for (const [first, second, shift] of cases) {
    const values = valuesOf(file_service_app_v1_app, first);
    assert.deepEqual(values, valuesOf(file_service_application_v2_oidc, second, shift), first);
  }
});

eachServer((start) => {
  test("applications in the first generation", async (t) => {
    const managed: Managed = await startManaged(t, start);
    const { server, home, v1, call } = managed;
    const { id: projectId } = await v1("AddProject", { name: "Shop" });
    const { id: elsewhere } = await v1("AddProject", { name: "Elsewhere" });
    const read = async (applicationId: string) => {
      const { application } = await call(`${service}/GetApplication`, { applicationId });
      const { name, state, oidcConfiguration, apiConfiguration } = application;
      return { name, state, ...oidcConfiguration, ...apiConfiguration };
    };
    const made = await v1("AddOIDCApp", { projectId, name: "Web", ...configured });
    const api = await v1("AddAPIApp", { projectId, name: "API" });
    const app = { projectId, appId: made.appId };

    await t.test("what is added answers with its client, and the second generation reads the same", async () => {
      assert.ok(made.clientId && Buffer.from(made.clientSecret, "base64url").length * 8 >= 192);
      assert.equal(made.details.resourceOwner, home);
      assert.deepEqual([made.noneCompliant ?? false, made.complianceProblems ?? []], [false, []]);
      const { name, ...shown } = await read(made.appId);
      const expected = inSecond(configured) as Record<string, unknown>;
      assert.equal(name, "Web");
      for (const [field, value] of Object.entries(expected)) {
        assert.deepEqual(shown[field] ?? zeroOf(value), value, field);
      }
      assert.ok(api.clientId && api.clientSecret);
      const unwise = await v1("AddOIDCApp", { projectId, name: "Unwise", appType: "OIDC_APP_TYPE_NATIVE" });
      assert.equal(unwise.noneCompliant, true);
      assert.ok(unwise.complianceProblems[0].key && unwise.complianceProblems[0].localizedMessage);
      await v1("RemoveApp", { projectId, appId: unwise.appId });
      const before = await server.connect(`${management}/AddOIDCApp`, { projectId, name: "web" });
      assert.deepEqual([before.status, errorId(before.body)], [409, "application.name_taken"]);
      const other = { token: managed.otherOwner };
      for (const method of ["AddOIDCApp", "AddAPIApp"]) {
        const strange = await server.connect(`${management}/${method}`, { projectId, name: "New" }, other);
        assert.deepEqual([strange.status, errorId(strange.body)], [404, "project.not_found"], method);
      }
      const invalid = await server.connect(`${management}/AddOIDCApp`, {
        projectId,
        name: "New",
        additionalOrigins: ["https://a.example/path"],
      });
      assert.deepEqual([invalid.status, errorId(invalid.body)], [400, "application.origin_invalid"]);
      assert.match(invalid.body.message, /additionalOrigins/);
      assert.doesNotMatch(invalid.body.message, /oidcConfiguration/);
    });

    await t.test("a record has every field of the contract", async () => {
      const { body } = await server.rest("GET", `/management/v1/projects/${projectId}/apps/${made.appId}`);
      const { details, ...record } = body.app;
      assert.equal(details.resourceOwner, home);
      assert.deepEqual(record, {
        id: made.appId,
        state: "APP_STATE_ACTIVE",
        name: "Web",
        oidcConfig: {
          ...configured,
          clientId: made.clientId,
          version: "OIDC_VERSION_1_0",
          noneCompliant: false,
          trustedForApi: false,
          complianceProblems: [],
          allowedOrigins: ["https://shop.example.com", "https://cdn.example.com"],
        },
      });
      const second = await server.rest("GET", `/management/v1/projects/${projectId}/apps/${api.appId}`);
      assert.deepEqual(second.body.app.apiConfig, {
        clientId: api.clientId,
        authMethodType: "API_AUTH_METHOD_TYPE_BASIC",
      });
      const strange = await server.rest("GET", `/management/v1/projects/${elsewhere}/apps/${made.appId}`);
      assert.deepEqual([strange.status, strange.body.details[0].id], [404, "application.not_found"]);
    });

    await t.test("a write changes what the first generation knows, and leaves alone the rest", async () => {
      const { domain } = server.app;
      const { instanceId } = (await domain.findInstanceByHost("localhost")) ?? assert.fail();
      const find = async () => (await findApplication(domain.database.read, instanceId, made.appId)) ?? assert.fail();
      await updateApplication(domain, operatorCall(instanceId, server.clock.now), {
        applicationId: made.appId,
        etag: etagOfApplication(await find()),
        configuration: { kind: "oidc", fields: unusual },
      });
      assert.deepEqual((await find()).configuration, unusual);
      await v1("UpdateApp", { ...app, name: "Renamed" });
      assert.deepEqual((await find()).configuration, unusual);
      await v1("UpdateOIDCAppConfig", app);
      assert.deepEqual((await find()).configuration, { ...unusual, ...emptied });
      const kept = Object.keys(unusual).filter((field) => !(field in emptied));
      const secondAlone = [
        "isAudienceNarrow refreshGrace isPushRequired isDpopRequired isConsentRequired isPkceRequired isRequestObjectRequired",
        "assertionAudience isRotationOff profile isTrustedForApi isIdTokenAudienceWide isRoleListOn roleListClaim isGroupListOn",
        "groupListClaim idTokenAlgorithm userinfoAlgorithm initiateLoginUri jwks jwksUri requestUris defaultAcrValues",
      ];
      assert.equal(kept.slice(1).join(" "), secondAlone.join(" "));
    });
    const { authMethodType: _, ...configuration } = inSecond(configured);
    const deeds: readonly Deed[] = [
      { method: "GetAppByID", request: app, names: ["projectId", "appId"], again: "same" },
      { method: "ListApps", request: { projectId }, names: ["projectId"], again: "same" },
      { method: "ListAppChanges", request: app, names: ["projectId", "appId"], again: "same" },
      {
        method: "UpdateApp",
        request: { ...app, name: "Website" },
        names: ["projectId", "appId"],
        effect: async () => (await read(made.appId)).name,
        expected: "Website",
        again: "same",
      },
      {
        method: "UpdateOIDCAppConfig",
        request: { ...app, ...configured },
        names: ["projectId", "appId"],
        effect: async () => {
          const now = await read(made.appId);
          return Object.fromEntries(
            Object.entries(configuration).map(([field, value]) => [field, now[field] ?? zeroOf(value)]),
          );
        },
        expected: configuration,
        again: "same",
      },
      {
        method: "UpdateAPIAppConfig",
        request: { projectId, appId: api.appId, authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
        names: ["projectId", "appId"],
        effect: async () => (await read(api.appId)).authMethodType,
        expected: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
        again: "same",
      },
      {
        method: "DeactivateApp",
        request: app,
        names: ["projectId", "appId"],
        effect: async () => (await read(made.appId)).state,
        expected: "APPLICATION_STATE_INACTIVE",
        again: "same",
      },
      {
        method: "ReactivateApp",
        request: app,
        names: ["projectId", "appId"],
        effect: async () => (await read(made.appId)).state,
        expected: "APPLICATION_STATE_ACTIVE",
        again: "same",
      },
    ];
    for (const deed of deeds) await t.test(deed.method, () => perform(managed, deed));

    await t.test("a configuration of the other kind is refused", async () => {
      const cases = [
        ["UpdateOIDCAppConfig", api.appId],
        ["RegenerateOIDCClientSecret", api.appId],
        ["UpdateAPIAppConfig", made.appId],
        ["RegenerateAPIClientSecret", made.appId],
      ] as const;
      for (const [method, appId] of cases) {
        const { status, body } = await server.connect(`${management}/${method}`, { projectId, appId });
        assert.deepEqual([status, errorId(body)], [400, "application.kind_differs"], method);
      }
    });

    await t.test("a new secret proves the client, and the old one does not", async () => {
      const introspect = async (clientId: string, secret: string) => {
        const response = await fetch(`${server.origin}/oauth/v2/introspect`, {
          method: "POST",
          headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
          body: new URLSearchParams({ token: "nothing" }),
        });
        return response.status;
      };
      const secret = { again: "differs", names: ["projectId", "appId"] } as const;
      // Going back to a secret gives none: a new one has to be made.
      await v1("UpdateAPIAppConfig", { projectId, appId: api.appId });
      const first = await perform(managed, {
        method: "RegenerateAPIClientSecret",
        request: { projectId, appId: api.appId },
        ...secret,
      });
      const second = await v1("RegenerateAPIClientSecret", { projectId, appId: api.appId });
      assert.equal(await introspect(api.clientId, first.clientSecret), 401);
      assert.equal(await introspect(api.clientId, second.clientSecret), 200);
      const ofClient = await perform(managed, { method: "RegenerateOIDCClientSecret", request: app, ...secret });
      assert.ok(ofClient.clientSecret && ofClient.clientSecret !== made.clientSecret);
      await v1("UpdateAPIAppConfig", {
        projectId,
        appId: api.appId,
        authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
      });
      const none = await server.connect(`${management}/RegenerateAPIClientSecret`, { projectId, appId: api.appId });
      assert.equal(errorId(none.body), "application.secret_not_used");
    });

    await t.test("keys are added, shown and removed", async () => {
      const ofApi = { projectId, appId: api.appId };
      const names = ["projectId", "appId"];
      const keys = async () =>
        (
          await call(`${service}/ListApplicationKeys`, {
            filters: [{ applicationIdFilter: { applicationId: api.appId } }],
          })
        ).keys ?? [];
      const request = { ...ofApi, type: "KEY_TYPE_JSON", expirationDate: "2030-01-01T00:00:00Z" };
      const added = await perform(managed, { method: "AddAppKey", request, names, again: "differs" });
      const file = JSON.parse(Buffer.from(added.keyDetails, "base64").toString());
      assert.deepEqual([file.keyId, file.appId, file.clientId], [added.id, api.appId, api.clientId]);
      assert.equal(createPrivateKey(file.key).asymmetricKeyType, "rsa");
      const found = await perform(managed, {
        method: "GetAppKey",
        request: { ...ofApi, keyId: added.id },
        names: [...names, "keyId"],
        again: "same",
      });
      const { details, ...key } = found.key;
      assert.deepEqual(key, { id: added.id, type: "KEY_TYPE_JSON", expirationDate: "2030-01-01T00:00:00Z" });
      assert.equal(details.resourceOwner, home);
      const listed = await perform(managed, { method: "ListAppKeys", request: ofApi, names, again: "same" });
      assert.deepEqual([listed.result.length, listed.details.totalResult], [2, "2"]);
      assert.ok(!JSON.stringify(listed).includes(file.key));
      const others = await server.connect(`${management}/GetAppKey`, { ...app, keyId: added.id });
      assert.deepEqual([others.status, errorId(others.body)], [404, "application.key_not_found"]);
      await perform(managed, {
        method: "RemoveAppKey",
        request: { ...ofApi, keyId: added.id },
        names,
        effect: async () => (await keys()).filter(({ keyId }: { keyId: string }) => keyId === added.id),
        expected: [],
        again: "same",
      });
      const past = await server.connect(`${management}/AddAppKey`, {
        ...request,
        expirationDate: "2020-01-01T00:00:00Z",
      });
      assert.equal(errorId(past.body), "application.key_expiry_past");
      const unused = await server.connect(`${management}/AddAppKey`, { ...request, ...app });
      assert.equal(errorId(unused.body), "application.key_not_used");
    });

    await t.test("lists are of one project, and match queries", async () => {
      await v1("AddAPIApp", { projectId: elsewhere, name: "Webhook" });
      const name = (record: { name: string }) => record.name;
      const contains = { nameQuery: { name: "web", method: "TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE" } };
      await expectFound((request) => v1("ListApps", { projectId, ...request }), name, [
        [[], ["Website", "API"]],
        [[contains], ["Website"]],
        [[contains, { nameQuery: { name: "API" } }], []],
      ]);
      const { body } = await server.connect(`${management}/ListApps`, { projectId, queries: [{}] });
      assert.equal(errorId(body), "filter.invalid");
    });

    await t.test("RemoveApp", () =>
      perform(managed, {
        method: "RemoveApp",
        request: app,
        names: ["projectId", "appId"],
        effect: async () => (await server.connect(`${service}/GetApplication`, { applicationId: made.appId })).status,
        expected: 404,
        again: { refused: "application.not_found" },
      }),
    );
  });
});

/** What Connect leaves out: the zero of the type of a value. */
function zeroOf(value: unknown): unknown {
  if (typeof value === "boolean") return false;
  if (Array.isArray(value)) return [];
  return typeof value === "string" && value.startsWith("OIDC_") ? value.replace(/_[A-Z]+$/, "_WEB") : "";
}
