import assert from "node:assert/strict";
import { test } from "node:test";
import { callUser, inboxOf } from "../../server/test/factor/support.ts";
import { etagOf } from "../../server/test/support/oidc/trust.ts";
import { addOrganization, addPerson, type Person } from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import { appCode } from "../../server/test/support/sign-in/totp.ts";
import { answerOf, type LoginApp, startLoginApp, visitorOf } from "../support/login-app.ts";

async function addTotp(app: LoginApp, { userId }: Person): Promise<() => string> {
  const { server } = app;
  const { secret } = await callUser(server, "RegisterTOTP", { userId });
  await callUser(server, "VerifyTOTPRegistration", { userId, code: appCode(secret, server.clock.now) });
  server.clock.now += 60_000;
  return () => appCode(secret, server.clock.now);
}

test("the example login signs users in without JavaScript, whatever steps their sign-in takes", async (t) => {
  const app = await startLoginApp(t);
  const { server } = app;
  const ada = await addPerson(server, { username: "ada.login" });

  await t.test("name and password; a failure does not say whether the user exists", async () => {
    const { start, name, password } = visitorOf(app);
    const asked = await name(await start({ login_hint: ada.loginName }), "");
    assert.match(asked.html, /Email or username/);
    const failures = await Promise.all(
      [ada.loginName, "nobody@nowhere.example"].map(async (who) => {
        const visitor = visitorOf(app);
        const failed = await visitor.password(await visitor.name(await visitor.start(), who), "not the password");
        return [
          failed.status,
          failed.alert,
          failed.html.replaceAll(who, "").replace(/value="[^"]*"|attempt=[\w-]+/g, ""),
        ];
      }),
    );
    assert.deepEqual(failures[0], failures[1]);
    assert.equal(failures[0]?.[1], "The login name or the password is wrong.");
    assert.equal(answerOf(await password(await name(asked, ada.loginName), ada.password)), "code");
  });

  await t.test("a second factor by its code, which works once", async () => {
    const grace = await addPerson(server, { username: "grace" });
    const code = await addTotp(app, grace);
    const { browser, signIn } = visitorOf(app);
    const asked = await signIn(grace);
    assert.match(asked.html, /<h1>Authenticator app<\/h1>/);
    const wrong = await browser.submit(asked, { code: "000000" }, { action: "/second-factor" });
    assert.equal(wrong.alert, "The code is wrong, or it has been used.");
    const used = code();
    assert.equal(answerOf(await browser.submit(wrong, { code: used }, { action: "/second-factor" })), "code");
    const other = visitorOf(app);
    const again = await other.browser.submit(await other.signIn(grace), { code: used }, { action: "/second-factor" });
    assert.equal(again.alert, "The code is wrong, or it has been used.");
  });

  await t.test("a code by mail, whose link leads back here", async () => {
    await changeSettings(server, "login", { secondFactors: ["totp", "u2f", "otp_email", "recovery_codes"] });
    const mary = await addPerson(server, { username: "mary" });
    await callUser(server, "AddOTPEmail", { userId: mary.userId });
    const { recoveryCodes } = await callUser(server, "GenerateRecoveryCodes", { userId: mary.userId, count: 1 });
    server.clock.now += 60_000;
    const { browser, signIn } = visitorOf(app);
    const asked = await signIn(mary);
    assert.match(asked.html, /<h1>Code by email<\/h1>/);
    const [mail] = await inboxOf(server, "mary@mail.example");
    const code = /\b[A-Z0-9]{6,8}\b/.exec(mail.code ?? mail.text)?.[0] ?? "";
    assert.equal(answerOf(await browser.submit(asked, { code }, { action: "/second-factor" })), "code", mail.text);
    const other = visitorOf(app);
    const choose = await other.signIn(mary);
    const recovery = choose.forms.find(({ values }) => values.some(([, value]) => value === "recoveryCode"));
    assert.ok(recovery);
    const page = await other.browser.submit({ ...choose, forms: [recovery] });
    const [recoveryCode] = recoveryCodes;
    const done = await other.browser.submit(page, { code: recoveryCode }, { action: "/second-factor" });
    assert.equal(answerOf(done), "code", done.html);
  });

  await t.test("a required second factor that is missing is set up", async () => {
    const tess = await addPerson(server, { username: "tess" });
    const { browser, signIn } = visitorOf(app);
    await changeSettings(server, "login", { forceMfa: true });
    try {
      const page = await signIn(tess);
      assert.match(page.html, /Set up an authenticator app/);
      const secret = /<code id="secret">(\w+)</.exec(page.html)?.[1] ?? "";
      const codes = [0, 1].map((steps) => appCode(secret, server.clock.now, steps));
      const added = await browser.submit(page, { code: codes[0] ?? "" }, { action: "/set-up" });
      server.clock.now += 30_000;
      assert.equal(
        answerOf(await browser.submit(added, { code: codes[1] ?? "" }, { action: "/second-factor" })),
        "code",
      );
      const thief = visitorOf(app);
      const stopped = await thief.signIn(tess);
      const attempt = new URL(stopped.address, app.login).searchParams.get("attempt");
      const around = await thief.browser.open(`/second-factor/set-up?attempt=${attempt}`);
      assert.match(around.html, /There is a second factor already/);
    } finally {
      await changeSettings(server, "login", { forceMfa: false });
    }
  });

  await t.test(
    "codes by mail or text message are set up where no app is allowed; keys alone are not enough to continue",
    async () => {
      const rose = await addPerson(server, { username: "rose" });
      await callUser(server, "SetPhone", { userId: rose.userId, phone: "+41791234567", isVerified: true });
      await changeSettings(server, "login", { forceMfa: true, secondFactors: ["u2f"] });
      try {
        const stuck = await visitorOf(app).signIn(rose);
        assert.match(stuck.alert ?? "", /a second factor that cannot be set up here/);
        await changeSettings(server, "login", { secondFactors: ["otp_email", "otp_sms", "u2f"] });
        const { browser, signIn } = visitorOf(app);
        const page = await signIn(rose);
        assert.match(page.html, /<h1>Set up a second factor<\/h1>/);
        assert.doesNotMatch(page.html, /authenticator app/);
        const actions = page.forms.map(({ action, values }) => [
          action,
          values.find(([field]) => field === "kind")?.[1],
        ]);
        const offered = actions.filter(([action]) => action === "/second-factor/set-up/code").map(([, kind]) => kind);
        assert.deepEqual(offered, ["otpSms", "otpEmail"]);
        const mail = page.forms.filter(({ values }) => values.some(([, value]) => value === "otpEmail"));
        const asked = await browser.submit({ ...page, forms: mail });
        assert.match(asked.html, /<h1>Code by email<\/h1>/);
        const [sent] = await inboxOf(server, "rose@mail.example");
        const wrong = await browser.submit(asked, { code: "00000000" }, { action: "/second-factor" });
        assert.match(wrong.alert ?? "", /code is wrong/);
        const code = /\b[A-Z0-9]{6,8}\b/.exec(sent.code ?? sent.text)?.[0] ?? "";
        assert.equal(answerOf(await browser.submit(wrong, { code }, { action: "/second-factor" })), "code");
        // A user with a second factor cannot get past it by adding another.
        const thief = visitorOf(app);
        const stopped = await thief.signIn(rose);
        const texts = page.forms.filter(({ values }) => values.some(([, value]) => value === "otpSms"));
        const token = stopped.forms[0]?.values.filter(([field]) => field === "csrf" || field === "attempt") ?? [];
        const forged = { ...stopped, forms: texts.map(({ action }) => ({ action, values: token })) };
        assert.match((await thief.browser.submit(forged, { kind: "otpSms" })).html, /There is a second factor already/);
      } finally {
        const secondFactors = ["totp", "u2f", "otp_email", "recovery_codes"] as const;
        await changeSettings(server, "login", { forceMfa: false, secondFactors });
      }
    },
  );

  await t.test("a password set by an administrator is replaced", async () => {
    const fay = await addPerson(server, { username: "fay", changeRequired: true });
    const { browser, signIn } = visitorOf(app);
    const page = await signIn(fay);
    assert.match(page.html, /Your password has to be replaced/);
    const weak = await browser.submit(page, { password: fay.password, newPassword: "short" });
    assert.ok(weak.alert);
    const chosen = "a sentence that fay has chosen";
    assert.equal(answerOf(await browser.submit(weak, { password: fay.password, newPassword: chosen })), "code");
  });

  await t.test("every prompt is honored, and canceling tells the application", async () => {
    const { browser, start, signIn, name, password } = visitorOf(app);
    assert.equal(answerOf(await start({ prompt: "none" })), "login_required");
    assert.equal(answerOf(await signIn(ada)), "code");
    assert.equal(answerOf(await start()), "code", "one session answers without a page");
    assert.equal(answerOf(await start({ prompt: "none" })), "code");
    const anew = await start({ prompt: "login" });
    assert.match(anew.html, /Email or username/);
    assert.equal(answerOf(await password(await name(anew, ada.loginName), ada.password)), "code");
    const choice = await start({ prompt: "select_account" });
    assert.match(choice.html, /Choose an account/);
    assert.equal(answerOf(await browser.submit(choice, {}, { action: "/accounts" })), "code");
    const create = await start({ prompt: "create" });
    assert.match(create.html, /Create an account/);
    assert.equal(answerOf(await browser.submit(create, {}, { action: "/cancel" })), "access_denied");
    const bob = await addPerson(server, { username: "bob.login" });
    const other = await browser.open(
      (await start({ prompt: "select_account" })).html.match(/\/name\?attempt=[\w-]+/)?.[0] ?? "",
    );
    assert.equal(answerOf(await password(await name(other, bob.loginName), bob.password)), "code");
    assert.equal(answerOf(await start({ prompt: "none" })), "account_selection_required");
    assert.equal(answerOf(await start({ prompt: "none", login_hint: bob.loginName })), "code");
    const out = await browser.open(`/logout?post_logout_redirect=${encodeURIComponent(`${app.shop}/`)}`);
    const done = await browser.submit(out);
    assert.match(done.html, /You are signed out[\s\S]*Go on to localhost/);
    assert.equal(answerOf(await start({ prompt: "none" })), "login_required");
  });

  await t.test("consent for an unapproved application is asked for once", async () => {
    const { applicationId } = app.client;
    const change = async (consentRequired: boolean) =>
      server.connect("service.application.v2.ApplicationService/UpdateApplication", {
        projectId: server.projectId,
        applicationId,
        etag: await etagOf(server, applicationId),
        oidcConfiguration: { consentRequired },
      });
    assert.equal((await change(true)).status, 200);
    const { browser, start, signIn } = visitorOf(app);
    const asked = await signIn(ada, { scope: "openid email" });
    assert.match(asked.html, /Allow access\?[\s\S]*openid email/);
    assert.equal(answerOf(await browser.submit(asked, {}, { action: "/cancel" })), "access_denied");
    assert.equal(answerOf(await start({ prompt: "none" })), "consent_required");
    const again = await start();
    assert.match(again.html, /Allow access\?/);
    assert.equal(answerOf(await browser.submit(again, {}, { action: "/consent" })), "code");
    assert.equal((await change(false)).status, 200);
  });

  await t.test("an account is made, confirmed, and its forgotten password replaced", async () => {
    const { browser, start } = visitorOf(app);
    const page = await start({ prompt: "create" });
    const fields = {
      givenName: "Nia",
      familyName: "New",
      email: "nia@mail.example",
      newPassword: "a sentence of nia's own",
    };
    assert.equal(answerOf(await browser.submit(page, fields, { action: "/register" })), "code");
    const linkIn = async () => {
      const [mail] = await inboxOf(server, "nia@mail.example");
      const link = new RegExp(`${app.login}/[^\\s"<\\\\]+`).exec(JSON.stringify(mail))?.[0] ?? "";
      assert.ok(link, JSON.stringify(mail));
      return new URL(link.replaceAll("&amp;", "&"));
    };
    const confirm = await linkIn();
    const confirmed = await browser.submit(await browser.open(confirm.pathname + confirm.search));
    assert.equal(confirmed.address, "/verified");
    const stranger = visitorOf(app);
    const named = await stranger.name(await stranger.start(), fields.email);
    const forgotten = await stranger.browser.open(/\/password\/forgotten\?attempt=[\w-]+/.exec(named.html)?.[0] ?? "");
    const sent = await stranger.browser.submit(
      forgotten,
      { loginName: fields.email },
      { action: "/password/forgotten" },
    );
    assert.match(sent.html, /If there is such an account/);
    const reset = await linkIn();
    const saved = await browser.submit(await browser.open(reset.pathname + reset.search), {
      newPassword: "another sentence of nia's",
    });
    assert.equal(saved.address, "/password/saved");
    const back = await stranger.signIn({ ...ada, loginName: fields.email, password: "another sentence of nia's" });
    assert.equal(answerOf(back), "code");
  });

  await t.test("a user who may not sign in sees the same message as for a wrong password", async () => {
    const lou = await addPerson(server, { username: "lou" });
    await callUser(server, "LockUser", { userId: lou.userId });
    assert.equal((await visitorOf(app).signIn(lou)).alert, "The login name or the password is wrong.");
    const other = await addOrganization(server, "Other");
    const foreign = await visitorOf(app).signIn(ada, { scope: `openid urn:service:iam:org:id:${other}` });
    assert.match(foreign.alert ?? "", /expects another account/);
  });

  await t.test("only its own forms and cookies are accepted", async () => {
    const ada = await addPerson(server, { username: "cookie.ada" });
    const mine = visitorOf(app);
    const page = await mine.start();
    const [cookie = ""] = (await mine.browser.send("/device")).headers.getSetCookie();
    assert.match(cookie, /^login=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const refused = [
      await mine.browser.submit(page, { csrf: "guess", loginName: "x" }),
      await mine.browser.submit(page, { loginName: "x" }, { headers: { "sec-fetch-site": "cross-site" } }),
      await visitorOf(app).browser.submit(page, { loginName: "x" }),
    ];
    for (const one of refused) assert.equal(one.status, 400);
    assert.equal(answerOf(await mine.signIn(ada)), "code");

    // Another browser: neither a changed cookie, nor the first browser's sign-in or session, is of use there.
    const other = visitorOf(app);
    const sealed = mine.browser.cookies.get("login") ?? "";
    other.browser.cookies.set("login", `${sealed.slice(0, -4)}AAAA`);
    assert.equal(answerOf(await other.start({ prompt: "none" })), "login_required");
    const { sessions } = (await server.rest("POST", "/v2/sessions/search", { body: {}, token: server.loginToken }))
      .body;
    const own = await other.start({ prompt: "select_account" });
    const planted = await other.browser.submit(own, { session: sessions[0].id, loginName: "" }, { action: "/name" });
    assert.ok(!planted.address.includes("code="));
    const dead = await other.browser.open(
      new URL(page.address, app.login).pathname + new URL(page.address, app.login).search,
    );
    assert.equal(dead.status, 400);
    // What went to pages and logs: never the token of the service account, never that of a session.
    assert.ok(![page.html, sealed, own.html].some((text) => text.includes(server.loginToken) || text.includes("dws_")));
  });

  await t.test("its token may do what a login needs, and little else", async () => {
    const ada = await addPerson(server, { username: "token.ada" });
    const { userId } = ada;
    const ask = async (method: string, body: object) =>
      (await server.connect(`service.${method}`, body, { token: server.loginToken })).status;
    const organizationId = server.organizationId;
    const needed: readonly (readonly [string, object])[] = [
      ["settings.v2.SettingsService/GetLoginSettings", {}],
      ["settings.v2.SettingsService/GetActiveIdentityProviders", {}],
      ["settings.v2.SettingsService/GetPasswordExpirySettings", {}],
      ["settings.v2.SettingsService/GetLegalAndSupportSettings", {}],
      ["user.v2.UserService/ListAuthenticationMethodTypes", { userId }],
      ["user.v2.UserService/GetUserByID", { userId }],
      ["user.v2.UserService/PasswordReset", { userId, sendLink: {} }],
      ["session.v2.SessionService/ListSessions", {}],
      ["session.v2.SessionService/CreateSession", { checks: { user: { userId } } }],
    ];
    for (const [method, body] of needed) assert.equal(await ask(method, body), 200, method);
    const foreign: readonly (readonly [string, object])[] = [
      ["user.v2.UserService/DeleteUser", { userId }],
      // Without a proof of the user: a code that is returned opens the account (A14).
      ["user.v2.UserService/PasswordReset", { userId, returnCode: {} }],
      ["user.v2.UserService/RegisterTOTP", { userId }],
      ["org.v2.OrganizationService/AddOrganization", { name: "Mine" }],
      ["org.v2.OrganizationService/DeleteOrganization", { organizationId }],
      ["project.v2.ProjectService/CreateProject", { organizationId, name: "Mine" }],
      ["project.v2.ProjectService/DeleteProject", { projectId: server.projectId }],
      [
        "application.v2.ApplicationService/DeleteApplication",
        { applicationId: server.client.applicationId, projectId: server.projectId },
      ],
      [
        "application.v2.ApplicationService/GenerateClientSecret",
        { applicationId: server.client.applicationId, projectId: server.projectId },
      ],
      ["settings.v2.SettingsService/SetSecuritySettings", {}],
      ["feature.v2.FeatureService/SetInstanceFeatures", { loginV2: { required: false } }],
      [
        "internal_permission.v2.InternalPermissionService/CreateAdministrator",
        { userId, resource: { instance: true }, roles: ["IAM_OWNER"] },
      ],
      [
        "action.v2.ActionService/CreateTarget",
        { name: "x", restWebhook: {}, timeout: "1s", endpoint: "https://x.example" },
      ],
    ];
    for (const [method, body] of foreign) assert.equal(await ask(method, body), 403, method);
  });
});
