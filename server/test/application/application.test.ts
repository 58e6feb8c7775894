import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import {
  createApplicationInProject,
  createApplicationKey,
  createClientDirectory,
  generateClientSecret,
  listVerificationKeys,
  type NewApplication,
} from "../../src/domain/application/index.ts";
import { deleteApplication, deleteProject } from "../../src/domain/deletion/index.ts";
import {
  defaultOidcConfiguration,
  findComplianceProblems,
  type OidcConfiguration,
} from "../../src/domain/oidc-configuration/index.ts";
import { updateApplication } from "../../src/domain/registration/index.ts";
import { findActiveAccessToken, startFamily } from "../../src/domain/token/index.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { scriptUrls } from "../support/hostile/hostile-urls.ts";
import { type Fixtures, makeFixtures, testTime } from "../support/operations/fixtures.ts";
import { refused } from "../support/operations/refused.ts";

const device = "urn:ietf:params:oauth:grant-type:device_code";
const https = "https://app.example.com/cb";
const http = "http://app.example.com/cb";
const local = "http://127.0.0.1/cb";
const custom = "com.example.app:/cb";

// The table of reference facts about applications: configuration → keys, and whether it is called non-compliant.
const compliance: readonly (readonly [given: Partial<OidcConfiguration>, problems: readonly string[]])[] = [
  [{ grantTypes: ["authorization_code"], redirectUris: [https] }, []],
  [{ grantTypes: ["authorization_code"], redirectUris: [local] }, []],
  [{ grantTypes: ["authorization_code"], redirectUris: [http] }, ["Web.RedirectUris.MustBeHttpsOrLocalhost"]],
  [{ grantTypes: ["authorization_code"], redirectUris: [http], isDevelopmentMode: true }, []],
  [{ grantTypes: ["authorization_code"] }, ["NoRedirectUris"]],
  [{ grantTypes: [device] }, []],
  [{ grantTypes: [device, "authorization_code"] }, ["NoRedirectUris"]],
  [{ grantTypes: ["refresh_token"], redirectUris: [https] }, ["GrantType.Refresh.NoAuthCode"]],
  [{ grantTypes: ["refresh_token", device], redirectUris: [https] }, []],
  [
    { grantTypes: ["authorization_code"], redirectUris: [http], applicationType: "user_agent", authMethod: "none" },
    ["Code.RedirectUris.HttpOnlyForWeb"],
  ],
  [{ grantTypes: ["authorization_code"], redirectUris: [custom] }, ["Code.RedirectUris.CustomOnlyForNative"]],
  [{ grantTypes: ["authorization_code"], redirectUris: [custom], applicationType: "native", authMethod: "none" }, []],
  [{ grantTypes: ["implicit"], redirectUris: [custom] }, ["Implicit.RedirectUris.CustomNotAllowed"]],
  [
    { grantTypes: ["implicit"], redirectUris: [custom], applicationType: "native", authMethod: "none" },
    ["Implicit.RedirectUris.CustomNotAllowed"],
  ],
  [
    { grantTypes: ["implicit"], redirectUris: [http] },
    ["Implicit.RedirectUris.HttpNotAllowed", "Web.RedirectUris.MustBeHttpsOrLocalhost"],
  ],
  [
    { grantTypes: ["authorization_code"], redirectUris: [http], applicationType: "native", authMethod: "none" },
    ["Native.RedirectUris.MustBeHttpLocalhost"],
  ],
  [{ grantTypes: ["authorization_code"], redirectUris: [local], applicationType: "native", authMethod: "none" }, []],
  [
    { grantTypes: ["authorization_code"], redirectUris: [https], applicationType: "native" },
    ["Native.AuthMethodType.NotNone"],
  ],
  [
    {
      grantTypes: ["authorization_code"],
      redirectUris: [https],
      applicationType: "user_agent",
      authMethod: "private_key_jwt",
    },
    ["UserAgent.AuthMethodType.NotNone"],
  ],
  [
    { grantTypes: ["authorization_code", "implicit"], redirectUris: [custom] },
    ["Implicit.RedirectUris.CustomNotAllowed"],
  ],
];

test("unwise configurations are reported under the keys that clients know", () => {
  for (const [given, problems] of compliance) {
    const found = findComplianceProblems({ ...defaultOidcConfiguration, ...given });
    const expected = problems.length === 0 ? [] : ["NotCompliant", ...problems];
    assert.deepEqual(
      found.problems,
      expected.map((key) => `Application.OIDC.V1.${key}`),
      JSON.stringify(given),
    );
    assert.equal(found.isNonCompliant, problems.length > 0);
  }
  const mixed = {
    ...defaultOidcConfiguration,
    grantTypes: ["authorization_code", "implicit"],
    redirectUris: [local],
  } as const;
  assert.deepEqual(findComplianceProblems(mixed), {
    isNonCompliant: false,
    problems: ["Application.OIDC.V1.NotAllCombinationsAreAllowed"],
  });
  assert.deepEqual(findComplianceProblems({ ...mixed, redirectUris: [https] }).problems, []);
});

async function start(fixtures: Fixtures) {
  const { projectId } = await fixtures.project(await fixtures.organization("Acme"));
  const create = (input: NewApplication) =>
    createApplicationInProject(fixtures, fixtures.owner, { ...input, projectId });
  const oidc = (name: string, configuration: Partial<OidcConfiguration>) =>
    create({ name, kind: "oidc", configuration });
  return { projectId, create, oidc };
}

eachEngine((open) => {
  test("a URI that a browser would run is stored nowhere, not even in development mode", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { oidc } = await start(fixtures);
    const { application } = await oidc("Good", {});
    for (const uri of scriptUrls) {
      const sinks: Partial<OidcConfiguration>[] = [
        { redirectUris: [uri] },
        { postLogoutRedirectUris: [https, uri] },
        { backChannelLogoutUri: uri },
        { additionalOrigins: [uri] },
        { loginVersion: { kind: "v2", baseUri: uri } },
      ];
      for (const sink of sinks) {
        const fields = { ...sink, isDevelopmentMode: true };
        // White space around a URI is cut off; what is left is judged.
        await assert.rejects(oidc("Bad", fields), JSON.stringify(sink));
        const change = { ...application, configuration: { kind: "oidc", fields } } as const;
        await assert.rejects(updateApplication(fixtures, fixtures.owner, change), JSON.stringify(sink));
      }
    }
  });

  test("a secret exists only while the application proves itself with one", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { oidc, projectId } = await start(fixtures);
    const { application, clientSecret } = await oidc("App", { redirectUris: [https] });
    assert.ok(clientSecret !== undefined && application.hasSecret);
    const { applicationId } = application;
    const set = (fields: Partial<OidcConfiguration>) =>
      updateApplication(fixtures, fixtures.owner, {
        applicationId,
        projectId,
        configuration: { kind: "oidc", fields },
      });
    assert.equal((await set({ authMethod: "client_secret_post" })).hasSecret, true);
    assert.equal((await set({ authMethod: "none" })).hasSecret, false);
    await refused(
      generateClientSecret(fixtures, fixtures.owner, { applicationId, projectId }),
      "application.secret_not_used",
    );
    const basic = await set({ authMethod: "client_secret_basic" });
    assert.equal(basic.hasSecret, false, "the forgotten secret stays forgotten");
    await generateClientSecret(fixtures, fixtures.owner, { applicationId, projectId });
    assert.equal((await oidc("Public", { authMethod: "none" })).clientSecret, undefined);
    assert.deepEqual((await set({ authMethod: "client_secret_basic" })).details.sequence, basic.details.sequence + 1);
  });

  test("names are unique in a project, ids in the instance; after deletion the name is free again (A9)", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { create, projectId } = await start(fixtures);
    const api = (name: string, applicationId?: string): NewApplication => ({
      name,
      kind: "api",
      configuration: { authMethod: "client_secret_basic" },
      ...(applicationId !== undefined && { applicationId }),
    });
    await create(api("App", "app"));
    await refused(create(api("APP")), "application.name_taken", "name");
    await refused(create(api("Other", "app")), "application.id_taken", "applicationId");
    const other = (await create(api("Other"))).application;
    await refused(
      updateApplication(fixtures, fixtures.owner, { ...other, configuration: undefined as never, name: "app" }),
      "application.name_taken",
    );
    await deleteApplication(fixtures, fixtures.owner, { applicationId: "app", projectId });
    await refused(create(api("App", "app")), "application.id_taken", "applicationId");
    assert.equal((await create(api("App"))).application.details.sequence, 1);
  });

  test("an expired key is never offered for verification (CVE-2025-31123); a caller's own key is", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { create, projectId } = await start(fixtures);
    const { application } = await create({
      name: "API",
      kind: "api",
      configuration: { authMethod: "private_key_jwt" },
    });
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const { applicationId } = application;
    const made = await createApplicationKey(fixtures, fixtures.owner, {
      applicationId,
      projectId,
      publicKey: pem,
      expiresAt: testTime + 1000,
    });
    assert.equal(made.keyFile, undefined);
    const client = await createClientDirectory(fixtures).find("instance-1", application.clientId);
    assert.ok(client !== undefined);
    for (const keyId of [undefined, made.keyId]) {
      const [key, ...others] = listVerificationKeys(client, { now: testTime + 999, keyId });
      assert.deepEqual([key?.keyId, key?.algorithms, others], [made.keyId, ["ES256"], []]);
      assert.deepEqual(listVerificationKeys(client, { now: testTime + 1000, keyId }), []);
    }
    assert.deepEqual(listVerificationKeys(client, { now: testTime, keyId: "other" }), []);
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "pem" });
    const bad = createApplicationKey(fixtures, fixtures.owner, {
      applicationId,
      projectId,
      publicKey: weak.toString(),
    });
    await refused(bad, "public_key.weak");
    const past = createApplicationKey(fixtures, fixtures.owner, { applicationId, projectId, expiresAt: testTime });
    await refused(past, "application.key_expiry_past", "expirationDate");
  });

  test("tokens end with the application or the project that they were issued to", async (t) => {
    const fixtures = await makeFixtures(t, open);
    const { oidc, projectId } = await start(fixtures);
    const issue = async (name: string) => {
      const { application } = await oidc(name, { redirectUris: [https] });
      const { clientId, applicationId } = application;
      const family = {
        clientId,
        applicationId,
        projectId,
        userId: undefined,
        sessionId: undefined,
        scope: "openid",
        audience: [],
        authTime: undefined,
        authenticationMethods: [],
        nonce: undefined,
        actor: undefined,
        expiresAt: testTime + 100_000,
      };
      const order = {
        format: "opaque",
        scope: "openid",
        audience: [clientId],
        accessTokenLifetime: 50_000,
        refreshTokenIdleLifetime: 90_000,
      } as const;
      const { tokenId } = await fixtures.database.change(fixtures.owner, async (tx) =>
        startFamily(tx, fixtures, family, order),
      );
      const key = { tokenId, format: "opaque" } as const;
      const isActive = async () =>
        (await findActiveAccessToken(fixtures.database.read, "instance-1", key, testTime + 1)) !== undefined;
      return { applicationId, isActive };
    };
    const [first, second] = [await issue("First"), await issue("Second")];
    assert.deepEqual([await first.isActive(), await second.isActive()], [true, true]);
    await deleteApplication(fixtures, fixtures.owner, { applicationId: first.applicationId, projectId });
    assert.deepEqual([await first.isActive(), await second.isActive()], [false, true]);
    await deleteProject(fixtures, fixtures.owner, { projectId });
    assert.deepEqual([await first.isActive(), await second.isActive()], [false, false]);
  });
});
