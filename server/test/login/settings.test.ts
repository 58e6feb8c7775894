import assert from "node:assert/strict";
import { test } from "node:test";
import { refusesImpersonation, type SettingsDocuments } from "../../src/domain/settings/index.ts";
import { settingsKinds } from "../../src/domain/settings/settings.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";
import type { Authenticator } from "../support/sign-in/authenticator.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { ask } from "./support/second-factors.ts";
import {
  addCode,
  createSettingsFixtures,
  type SettingsFixtures as Fixtures,
  vouchFor,
} from "./support/settings-fixtures.ts";
import { enter, isBack, visit } from "./support/sign-in.ts";

/** A field, two values of it, and an observation of the hosted pages that holds for one value and not for the other. */
interface Effect<Document> {
  readonly off: Partial<Document>;
  readonly on: Partial<Document>;
  /** What both values need. */
  readonly with?: Partial<Document>;
  readonly see: (fixtures: Fixtures) => Promise<boolean>;
}

type Effects<Kind extends keyof SettingsDocuments> = Readonly<
  Record<keyof SettingsDocuments[Kind], Effect<SettingsDocuments[Kind]>>
>;

const hour = 3600;

const start = async ({ server, client }: Fixtures): Promise<ShownPage> => (await visit(server, client)).page;
const named = async ({ server, client }: Fixtures, loginName: string): Promise<ShownPage> => {
  const { browser, page } = await visit(server, client);
  return browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
};
const entered = async ({ server, client }: Fixtures, person: Person): Promise<ShownPage> =>
  enter(await visit(server, client), person);
const shows = (needle: string) => async (fixtures: Fixtures) => (await start(fixtures)).html.includes(needle);
const asksForPassword = ({ title }: ShownPage): boolean => title.startsWith("Enter your password");
const isAskedForFactor = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/add-factor");

/** Signs in with the passkey of Cyd. */
async function withPasskey({ server, client, deviceOfCyd }: Fixtures, browser = new TestBrowser(server)) {
  const { page } = await visit(server, client, {}, browser);
  const { options } = await ask(browser, page);
  const credential = JSON.stringify(deviceOfCyd.get(options as Parameters<Authenticator["get"]>[0]));
  return { browser, page: await browser.submit(page, { credential }, { action: "/ui/login/key" }) };
}

/** Whether a user who signed in two hours ago continues without a question. */
async function staysFor(fixtures: Fixtures, browser: TestBrowser): Promise<boolean> {
  fixtures.server.clock.now += 2 * hour * 1000;
  return isBack((await visit(fixtures.server, fixtures.client, {}, browser)).page);
}

let newcomers = 0;

/** Whether an account can be made with a password. */
const takes =
  (password: string) =>
  async ({ server }: Fixtures): Promise<boolean> => {
    const browser = new TestBrowser(server);
    const page = await browser.open("/ui/login/register");
    const email = `newcomer${++newcomers}@mail.example`;
    const done = await browser.submit(page, {
      given_name: "New",
      family_name: "Comer",
      email,
      password,
      new_password_repeated: password,
    });
    return !done.title.startsWith("Error: ");
  };

const short = { off: 24 * hour, on: 1 * hour };
const lifetime = <Field extends string>(field: Field) =>
  ({ off: { [field]: short.off }, on: { [field]: short.on } }) as { off: object; on: object };

const login: Effects<"login"> = {
  allowLocalAuthentication: {
    off: { allowLocalAuthentication: true },
    on: { allowLocalAuthentication: false },
    see: async (fixtures) => !asksForPassword(await named(fixtures, fixtures.ada.loginName)),
  },
  allowRegister: {
    off: { allowRegister: false },
    on: { allowRegister: true },
    see: async ({ server }) =>
      (await new TestBrowser(server).open("/ui/login/register")).address.startsWith("/ui/login/register"),
  },
  allowExternalIdp: {
    off: { allowExternalIdp: false },
    on: { allowExternalIdp: true },
    see: shows("Test provider"),
  },
  identityProviderIds: {
    off: { identityProviderIds: [] },
    on: {},
    see: shows("Test provider"),
  },
  forceMfa: {
    off: { forceMfa: false },
    on: { forceMfa: true },
    see: async (fixtures) => isAskedForFactor(await entered(fixtures, fixtures.ada)),
  },
  forceMfaLocalOnly: {
    off: { forceMfaLocalOnly: false },
    on: { forceMfaLocalOnly: true },
    see: async (fixtures) => isAskedForFactor(await entered(fixtures, fixtures.ada)),
  },
  allowPasskeys: { off: { allowPasskeys: false }, on: { allowPasskeys: true }, see: shows("data-passkey-request") },
  hidePasswordReset: {
    off: { hidePasswordReset: true },
    on: { hidePasswordReset: false },
    see: async (fixtures) => (await named(fixtures, fixtures.ada.loginName)).html.includes("/ui/login/forgotten"),
  },
  ignoreUnknownUsernames: {
    off: { ignoreUnknownUsernames: false },
    on: { ignoreUnknownUsernames: true },
    see: async (fixtures) => asksForPassword(await named(fixtures, "nobody-has-this-name")),
  },
  defaultRedirectUri: {
    off: { defaultRedirectUri: "" },
    on: { defaultRedirectUri: "https://intranet.example/" },
    see: async ({ server, ada }) => {
      const browser = new TestBrowser(server);
      const { address } = await enter({ browser, page: await browser.open("/ui/login") }, ada);
      return address.startsWith("https://intranet.example/");
    },
  },
  passwordCheckLifetimeSeconds: {
    ...lifetime("passwordCheckLifetimeSeconds"),
    see: async (fixtures) => {
      const browser = new TestBrowser(fixtures.server);
      await enter(await visit(fixtures.server, fixtures.client, {}, browser), fixtures.ada);
      return !(await staysFor(fixtures, browser));
    },
  },
  secondFactorCheckLifetimeSeconds: {
    ...lifetime("secondFactorCheckLifetimeSeconds"),
    see: async (fixtures) => {
      const browser = new TestBrowser(fixtures.server);
      const asked = await enter(await visit(fixtures.server, fixtures.client, {}, browser), fixtures.bea);
      assert.ok(isBack(await browser.submit(asked, { code: fixtures.codeOfBea() })));
      return !(await staysFor(fixtures, browser));
    },
  },
  multiFactorCheckLifetimeSeconds: {
    ...lifetime("multiFactorCheckLifetimeSeconds"),
    see: async (fixtures) => {
      const { browser, page } = await withPasskey(fixtures);
      assert.ok(isBack(page), page.html);
      return !(await staysFor(fixtures, browser));
    },
  },
  externalLoginCheckLifetimeSeconds: {
    ...lifetime("externalLoginCheckLifetimeSeconds"),
    see: async (fixtures) => {
      const browser = new TestBrowser(fixtures.server);
      await enter(await visit(fixtures.server, fixtures.client, {}, browser), fixtures.ada);
      // As if a provider had identified the user, and not the password.
      await vouchFor(fixtures);
      return !(await staysFor(fixtures, browser));
    },
  },
  mfaInitSkipLifetimeSeconds: {
    off: { mfaInitSkipLifetimeSeconds: 0 },
    on: { mfaInitSkipLifetimeSeconds: hour },
    see: async (fixtures) => isAskedForFactor(await entered(fixtures, fixtures.ada)),
  },
  secondFactors: {
    with: { forceMfa: true },
    off: { secondFactors: ["totp"] },
    on: { secondFactors: ["totp", "otp_email"] },
    see: async (fixtures) => (await entered(fixtures, fixtures.ada)).html.includes('value="otp_email"'),
  },
  multiFactors: {
    with: { forceMfa: true },
    off: { multiFactors: [] },
    on: { multiFactors: ["u2f_with_verification"] },
    see: async (fixtures) => isBack((await withPasskey(fixtures)).page),
  },
  allowDomainDiscovery: {
    with: { ignoreUnknownUsernames: false },
    off: { allowDomainDiscovery: false },
    on: { allowDomainDiscovery: true },
    see: async (fixtures) =>
      !(await named(fixtures, "somebody@discovered.example")).html.includes("We could not find this account"),
  },
  disableLoginWithEmail: {
    with: { ignoreUnknownUsernames: false },
    off: { disableLoginWithEmail: true },
    on: { disableLoginWithEmail: false },
    see: async (fixtures) => asksForPassword(await named(fixtures, "ada@mail.example")),
  },
  disableLoginWithPhone: {
    with: { ignoreUnknownUsernames: false },
    off: { disableLoginWithPhone: true },
    on: { disableLoginWithPhone: false },
    see: async (fixtures) => asksForPassword(await named(fixtures, "+41 79 123 45 67")),
  },
  layout: {
    off: { layout: "identifier_first" },
    on: { layout: "combined" },
    see: shows('type="password"'),
  },
  refuseImpersonation: {
    off: { refuseImpersonation: false },
    on: { refuseImpersonation: true },
    see: async ({ server }) => {
      const { domain } = server.app;
      const instance = await domain.findInstanceByHost("localhost");
      const { instanceId = "", defaultOrganizationId: organizationId = "" } = instance ?? {};
      return refusesImpersonation(domain.database.read, { instanceId, organizationId, userId: "" });
    },
  },
};

/** Whether the right answer signs no user in after a wrong one. */
const lockout: Effects<"lockout"> = {
  maxPasswordAttempts: {
    off: { maxPasswordAttempts: 0 },
    on: { maxPasswordAttempts: 1 },
    see: async (fixtures) => {
      const person = await addPerson(fixtures.server, { username: `guessed${++newcomers}` });
      await entered(fixtures, { ...person, password: "not the password at all" });
      return !isBack(await entered(fixtures, person));
    },
  },
  maxOtpAttempts: {
    off: { maxOtpAttempts: 0 },
    on: { maxOtpAttempts: 1 },
    see: async (fixtures) => {
      const person = await addPerson(fixtures.server, { username: `guessed${++newcomers}` });
      const code = await addCode(fixtures.server, person);
      const { browser, page } = await visit(fixtures.server, fixtures.client);
      const asked = await enter({ browser, page }, person);
      const wrong = await browser.submit(asked, { code: code() === "000000" ? "000001" : "000000" });
      return !isBack(await browser.submit(wrong, { code: code() }));
    },
  },
};

const plain = { requiresUppercase: false, requiresLowercase: false, requiresNumber: false, requiresSymbol: false };
const refusing = (field: keyof typeof plain, password: string) => ({
  with: { ...plain, minLength: 8, refusesCommon: false },
  off: { [field]: false },
  on: { [field]: true },
  see: async (fixtures: Fixtures) => !(await takes(password)(fixtures)),
});

const complexity: Effects<"password_complexity"> = {
  minLength: { off: { minLength: 20 }, on: { minLength: 8 }, with: plain, see: takes("gravel Tundra") },
  requiresUppercase: refusing("requiresUppercase", "gravel tundra 7!"),
  requiresLowercase: refusing("requiresLowercase", "GRAVEL TUNDRA 7!"),
  requiresNumber: refusing("requiresNumber", "Gravel Tundra !"),
  requiresSymbol: refusing("requiresSymbol", "GravelTundra7"),
  refusesCommon: {
    with: { ...plain, minLength: 8 },
    off: { refusesCommon: true },
    on: { refusesCommon: false },
    see: takes("password"),
  },
};

const expiry: Effects<"password_expiry"> = {
  maxAgeDays: {
    off: { maxAgeDays: 0 },
    on: { maxAgeDays: 1 },
    see: async (fixtures) => {
      const person = await addPerson(fixtures.server, { username: `aged${++newcomers}` });
      fixtures.server.clock.now += 48 * hour * 1000;
      return (await entered(fixtures, person)).address.startsWith("/ui/login/password-change");
    },
  },
  expireWarnDays: {
    with: { maxAgeDays: 10 },
    off: { expireWarnDays: 0 },
    on: { expireWarnDays: 9 },
    see: async ({ server }) => {
      const person = await addPerson(server, { username: `warned${++newcomers}` });
      server.clock.now += 48 * hour * 1000;
      const browser = new TestBrowser(server);
      const home = await enter({ browser, page: await browser.open("/ui/account") }, person);
      assert.ok(home.address.startsWith("/ui/account"), home.address);
      const isTold = home.html.includes("Your password expires soon");
      // On every page that they pass, and with a link to set a new one.
      for (const path of ["/ui/account/methods", "/ui/login/signed-in", "/"]) {
        const page = await browser.open(path);
        assert.equal(page.html.includes("Your password expires soon"), isTold, path);
        assert.equal(
          page.html.includes('href="/ui/account/password?session='),
          isTold || path.endsWith("methods"),
          path,
        );
      }
      return isTold;
    },
  },
};

const address = (field: keyof SettingsDocuments["legal_support"], value: string, shown = value) => ({
  off: { [field]: "" },
  on: { [field]: value },
  see: shows(shown),
});

const legal: Effects<"legal_support"> = {
  tosLink: address("tosLink", "https://acme.example/terms"),
  privacyPolicyLink: address("privacyPolicyLink", "https://acme.example/privacy"),
  accessibilityLink: address("accessibilityLink", "https://acme.example/accessibility"),
  helpLink: address("helpLink", "https://acme.example/help"),
  supportEmail: address("supportEmail", "support@acme.example"),
  docsLink: address("docsLink", "https://acme.example/docs"),
  customLink: { ...address("customLink", "https://acme.example/jobs"), with: { customLinkText: "Jobs" } },
  customLinkText: { ...address("customLinkText", "Jobs"), with: { customLink: "https://acme.example/x" } },
};

const effects = { login, lockout, password_complexity: complexity, password_expiry: expiry, legal_support: legal };

test("every setting of the hosted login has its effect", async (t) => {
  const fixtures = await createSettingsFixtures(await startServer(t));
  const usual = { login: { identityProviderIds: [fixtures.providerId], allowRegister: true } } as Record<
    string,
    object
  >;
  for (const kind of Object.keys(effects) as (keyof typeof effects)[]) {
    for (const [field, effect] of Object.entries(effects[kind]) as [string, Effect<object>][]) {
      await t.test(`${kind} ${field}`, async () => {
        const before = { ...settingsKinds[kind].defaults, ...usual[kind], ...effect.with };
        await changeSettings(fixtures.server, kind, { ...before, ...effect.off } as object);
        assert.equal(await effect.see(fixtures), false, JSON.stringify(effect.off));
        await changeSettings(fixtures.server, kind, { ...before, ...effect.on } as object);
        assert.equal(await effect.see(fixtures), true, JSON.stringify(effect.on));
      });
    }
    await changeSettings(fixtures.server, kind, { ...settingsKinds[kind].defaults, ...usual[kind] } as object);
  }
});
