import assert from "node:assert/strict";
import { issueSetupLink } from "../../server/src/domain/setup/index.ts";
import { callUser } from "../../server/test/factor/support.ts";
import { startDeviceServer } from "../../server/test/oauth/device/support.ts";
import { startReceiver } from "../../server/test/support/http/receiver.ts";
import { testCall } from "../../server/test/support/operations/call.ts";
import {
  addOrganization,
  addPerson,
  defaultOrganization,
  goodPassword,
  type Person,
} from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { startServer, type TestServer } from "../../server/test/support/servers/server.ts";
import { addClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { appCode } from "../../server/test/support/sign-in/totp.ts";
import { browserTest } from "../support/browser.ts";
import { startPartner } from "../support/partner.ts";
import {
  choosesPassword,
  codeTo,
  emailOf,
  enter,
  type Fixtures,
  type Flows,
  linkTo,
  name,
  organizationWith,
  somebody,
  visit,
  walkFlows,
} from "../support/walk-flows.ts";

const day = 86_400_000;

browserTest("signing in and out works without JavaScript and with the keyboard alone", async (t, browser) => {
  const server = await startDeviceServer(t, { now: Date.now() - 2 * day });
  await addPeopleWithOldPasswords(server);
  const client = await addClient(server);
  await changeSettings(server, "login", { secondFactors: ["totp", "otp_sms", "otp_email", "recovery_codes"] });
  await walkFlows(t, browser, flows, { server, client });
});

/** Lets two days pass, because passwords expire and a leap of the clock must not disturb the walks. */
async function addPeopleWithOldPasswords(server: TestServer): Promise<void> {
  const organizationId = await addOrganization(server, "Strict");
  await changeSettings(server, "password_expiry", { maxAgeDays: 1, expireWarnDays: 0 }, organizationId);
  for (const suffix of ["p", "k"]) await addPerson(server, { username: `old-${suffix}`, organizationId });
  server.clock.now += 2 * day;
}

/**
 * Gives a user an authenticator app, confirmed by the code of half a minute ago, so that the current one is unused.
 * Returns its key.
 */
async function addApp({ server }: Fixtures, { userId }: Person): Promise<string> {
  const { secret } = await callUser(server, "RegisterTOTP", { userId });
  await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now, -1) });
  return secret;
}

async function setupCode({ app: { domain } }: TestServer): Promise<string> {
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const secret = await issueSetupLink(domain, testCall({ instanceId, now: domain.clock() }));
  return secret?.reveal() ?? assert.fail("no setup link");
}

const flows: Flows = {
  "an account is made when its address is confirmed": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    await visit(fixtures, { prompt: "create" });
    await hand.sees("Create your account");
    const email = `grace-${suffix}@mail.example`;
    await hand.fills({ "First name": "Grace", "Last name": "Hopper", "Email address": email, Password: goodPassword });
    if (!fixtures.hasScript) await hand.fills({ "Confirm new password": goodPassword });
    await hand.presses("Create account");
    await hand.sees("Confirm your email address");
    await hand.fills({ Code: await codeTo(server, email) });
    await hand.presses("Confirm");
    await hand.sees("Shop");
  },

  "a password and the code of an app": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await somebody(fixtures, "app");
    const secret = await addApp(fixtures, person);
    await enter(fixtures, person);
    await hand.sees("Enter the code from your app");
    const right = appCode(secret, server.clock.now);
    await hand.fills({ Code: right === "000000" ? "000001" : "000000" });
    await hand.presses("Sign in");
    await hand.page.getByRole("alert").waitFor();
    await hand.fills({ Code: right });
    await hand.presses("Sign in");
    await hand.sees("Shop");
  },

  "a code by mail, and a recovery code where that does not come": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await somebody(fixtures, "mail");
    await callUser(server, "AddOTPEmail", { userId: person.userId });
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: person.userId, count: 3 });
    await enter(fixtures, person);
    await hand.sees("Check your email");
    await hand.fills({ Code: await codeTo(server, emailOf(fixtures, "mail")) });
    await hand.presses("Sign in");
    await hand.sees("Shop");
    await hand.page.context().clearCookies();
    await enter(fixtures, person);
    await hand.sees("Check your email");
    await hand.follows("Choose another method");
    await hand.sees("How do you want to confirm that it is you?");
    await hand.follows(/Recovery code/);
    await hand.sees("Enter a recovery code");
    await hand.fills({ "Recovery code": recoveryCodes[0] });
    await hand.presses("Sign in");
    await hand.sees("Shop");
  },

  "a code by text message": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    const { userId, ...person } = await somebody(fixtures, "sms");
    const phone = suffix === "k" ? "+41791112233" : "+41791112244";
    await callUser(server, "SetPhone", { userId, phone, isVerified: true });
    await callUser(server, "AddOTPSMS", { userId });
    await enter(fixtures, { userId, ...person });
    await hand.sees("Check your phone");
    await hand.page.getByText(`+41…${phone.slice(-2)}`).waitFor();
    await hand.fills({ Code: await codeTo(server, phone) });
    await hand.presses("Sign in");
    await hand.sees("Shop");
  },

  "an application for which nobody vouches is let in": async (fixtures) => {
    const { hand, server } = fixtures;
    const client = await addClient(server, { isConsentRequired: true });
    await enter({ ...fixtures, client }, await somebody(fixtures, "trusting"));
    await hand.sees("Allow access?");
    await hand.presses("Allow");
    await hand.sees("Shop");
  },

  "an address is confirmed by the link of its message": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    const { userId } = await somebody(fixtures, "mover");
    const email = `moved-${suffix}@mail.example`;
    await callUser(server, "SetEmail", { userId, email, sendCode: {} });
    await hand.page.goto(await linkTo(server, email));
    await hand.sees("Confirm your email address");
    await hand.presses("Confirm");
    await hand.sees("Your email address is confirmed");
  },

  "a forgotten password": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await somebody(fixtures, "forgetful");
    await visit(fixtures);
    await hand.sees("Sign in");
    await hand.fills({ "Email or username": person.loginName });
    await hand.presses("Continue");
    await hand.sees("Enter your password");
    await hand.follows("Forgot your password?");
    await hand.sees("Choose a new password");
    await hand.presses("Send message");
    await hand.sees("Check your email");
    await hand.page.goto(await linkTo(server, emailOf(fixtures, "forgetful")));
    await hand.sees("Set a new password");
    const password = "a sentence that was not forgotten";
    await choosesPassword(fixtures, "New password", password);
    await hand.presses("Save password");
    await hand.sees("Your password is set");
    await enter(fixtures, { ...person, password });
    await hand.sees("Shop");
  },

  "one of two accounts, in another language, and out again": async (fixtures) => {
    const { t, hand, server } = fixtures;
    const [one, two] = [await somebody(fixtures, "one"), await somebody(fixtures, "two")];
    await enter(fixtures, one);
    await hand.sees("Shop");
    server.clock.now += 1000;
    await visit(fixtures, { prompt: "select_account" });
    await hand.sees("Choose an account");
    await hand.follows("Use another account");
    await hand.sees("Sign in");
    await hand.unfolds(/English/);
    await hand.follows("Deutsch");
    await hand.sees("Anmelden");
    await hand.unfolds(/Deutsch/);
    await hand.follows("English");
    await hand.sees("Sign in");
    await name(fixtures, two);
    await hand.sees("Shop");
    await visit(fixtures, { prompt: "select_account" });
    await hand.sees("Choose an account");
    await hand.presses(new RegExp(one.loginName));
    await hand.sees("Shop");
    const farewell = `${(await startReceiver(t)).origin}/bye`;
    const { clientId } = await addClient(server, { postLogoutRedirectUris: [farewell] });
    const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: farewell });
    await hand.page.goto(`${server.origin}/oidc/v1/end_session?${query.toString()}`);
    await hand.sees("Sign out");
    assert.equal(await hand.page.getByRole("checkbox").count(), 2);
    await hand.presses("Sign out");
    await hand.page.waitForURL(farewell);
    await visit(fixtures);
    await hand.sees("Sign in");
  },

  "a device is let in": async (fixtures) => {
    const { hand, server } = fixtures;
    const person = await somebody(fixtures, "viewer");
    const waiting = await server.wait();
    await hand.page.goto(`${server.origin}/ui/login/device`);
    await hand.sees("Connect a device");
    await hand.fills({ Code: waiting.user_code });
    await hand.presses("Continue");
    await hand.sees("Sign in");
    await name(fixtures, person);
    await hand.sees("Allow this device?");
    await hand.presses("Allow");
    await hand.sees("The device is connected");
    assert.equal((await server.poll(waiting.device_code)).status, 200);
  },

  "the first administrator is made with the code of the set-up": async (fixtures) => {
    const { t, hand, hasScript } = fixtures;
    // An instance is set up only once, so each walk has a server of its own.
    const server = await startServer(t);
    const code = await setupCode(server);
    await hand.page.goto(`${server.origin}/ui/setup${hasScript ? `#${code}` : ""}`);
    await hand.sees("Create your administrator");
    if (!hasScript) await hand.fills({ "Setup code": code });
    await hand.fills({ "First name": "Ada", "Last name": "Lovelace", "Email address": "ada@mail.example" });
    await hand.fills({ Username: "ada" });
    await choosesPassword(fixtures, "Password", goodPassword);
    await hand.presses("Create administrator");
    await hand.sees("You are signed in");
    await hand.follows("Sign out");
    await hand.sees("Sign out");
    await hand.presses("Sign out");
    await hand.sees("You are signed out");
  },

  "an invitation is accepted": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    const [username, email] = [`invited-${suffix}`, emailOf(fixtures, "invited")];
    const { id: userId } = await callUser(server, "CreateUser", {
      organizationId: await defaultOrganization(server),
      username,
      human: { profile: { givenName: "I", familyName: "V" }, email: { email, isVerified: false } },
    });
    await callUser(server, "CreateInviteCode", { userId, sendCode: {} });
    await hand.page.goto(await linkTo(server, email));
    await hand.sees("Accept your invitation");
    const password = "a sentence of somebody invited";
    await choosesPassword(fixtures, "New password", password);
    await hand.presses("Save password");
    await hand.sees("Your password is set");
    await hand.follows("Sign in");
    await hand.sees("Sign in");
    await name(fixtures, { loginName: username, password });
    await hand.sees("You are signed in");
  },

  "a phone number is confirmed by the code of its message": async (fixtures) => {
    const { hand, server, suffix } = fixtures;
    const { userId } = await somebody(fixtures, "caller");
    const phone = suffix === "k" ? "+41791112255" : "+41791112266";
    await callUser(server, "SetPhone", { userId, phone, sendCode: {} });
    await hand.page.goto(`${server.origin}/ui/login/verify-phone?user=${userId}`);
    await hand.sees("Confirm your phone number");
    await hand.fills({ Code: await codeTo(server, phone) });
    await hand.presses("Confirm");
    await hand.sees("Your phone number is confirmed.");
  },

  "name and password on one page": async (fixtures) => {
    const { hand } = fixtures;
    const { organizationId, scope } = await organizationWith(fixtures, "Combined", { layout: "combined" });
    const { loginName, password } = await somebody(fixtures, "hurried", { organizationId });
    await visit(fixtures, { scope });
    await hand.sees("Sign in");
    await hand.fills({ "Email or username": loginName, Password: "not the password" });
    await hand.presses("Sign in");
    await hand.page.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
    await hand.fills({ Password: password });
    await hand.presses("Sign in");
    await hand.sees("Shop");
  },

  "a password that was temporary is replaced": async (fixtures) => {
    const { hand } = fixtures;
    const person = await somebody(fixtures, "temporary", { changeRequired: true });
    await enter(fixtures, person);
    await hand.sees("Choose a new password");
    await hand.page.getByText("was temporary").waitFor();
    await hand.fills({ "Current password": person.password });
    await choosesPassword(fixtures, "New password", "a sentence that bob has chosen");
    await hand.presses("Save and continue");
    await hand.sees("Shop");
  },

  "a password that is too old is replaced": async (fixtures) => {
    const { hand, suffix } = fixtures;
    await visit(fixtures);
    await hand.sees("Sign in");
    await name(fixtures, { loginName: `old-${suffix}@strict.localhost`, password: goodPassword });
    await hand.sees("Choose a new password");
    await hand.page.getByText("Your password has expired").waitFor();
    await hand.fills({ "Current password": goodPassword });
    await choosesPassword(fixtures, "New password", "a sentence that is new again");
    await hand.presses("Save and continue");
    await hand.sees("Shop");
  },

  "an account at a provider: given up, then a new account here, then linked with another by its password": async (
    fixtures,
  ) => {
    const { hand } = fixtures;
    const { organizationId, scope, comesBackAs, givesUp } = await startPartner(fixtures);
    const goesThere = async (): Promise<void> => {
      await hand.page.context().clearCookies();
      await visit(fixtures, { scope });
      await hand.sees("Sign in");
      await hand.presses(/^Continue with Test provider/);
    };
    givesUp();
    await goesThere();
    await hand.sees("Sign-in canceled");
    comesBackAs("new");
    await hand.presses("Try again");
    await hand.sees("Almost there");
    await hand.presses("Create account");
    await hand.sees("Shop");
    await goesThere();
    await hand.sees("Shop");
    comesBackAs("other");
    await goesThere();
    await hand.sees("Almost there");
    await hand.presses("Link an existing account");
    await hand.sees("Sign in");
    await name(fixtures, await somebody(fixtures, "partner", { organizationId }));
    await hand.sees("Link these accounts?");
    await hand.presses("Link accounts");
    await hand.sees("Accounts linked");
    await hand.follows("Continue");
    await hand.sees("Shop");
    await goesThere();
    await hand.sees("Shop");
  },

  "an account is removed from the list": async (fixtures) => {
    const { hand } = fixtures;
    const person = await somebody(fixtures, "leaving");
    await enter(fixtures, person);
    await hand.sees("Shop");
    await visit(fixtures, { prompt: "select_account" });
    await hand.sees("Choose an account");
    await hand.unfolds(/Remove an account/);
    await hand.presses(new RegExp(`^Remove ${person.loginName}`));
    await hand.sees("Sign in");
    await visit(fixtures, { prompt: "select_account" });
    await hand.page.getByText(person.loginName).waitFor({ state: "detached" });
    await hand.page.getByLabel("Email or username", { exact: true }).waitFor();
  },
};
