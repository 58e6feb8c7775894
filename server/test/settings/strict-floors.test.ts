import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { readSettings, type SettingsDocuments, type SettingsKind } from "../../src/domain/settings/index.ts";
import { strictFloors } from "../../src/domain/settings/strict-floors.ts";
import { addApp, addMember, createSession } from "../factor/support.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer, type Start } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";

type Profile = "standard" | "strict";
type Documents = { readonly [Kind in SettingsKind]?: Partial<SettingsDocuments[Kind]> };

const hour = 3_600_000;
const day = 86_400;

// All members, as the API writes them.
const registration = { enabled: true, maximumUnused: 0, maximumUnusedPerSource: 0, unusedLifetimeSeconds: 0 };

/** What administrators of an instance may choose, and what holds of it in the strict profile. */
const lax = {
  oidc: { accessTokenLifetimeSeconds: day, idTokenLifetimeSeconds: day },
  login: {
    allowRegister: true,
    ignoreUnknownUsernames: false,
    passwordCheckLifetimeSeconds: 10 * day,
    externalLoginCheckLifetimeSeconds: 10 * day,
    secondFactorCheckLifetimeSeconds: 10 * day,
    multiFactorCheckLifetimeSeconds: 10 * day,
  },
  password_complexity: { minLength: 8 },
  lockout: { maxPasswordAttempts: 3 },
  domain: { requireOrganizationDomainProof: false },
  security: {
    skipConsentAcrossOrganizations: true,
    dynamicClientRegistration: { ...registration, allowUnauthenticated: true },
    clientIdMetadataDocument: { enabled: true, allowedUrls: [], allowAnyUrl: true },
  },
} as const satisfies Documents;

const held: typeof lax extends infer Lax ? { readonly [Kind in keyof Lax]: object } : never = {
  oidc: { accessTokenLifetimeSeconds: 600, idTokenLifetimeSeconds: 3600 },
  login: {
    allowRegister: false,
    ignoreUnknownUsernames: true,
    passwordCheckLifetimeSeconds: day / 2,
    externalLoginCheckLifetimeSeconds: day / 2,
    secondFactorCheckLifetimeSeconds: day / 2,
    multiFactorCheckLifetimeSeconds: day / 2,
  },
  password_complexity: { minLength: 12 },
  lockout: { maxPasswordAttempts: 0 },
  domain: { requireOrganizationDomainProof: true },
  security: {
    skipConsentAcrossOrganizations: false,
    dynamicClientRegistration: { ...registration, allowUnauthenticated: false },
    clientIdMetadataDocument: { enabled: true, allowedUrls: [], allowAnyUrl: false },
  },
};

const kinds = Object.keys(lax) as (keyof typeof lax)[];
const ofOrganizations = ["login", "password_complexity", "lockout", "domain"] as const;

/** A server whose instance, and an organization with settings of its own, are as lax as can be. */
async function startLax(t: TestContext, start: Start, profile: Profile) {
  const server = await start(t, { config: { profile } });
  const organizationId = await addOrganization(server, "Own");
  for (const kind of kinds) await changeSettings(server, kind, lax[kind]);
  for (const kind of ofOrganizations) await changeSettings(server, kind, lax[kind], organizationId);
  const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
  return { ...server, organizationId, instanceId };
}

const storedBy = ({ app }: TestServer): Promise<object[]> =>
  app.domain.database.read.all(sql`select organization_id, kind, document, sequence from settings order by 1, 2`);

/** Runs a check in both profiles: what the strict one refuses is taken in the standard one. */
function inBoth(name: string, check: (t: TestContext, profile: Profile) => Promise<void>): void {
  for (const profile of ["strict", "standard"] as const) test(`${name} (${profile})`, (t) => check(t, profile));
}

test("each floor of the strict profile is in the table of this test", () => {
  for (const [kind, floors] of Object.entries(strictFloors)) {
    const inTable = Object.keys(lax[kind as keyof typeof lax]).toSorted();
    assert.deepEqual(inTable, Object.keys(floors).toSorted(), kind);
  }
});

eachServer((start) => {
  inBoth("every reader has the floors, of the instance and of an organization", async (t, profile) => {
    const { app, instanceId, organizationId, clock } = await startLax(t, start, profile);
    const { database, settings } = app.domain;
    const call = testCall({ instanceId, now: clock.now });
    for (const kind of kinds) {
      for (const scope of [{ instanceId }, { instanceId, organizationId }]) {
        const found = await Promise.all([
          settings.get(kind, scope),
          settings.getCommitted(kind, scope),
          readSettings(database.read, kind, scope),
          database.touch(call, (tx) => readSettings(tx, kind, scope)),
        ]);
        for (const { settings: document } of found) {
          assert.partialDeepStrictEqual(document, profile === "strict" ? held[kind] : lax[kind], kind);
        }
      }
    }
  });

  inBoth("both generations of the API show what holds", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const isStrict = profile === "strict";
    const lifetimes = Object.fromEntries(
      ["password", "externalLogin", "secondFactor", "multiFactor"].map((check) => [
        `${check}CheckLifetime`,
        isStrict ? "43200s" : "864000s",
      ]),
    );
    const login = { ...lifetimes, ...(isStrict && { ignoreUnknownUsernames: true }) };
    const read = async (path: string, organizationId?: string) => {
      const headers = organizationId === undefined ? {} : { "x-zitadel-orgid": organizationId };
      const { status, body } = await server.rest("GET", path, { headers });
      assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
      return body.policy ?? body.settings;
    };
    const scopes = [
      ["/admin/v1/policies", undefined],
      ["/management/v1/policies", server.organizationId],
    ] as const;
    for (const [base, organizationId] of scopes) {
      const policy = await read(`${base}/login`, organizationId);
      assert.partialDeepStrictEqual(policy, login, base);
      assert.deepEqual([policy.allowRegister ?? false, policy.ignoreUnknownUsernames ?? false], [!isStrict, isStrict]);
      assert.equal(Number((await read(`${base}/password/complexity`, organizationId)).minLength), isStrict ? 12 : 8);
      assert.equal(Number((await read(`${base}/lockout`, organizationId)).maxPasswordAttempts ?? 0), isStrict ? 0 : 3);
      assert.equal((await read(`${base}/domain`, organizationId)).validateOrgDomains ?? false, isStrict);
    }
    for (const context of ["ctx.instance=true", `ctx.orgId=${server.organizationId}`]) {
      assert.partialDeepStrictEqual(await read(`/v2/settings/login?${context}`), login, context);
      const { minLength } = await read(`/v2/settings/password/complexity?${context}`);
      assert.equal(Number(minLength), isStrict ? 12 : 8);
      const { maxPasswordAttempts = 0 } = await read(`/v2/settings/lockout?${context}`);
      assert.equal(Number(maxPasswordAttempts), isStrict ? 0 : 3);
      const { requireOrgDomainVerification = false } = await read(`/v2/settings/domain?${context}`);
      assert.equal(requireOrgDomainVerification, isStrict);
    }
    const oidc = await read("/admin/v1/settings/oidc");
    assert.equal(oidc.idTokenLifetime, isStrict ? "3600s" : "86400s");
  });

  inBoth("who sends back what is shown stores nothing", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const before = await storedBy(server);
    const readable: readonly (readonly [read: string, write: string])[] = [
      ["/admin/v1/policies/login", "/admin/v1/policies/login"],
      ["/admin/v1/policies/password/complexity", "/admin/v1/policies/password/complexity"],
      ["/admin/v1/policies/lockout", "/admin/v1/policies/password/lockout"],
      ["/admin/v1/policies/domain", "/admin/v1/policies/domain"],
      ["/admin/v1/settings/oidc", "/admin/v1/settings/oidc"],
      ["/v2/settings/security", "/v2/policies/security"],
      ["/management/v1/policies/login", "/management/v1/policies/login"],
      ["/management/v1/policies/password/complexity", "/management/v1/policies/password/complexity"],
      ["/management/v1/policies/lockout", "/management/v1/policies/lockout"],
      [
        `/admin/v1/orgs/${server.organizationId}/policies/domain`,
        `/admin/v1/orgs/${server.organizationId}/policies/domain`,
      ],
    ];
    for (const [read, write] of readable) {
      const headers = { "x-zitadel-orgid": server.organizationId };
      const { body } = await server.rest("GET", read, { headers });
      const { details: _, isDefault: __, ...shown } = body.policy ?? body.settings;
      const { status, body: answer } = await server.rest("PUT", write, { body: shown, headers });
      // The first generation says that nothing was changed.
      assert.ok(status === 200 || answer.code === 9, `${write}: ${status} ${JSON.stringify(answer)}`);
      assert.deepEqual(await storedBy(server), before, write);
    }
    const paths = ["login", "password/complexity", "lockout", "domain", "oidc", "security"].map(
      (one) => `/v2/settings/${one}`,
    );
    for (const path of paths) {
      const isOfInstance = /oidc|security/.test(path);
      for (const ctx of isOfInstance ? [undefined] : [{ instance: true }, { orgId: server.organizationId }]) {
        const query =
          ctx === undefined ? "" : `?ctx.${new URLSearchParams(Object.entries(ctx).map(([a, b]) => [a, `${b}`]))}`;
        const { settings, origin } = (await server.rest("GET", path + query)).body;
        const body = { ...(ctx && { ctx }), settings, updateMask: origin.ownFields, etag: origin.etag };
        const answer = await server.rest("PATCH", path, { body });
        assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
        assert.deepEqual(await storedBy(server), before, path);
      }
    }
  });

  inBoth("id tokens live for an hour at most", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const { id_token: idToken = "" } = await (await setUpOidc(server)).tokens();
    const { iat, exp } = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8"));
    assert.equal(exp - iat, profile === "strict" ? 3600 : day);
  });

  inBoth("the hosted login hides who exists, and asks again after twelve hours", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const isStrict = profile === "strict";
    const client = await addClient(server);
    const { browser, page } = await visit(server, client);
    const unknown = await browser.submit(page, { login_name: "unknown-name" }, { action: "/ui/login" });
    assert.equal(unknown.title.startsWith("Enter your password"), isStrict, unknown.title);
    const ada = await addPerson(server, { username: "ada", organizationId: server.organizationId });
    const own = new TestBrowser(server);
    assert.ok(isBack(await enter(await visit(server, client, {}, own), ada)));
    server.clock.now += 12 * hour - 1000;
    assert.ok(isBack((await visit(server, client, {}, own)).page), "within twelve hours");
    server.clock.now += 1000;
    assert.equal(isBack((await visit(server, client, {}, own)).page), !isStrict);
  });

  inBoth("sessions of the API need each check within twelve hours", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const ada = await addMember(server, { username: "ada" });
    const code = (secret: string) => appCode(secret, server.clock.now, 0);
    const secret = await addApp(server, ada, code);
    const isAccepted = async (token: string) =>
      (await server.rest("POST", "/v2/sessions/search", { body: {}, token })).status === 200;
    server.clock.now += 60_000;
    const checks = { user: { userId: ada.userId }, password: { password: ada.password }, totp: { code: code(secret) } };
    const { body } = await createSession(server, { checks });
    server.clock.now += 12 * hour - 1000;
    assert.ok(await isAccepted(body.sessionToken), "within twelve hours");
    server.clock.now += 1000;
    assert.equal(await isAccepted(body.sessionToken), profile === "standard");
    // The password again: the second factor is as old as before.
    const password = { password: { password: ada.password } };
    const again = await server.rest("PATCH", `/v2/sessions/${body.sessionId}`, { body: { checks: password } });
    assert.equal(await isAccepted(again.body.sessionToken), profile === "standard", JSON.stringify(again.body));
  });

  inBoth("no new password is shorter than twelve characters", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const { userId } = await addPerson(server, { username: "ada", organizationId: server.organizationId });
    const set = async (password: string) =>
      (await server.rest("POST", `/v2/users/${userId}/password`, { body: { newPassword: { password } } })).status;
    assert.equal(await set("vexed-pilot"), profile === "strict" ? 400 : 200);
    assert.equal(await set("vexed-pilots"), 200);
  });

  inBoth("wrong passwords of strangers block no user", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const ada = await addPerson(server, { username: "ada", organizationId: server.organizationId });
    const enterAs = async (password: string) =>
      (await createSession(server, { checks: { user: { userId: ada.userId }, password: { password } } })).status;
    for (let guess = 0; guess < 3; guess++) assert.notEqual(await enterAs(`wrong password ${guess}`), 201);
    const isIn = [200, 201].includes(await enterAs(ada.password));
    assert.equal(isIn, profile === "strict");
  });

  inBoth("a domain counts once it is proven", async (t, profile) => {
    const server = await startLax(t, start, profile);
    const headers = { "x-zitadel-orgid": server.organizationId };
    const body = { domain: "claimed.example" };
    assert.equal((await server.rest("POST", "/management/v1/orgs/me/domains", { body, headers })).status, 200);
    const listed = await server.rest("POST", "/management/v1/orgs/me/domains/_search", { body: {}, headers });
    const claimed = listed.body.result.find(({ domainName }: { domainName: string }) => domainName === body.domain);
    assert.equal(claimed.isVerified ?? false, profile === "standard");
  });
});
