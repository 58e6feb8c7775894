import assert from "node:assert/strict";
import { test } from "node:test";
import {
  getGeneralSettings,
  resetSettings,
  type SecuritySettings,
  setSettings,
  settingsKinds,
} from "../../src/domain/settings/index.ts";
import { eachEngine, makeLocation } from "../support/databases/databases.ts";
import { directoryDeps, makeDirectory } from "../support/operations/directory.ts";
import { outcome } from "../support/operations/outcome.ts";

/** Of each kind that organizations may have: something else than the defaults. */
const differing = {
  login: { forceMfa: true },
  password_complexity: { minLength: 20 },
  password_expiry: { maxAgeDays: 30 },
  lockout: { maxPasswordAttempts: 7 },
  domain: { loginNameIncludesDomain: !settingsKinds.domain.defaults.loginNameIncludesDomain },
  branding: { hideLoginNameSuffix: true },
  legal_support: { tosLink: "https://example.com/tos" },
  links: { links: [{ type: "help", url: "https://help.example", translationKey: "", target: "blank" }] },
  notification: { passwordChange: !settingsKinds.notification.defaults.passwordChange },
} as const;

eachEngine((open, engine) => {
  test("settings of every kind are inherited, differ where an organization has its own, and are inherited again after a reset", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const owner = await directory.as(directory.ownerId);
    const acme = await directory.addOrganization("Acme");
    const other = await directory.addOrganization("Other");
    const ofOrganizations = (Object.keys(settingsKinds) as (keyof typeof settingsKinds)[]).filter(
      (kind) => settingsKinds[kind].isForOrganizations,
    );
    assert.deepEqual(ofOrganizations.toSorted(), Object.keys(differing).toSorted(), "every kind has its row");
    for (const kind of Object.keys(differing) as (keyof typeof differing)[]) {
      const { defaults } = settingsKinds[kind];
      const different = { ...defaults, ...differing[kind] } as never;
      const set = (settings: object, organizationId?: string) =>
        setSettings(deps, owner, {
          kind,
          settings: settings as never,
          ...(organizationId !== undefined && { organizationId }),
        });
      const holds = async (organizationId?: string) => {
        const { settings, source } = await deps.settings.get(kind, { instanceId, organizationId });
        return [settings, source];
      };
      const of = async () => [await holds(), await holds(acme), await holds(other)];
      const [instance, organization] = ["instance", "organization"] as const;
      await set(different);
      assert.deepEqual(await of(), new Array(3).fill([different, instance]), `${kind}: inherited`);
      await set(defaults, acme);
      const differs = [
        [different, instance],
        [defaults, organization],
        [different, instance],
      ];
      assert.deepEqual(await of(), differs, `${kind}: its own`);
      await set(defaults);
      await set(different, acme);
      assert.deepEqual(
        await of(),
        [
          [defaults, instance],
          [different, organization],
          [defaults, instance],
        ],
        `${kind}: its own, whatever the instance says`,
      );
      await resetSettings(deps, owner, { kind, organizationId: acme });
      assert.deepEqual(await of(), new Array(3).fill([defaults, instance]), `${kind}: reset`);
      await resetSettings(deps, owner, { kind, organizationId: acme });
    }
  });

  test("an organization follows its instance until it has settings of its own, and again once they are reset", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const owner = await directory.as(directory.ownerId);
    const acme = await directory.addOrganization("Acme");
    const other = await directory.addOrganization("Other");
    const minimum = async (organizationId?: string) => {
      const { settings, source } = await deps.settings.get("password_complexity", { instanceId, organizationId });
      return `${settings.minLength} ${source}`;
    };
    assert.deepEqual([await minimum(), await minimum(acme)], ["12 instance", "12 instance"]);

    const defaults = settingsKinds.password_complexity.defaults;
    const set = (minLength: number, organizationId?: string) =>
      setSettings(deps, owner, {
        kind: "password_complexity",
        settings: { ...defaults, minLength },
        ...(organizationId !== undefined && { organizationId }),
      });
    await set(14);
    await set(20, acme);
    assert.deepEqual(
      [await minimum(), await minimum(acme), await minimum(other)],
      ["14 instance", "20 organization", "14 instance"],
    );
    await set(16);
    assert.deepEqual([await minimum(acme), await minimum(other)], ["20 organization", "16 instance"]);
    await resetSettings(deps, owner, { kind: "password_complexity", organizationId: acme });
    await resetSettings(deps, owner, { kind: "password_complexity", organizationId: acme });
    assert.equal(await minimum(acme), "16 instance");
  });

  test("the defaults are those of the decisions", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const oidc = (await deps.settings.get("oidc", { instanceId })).settings;
    const hours = 3600;
    assert.deepEqual(oidc, {
      accessTokenLifetimeSeconds: hours,
      idTokenLifetimeSeconds: hours,
      refreshTokenIdleLifetimeSeconds: 30 * 24 * hours,
      refreshTokenLifetimeSeconds: 90 * 24 * hours,
      authorizationCodeLifetimeSeconds: 60,
      authRequestLifetimeSeconds: 30 * 60,
      deviceCodeLifetimeSeconds: 5 * 60,
    });
    const password = (await deps.settings.get("password_complexity", { instanceId })).settings;
    assert.deepEqual(password, {
      minLength: 12,
      requiresUppercase: false,
      requiresLowercase: false,
      requiresNumber: false,
      requiresSymbol: false,
      refusesCommon: true,
    });
    const general = await getGeneralSettings(deps, await directory.as(directory.ownerId));
    assert.deepEqual(general, {
      defaultLanguage: "en",
      defaultOrganizationId: directory.organizationId,
      allowedLanguages: [],
    });
  });

  test("security settings are replaced as a whole; what they are already changes nothing", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const owner = await directory.as(directory.ownerId);
    const { defaults } = settingsKinds.security;
    const set = (settings: Partial<SecuritySettings>) =>
      setSettings(deps, owner, { kind: "security", settings: { ...defaults, ...settings } });
    const framed = {
      embeddedIframe: { enabled: true, allowedOrigins: ["https://app.example.com", "http://localhost:3000"] },
    };
    const first = await set({ ...framed, enableImpersonation: true });
    assert.equal(first.ownerId, instanceId);
    assert.deepEqual(await set({ ...framed, enableImpersonation: true }), first);
    const second = await set(framed);
    assert.ok(second.sequence > first.sequence);
    assert.equal(second.createdAt, first.createdAt);
    const { settings } = await deps.settings.get("security", { instanceId });
    assert.deepEqual([settings.enableImpersonation, settings.embeddedIframe], [false, framed.embeddedIframe]);
  });

  test("an origin or document URL that cannot match is refused, and named", async (t) => {
    const directory = await makeDirectory(await open(t));
    const owner = await directory.as(directory.ownerId);
    const { defaults } = settingsKinds.security;
    const set = (settings: Partial<SecuritySettings>) =>
      setSettings(directory.deps, owner, { kind: "security", settings: { ...defaults, ...settings } });
    const good = "https://app.example.com";
    const origins = [
      `${good}/`,
      `${good}/path`,
      "app.example.com",
      "*",
      "https://*.example.com",
      "HTTPS://app.example.com",
      "https://app.example.com:443",
      "javascript:alert(1)",
      "https://user@app.example.com",
      "https://app.example.com; script-src *",
      "",
      good,
    ];
    for (const origin of origins) {
      await assert.rejects(set({ embeddedIframe: { enabled: true, allowedOrigins: [good, origin] } }), {
        id: "settings.security.origin_invalid",
        field: "embeddedIframe.allowedOrigins[1]",
      });
    }
    const urls = ["http://client.example/id", "https://u:p@client.example/id", "https://client.example/id#x", "id", ""];
    for (const url of urls) {
      const clientIdMetadataDocument = { enabled: true, allowedUrls: [url], allowAnyUrl: false };
      const refused = outcome(() => set({ clientIdMetadataDocument }));
      assert.equal(await refused, "invalid_argument settings.security.url_invalid", url);
    }
    const many = Array.from({ length: 101 }, (_, index) => `https://app-${index}.example.com`);
    const tooMany = outcome(() => set({ embeddedIframe: { enabled: true, allowedOrigins: many } }));
    assert.equal(await tooMany, "invalid_argument settings.security.too_many");
  });

  test("settings that make no sense are refused", async (t) => {
    const directory = await makeDirectory(await open(t));
    const owner = await directory.as(directory.ownerId);
    const set = (
      kind: "login" | "password_complexity" | "password_expiry" | "lockout" | "oidc" | "general",
      wrong: object,
    ) =>
      outcome(() =>
        setSettings(directory.deps, owner, { kind, settings: { ...settingsKinds[kind].defaults, ...wrong } as never }),
      );
    assert.equal(
      await set("password_complexity", { minLength: 7 }),
      "invalid_argument settings.password.min_length_invalid",
    );
    assert.equal(await set("password_complexity", { minLength: 8 }), "ok");
    assert.equal(
      await set("password_expiry", { maxAgeDays: 10, expireWarnDays: 10 }),
      "invalid_argument settings.days_invalid",
    );
    assert.equal(await set("password_expiry", { maxAgeDays: 10, expireWarnDays: 3 }), "ok");
    assert.equal(
      await set("lockout", { maxPasswordAttempts: -1 }),
      "invalid_argument settings.lockout.attempts_invalid",
    );
    assert.equal(await set("oidc", { accessTokenLifetimeSeconds: 0 }), "invalid_argument settings.lifetime_invalid");
    assert.equal(
      await set("oidc", { authorizationCodeLifetimeSeconds: 601 }),
      "invalid_argument settings.lifetime_invalid",
    );
    assert.equal(
      await set("login", { passwordCheckLifetimeSeconds: 0.5 }),
      "invalid_argument settings.lifetime_invalid",
    );
    assert.equal(
      await set("login", { defaultRedirectUri: "javascript:x" }),
      "invalid_argument settings.redirect_invalid",
    );
    assert.equal(await set("general", { allowedLanguages: ["xx"] }), "invalid_argument settings.language_unsupported");
  });

  test("a read after a change was answered gets what was set, however many readers ask meanwhile", async (t) => {
    const directory = await makeDirectory(await open(t));
    const { deps, instanceId } = directory;
    const owner = await directory.as(directory.ownerId);
    const read = async () => (await deps.settings.get("lockout", { instanceId })).settings.maxOtpAttempts;
    for (let round = 1; round <= 50; round++) {
      const settings = { ...settingsKinds.lockout.defaults, maxOtpAttempts: round };
      const change = setSettings(deps, owner, { kind: "lockout", settings });
      const meanwhile = Promise.all(Array.from({ length: 5 }, read));
      await change;
      assert.equal(await read(), round);
      assert.ok((await meanwhile).every((attempts) => attempts === round || attempts === round - 1 || round === 1));
      assert.equal(await read(), round);
    }
  });

  test("what one node changes, another one reads at once", async (t) => {
    if (engine === "sqlite") return;
    const location = await makeLocation(t, engine);
    const directory = await makeDirectory(await open(t, { at: location }));
    const other = directoryDeps(await open(t, { at: location }));
    const { instanceId } = directory;
    const lockout = async () => (await other.settings.get("lockout", { instanceId })).settings.maxOtpAttempts;
    assert.equal(await lockout(), 10);
    const settings = { ...settingsKinds.lockout.defaults, maxOtpAttempts: 3 };
    await setSettings(directory.deps, await directory.as(directory.ownerId), { kind: "lockout", settings });
    const until = performance.now() + 2000;
    while ((await lockout()) !== 3 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await lockout(), 3);
  });
});
