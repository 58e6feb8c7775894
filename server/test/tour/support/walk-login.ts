import assert from "node:assert/strict";
import { issueSetupLink } from "../../../src/domain/setup/index.ts";
import { addApp, callUser, inboxOf } from "../../factor/support.ts";
import { enter, isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { testCall } from "../../support/operations/call.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { appCode } from "../../support/sign-in/totp.ts";
import type { RecordingBrowser } from "./recorder.ts";
import { hidden, type Tour } from "./tour.ts";

/** Opens the link in the newest message to a recipient. */
async function openLink(tour: Tour, browser: RecordingBrowser, recipient: string): Promise<ShownPage> {
  const { server } = tour;
  const [message] = await inboxOf(server, recipient);
  assert.ok(message?.link, `no link for ${recipient}: ${JSON.stringify(message)}`);
  const { origin, pathname, search, searchParams } = new URL(message.link);
  assert.equal(origin, server.origin, "a link leads to where the server is, whatever the request said");
  tour.plant("code of a link", searchParams.get("code") ?? "");
  return browser.open(pathname + search);
}

/** Visits what a stranger without an account sees. */
export async function walkAsStranger(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const { domain } = server.app;
  const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
  const setupCode = (await issueSetupLink(domain, testCall({ instanceId, now: domain.clock() })))?.reveal() ?? "";
  const client = await addClient(server, {}, say("Shop"));
  const browser = tour.browser();
  for (const path of ["/", "/ui/setup", "/ui/dev/inbox", "/ui/nothing", "/device", "/ui/logout/done"]) {
    await browser.open(path);
  }
  for (const path of ["/ui/login/signed-in", "/ui/account", "/ui/login/key", "/ui/login/verify-email?user=1&code=X"]) {
    await browser.open(path);
  }
  const consolePages = ["/ui/console", "/ui/console/", `/ui/console/users?id=${encodeURIComponent(say("id"))}`];
  for (const path of [...consolePages, "/ui/console/return?code=X&state=Y", "/ui/console/%3Cx"])
    await browser.open(path);
  await walkSetup(tour, setupCode);

  const stranger = tour.browser();
  const hint = { login_hint: say("hint"), state: say("state"), nonce: say("nonce") };
  const { page } = await visit(server, client, hint, stranger);
  const asked = await stranger.submit(page, { login_name: say("nobody") }, { action: "/ui/login" });
  await stranger.submit(asked, { password: tour.plant("refused password", "canary of nobody") });
  await stranger.submit(page, { login_name: "" }, { action: "/ui/login" });
  await stranger.open(`${page.address}&language=de`);
  await stranger.open("/ui/login?ui_locales=fr");
  await stranger.submit(await stranger.open("/ui/login/device"), { user_code: say("CODE") });
  await stranger.submit(page, {}, { headers: { origin: "https://elsewhere.example" } });
  await stranger.open(`/oauth/v2/authorize?client_id=${encodeURIComponent(say("client"))}`);
  await stranger.open(client.start({ redirect_uri: `https://elsewhere.example/${encodeURIComponent(say("x"))}` }).path);
  await stranger.open(client.start({ scope: say("scope"), prompt: "none", state: say("state") }).path);
  await stranger.open(client.start({ response_mode: "form_post", prompt: "none", state: say("state") }).path);
  for (const path of ["/oauth/v2/authorize", "/oidc/v1/end_session"]) {
    await stranger.send(path, { method: "POST", body: new URLSearchParams({ client_id: say("client") }) });
  }
  await stranger.open(`/oauth/v2/authorize/response?id=${encodeURIComponent(say("id"))}`);
  await stranger.open(`/oidc/v1/end_session?id_token_hint=${encodeURIComponent(say("hint"))}`);
  for (const path of ["/idps/callback", "/idps/callback/1"]) {
    await stranger.open(`${path}?state=${encodeURIComponent(say("s"))}&error=${encodeURIComponent(say("e"))}`);
  }
  await stranger.open(`/idps/jwt?authRequestID=${encodeURIComponent(say("s"))}`);
}

/** Makes the first administrator: only a user at the machine may, so without the headers of a proxy. */
async function walkSetup(tour: Tour, setupCode: string): Promise<void> {
  const { say } = tour;
  const browser = tour.browserHere();
  const setup = await browser.open("/ui/setup");
  const wrong = { given_name: say("Given"), family_name: say("Family"), email: say("m"), username: say("u") };
  await browser.submit(setup, { ...wrong, password: tour.plant("refused password", "canary of the setup") });
  const admin = { given_name: say("Given"), family_name: say("Family"), email: "root@mail.example", username: "root" };
  const password = tour.plant("password", "canary password of root");
  const repeated = { password, new_password_repeated: password, setup_code: tour.plant("setup code", setupCode) };
  const done = await browser.submit(await browser.open("/ui/setup"), { ...admin, ...repeated });
  assert.equal(done.address, "/ui/login/signed-in", done.html);
}

/** Makes accounts: by sign-up, and by invitation. */
export async function walkIn(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const client = await addClient(server, {}, say("Shop"));
  const browser = tour.browser();
  const { page } = await visit(server, client, { prompt: "create", login_hint: say("hint") }, browser);
  const password = tour.plant("password", "canary password of grace");
  const repeated = { password, new_password_repeated: password };
  const names = { given_name: say("Given"), family_name: say("Family") };
  const refused = await browser.submit(page, { ...names, ...repeated, email: say("grace@") });
  const asked = await browser.submit(refused, { ...names, ...repeated, email: "grace@mail.example" });
  await browser.submit(asked, {}, { action: "/send" });
  const verify = await openLink(tour, browser, "grace@mail.example");
  assert.match(verify.title, /^Confirm/, verify.html);
  await browser.submit(verify, { code: "WRONG1" });
  assert.match((await tour.browser().open(verify.address)).title, /^Continue where you started/);
  const back = await browser.submit(await browser.open(verify.address));
  assert.ok(isBack(back), back.html);
  tour.plant("authorization code", new URL(back.address).searchParams.get("code") ?? "");
  await walkForgotten(tour);
  await walkInvited(tour);
}

async function walkForgotten(tour: Tour): Promise<void> {
  const { server } = tour;
  const eve = await tour.somebody("eve");
  const browser = tour.browser();
  const { page } = await visit(server, await addClient(server, {}, tour.say("Shop")), {}, browser);
  const password = await browser.submit(page, { login_name: eve.loginName }, { action: "/ui/login" });
  const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
  const sent = await browser.submit(asked);
  assert.match(sent.title, /^Check your email/, sent.html);
  const wrong = await browser.submit(sent, { code: "WRONG1" }, { action: "/ui/login/forgotten/sent" });
  assert.notEqual(wrong.alert, undefined, wrong.html);
  const choose = await openLink(tour, browser, "eve@mail.example");
  await browser.submit(choose, { new_password: "short", new_password_repeated: "short" });
  const wanted = tour.plant("password", "canary password that eve chose");
  const set = await browser.submit(choose, { new_password: wanted, new_password_repeated: wanted });
  assert.match(set.address, /password-set/, set.html);
}

/** Accepts an invitation with an account at a provider: declines once, and goes there again. */
async function walkInvitedElsewhere(tour: Tour, browser: RecordingBrowser, invitation: ShownPage): Promise<void> {
  const { provider, say, idpId } = tour;
  provider.user = { sub: "invited", preferred_username: say("user"), email: "invited@provider.example" };
  const through = async (page: ShownPage): Promise<ShownPage> => {
    const away = await browser.submit(page, { provider: idpId });
    assert.ok(away.address.startsWith(`${provider.issuer}/authorize`), away.html);
    const back = provider.signIn(away.address);
    return browser.open(back.pathname + back.search);
  };
  const asked = await through(invitation);
  assert.match(asked.address, /\/invitation\/provider\?/, asked.html);
  const declined = await browser.submit(asked, { decision: "skip" });
  const again = await through(declined);
  assert.match((await browser.submit(again, { decision: "link" })).title, /Accounts linked/);
}

async function walkInvited(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const { organizationId } = server;
  const headers = { "x-service-orgid": organizationId };
  const browser = tour.browser();
  const make = async (username: string): Promise<string> => {
    const email = { email: `${username}@mail.example`, isVerified: true };
    const profile = { givenName: say("Given"), familyName: say("Family") };
    const made = await callUser(server, "CreateUser", { organizationId, username, human: { profile, email } });
    return made.id;
  };
  const invited = await make("invited");
  await callUser(server, "CreateInviteCode", { userId: invited, sendCode: { applicationName: say("Application") } });
  const invitation = await openLink(tour, browser, "invited@mail.example");
  assert.match(invitation.address, /\/invitation\?/);
  await browser.submit(invitation, { code: "WRONG1", new_password: "short" });
  await walkInvitedElsewhere(tour, browser, invitation);
  const profile = { firstName: say("Given"), lastName: say("Family") };
  const first = { userName: "first", profile, email: { email: "first@mail.example" } };
  const made = await server.rest("POST", "/management/v1/users/human", { body: first, headers });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const initialization = await openLink(tour, browser, "first@mail.example");
  assert.match(initialization.address, /\/initialization\?/);
  await browser.submit(initialization, { code: "WRONG1", new_password: "short" });
  const keyed = await make("keyed");
  await callUser(server, "CreatePasskeyRegistrationLink", { userId: keyed, sendLink: {} });
  const passkey = await openLink(tour, browser, "keyed@mail.example");
  assert.match(passkey.address, /\/passkey\?/);
  const create = await browser.submit(passkey, { passkeys: "1" });
  await browser.submit(create, { credential: "{}", key_name: say("Key") });
  await browser.open("/ui/login/passkey/done");
}

/** Signs in with more than a password, changes the password meanwhile, chooses accounts, and leaves. */
export async function walkFactors(tour: Tour): Promise<void> {
  const { server, say } = tour;
  const client = await addClient(server, {}, say("Shop"));
  const ada = await tour.somebody("factora");
  const secret = tour.plant("secret of an app", await addApp(server, ada, (made) => appCode(made, server.clock.now)));
  await callUser(server, "AddOTPEmail", { userId: ada.userId });
  const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: ada.userId, count: 3 });
  for (const code of recoveryCodes) tour.plant("recovery code", code);
  const browser = tour.browser();
  const visitor = await visit(server, client, {}, browser);
  const half = await enter(visitor, ada);
  assert.match(half.title, /^Enter the code from your app/, half.html);
  await browser.submit(half, { code: "000000" });
  const of = `?authRequest=${visitor.authRequestId}`;
  await browser.open(`/ui/login/methods${of}`);
  await browser.open(`/ui/login/second-factor${of}&by=recovery_codes`);
  const mail = await browser.open(`/ui/login/second-factor${of}&by=otp_email`);
  await browser.submit(mail, {}, { action: "/second-factor/send" });
  const [message] = await inboxOf(server, "factora@mail.example");
  tour.plant("code of a mail", message.code);
  const app = await browser.open(`/ui/login/second-factor${of}&by=totp`);
  const back = await browser.submit(app, { code: tour.plant("code of an app", appCode(secret, server.clock.now)) });
  assert.ok(isBack(back), back.html);

  const bob = await tour.somebody("bob", { changeRequired: true });
  // A sign-in of the same instant would be as new as the request asks for.
  server.clock.now += 1000;
  const second = await visit(server, client, { prompt: "login" }, browser);
  const change = await enter({ browser, page: second.page }, bob);
  assert.match(change.title, /^Choose a new password/, change.html);
  await browser.submit(change, { current_password: "wrong", new_password: "short", new_password_repeated: "other" });
  const wanted = tour.plant("password", "canary password that bob chose");
  const fields = { current_password: bob.password, new_password: wanted, new_password_repeated: wanted };
  assert.ok(isBack(await browser.submit(change, fields)));
  await walkAround(tour, browser, await tour.somebody("around"));
  await walkOffers(tour);
}

/** Two accounts in one browser. */
async function walkAround(
  tour: Tour,
  browser: RecordingBrowser,
  person: { readonly loginName: string; readonly password: string },
): Promise<void> {
  const { server } = tour;
  await signedIn(server, person, browser);
  await browser.open("/");
  await browser.open("/ui/login/signed-in");
  const waiting = await visit(
    server,
    await addClient(server, {}, tour.say("Shop")),
    { prompt: "select_account" },
    browser,
  );
  assert.match(waiting.page.title, /^Choose an account/, waiting.page.html);
  await browser.submit(waiting.page, {}, { action: "/accounts?" });
  server.clock.now += 1000;
  const again = await visit(server, await addClient(server, {}, tour.say("Shop")), { prompt: "login" }, browser);
  const third = await tour.somebody("third");
  await enter({ browser, page: await browser.open("/ui/login?account=other") }, third);
  await browser.submit(await browser.open(`/ui/login/continue?authRequest=${again.authRequestId}`));
  const list = await browser.open("/ui/login/accounts");
  await browser.submit(list, {}, { action: "/accounts/remove" });
  await browser.open("/oidc/v1/end_session");
  await browser.submit(await browser.open("/ui/logout"));
  await browser.open("/ui/logout/done");
}

/** Sets up a factor that is offered or required during a sign-in. */
async function walkOffers(tour: Tour): Promise<void> {
  const { server } = tour;
  await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 3600 });
  const dora = await tour.somebody("dora");
  const browser = tour.browser();
  const client = await addClient(server, {}, tour.say("Shop"));
  const { page, authRequestId } = await visit(server, client, {}, browser);
  const offer = await enter({ browser, page }, dora);
  assert.match(offer.title, /^Protect your account/, offer.html);
  const choose = (kind: string): ShownPage => ({
    ...offer,
    forms: offer.forms.filter(({ values }) => values.some(([, value]) => value === kind)),
  });
  const app = await browser.submit(choose("totp"));
  const shown = /<code>([A-Z2-7 ]+)<\/code>/.exec(app.html)?.[1] ?? "";
  tour.plant("secret of an app", shown.replaceAll(" ", ""));
  await browser.submit(app, { code: "000000" });
  const key = await browser.submit(choose("key"));
  assert.ok(hidden(key, "ticket"), key.html);
  await browser.submit(key, { credential: "{}" });
  const mail = await browser.submit(choose("otp_email"));
  await browser.submit(mail, { code: "WRONG1" });
  await browser.submit(mail, {}, { action: "/code/send" });
  const away = await browser.submit(offer, {}, { action: "/add-factor/skip" });
  assert.ok(isBack(away), `${authRequestId} ${away.html}`);
  await changeSettings(server, "login", { mfaInitSkipLifetimeSeconds: 0 });
  const keyed = await browser.open("/ui/login?account=other");
  const asked = /data-passkey-request="([^"]*)"/.exec(keyed.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  await browser.send(asked, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ csrf_token: hidden(keyed, "csrf_token") }),
  });
  await browser.submit(keyed, { credential: "{}" }, { action: "/ui/login/key" });
}
