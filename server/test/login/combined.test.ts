import assert from "node:assert/strict";
import { test } from "node:test";
import type { SignInState } from "../../src/domain/sign-in/index.ts";
import { addApp, inboxOf } from "../factor/support.ts";
import { addOrganization, addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { encodeForm, type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { isBack, visit } from "./support/sign-in.ts";

/** Returns what a stranger sees of a page, without what differs for every browser and the name that they typed. */
const seen = ({ status, html }: ShownPage, name: string): object => ({
  status,
  html: html
    .replaceAll(/name="csrf_token" value="[^"]*"/g, "")
    .replaceAll(/authRequest=\d+/g, "")
    .replaceAll(/<span class="avatar"[^>]*>[^<]*<\/span>/g, "")
    .replaceAll(name, "NAME"),
});

const both = (login_name: string, password: string) => ({ login_name, password });
const wrong = "a wrong password";

eachServer((start) => {
  test("where the settings say so, name and password are asked for on one page, in one form that managers fill", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const apart = await visit(server, client);
    assert.doesNotMatch(apart.page.html, /name="password"/, "the name first, unless settings say otherwise");
    // A password that the page did not ask for is ignored.
    const early = await apart.browser.submit(apart.page, both(ada.loginName, goodPassword));
    assert.match(early.title, /^Enter your password/);
    await changeSettings(server, "login", { layout: "combined" });
    const { browser, page, authRequestId } = await visit(server, client);
    assert.match(page.html, /name="login_name"[^>]*autocomplete="username webauthn"/);
    assert.match(page.html, /name="password"[^>]*autocomplete="current-password webauthn"/);
    assert.match(page.html, /data-passkey-request="[^"]+" data-autofill/);
    const refused = await browser.submit(page, both(ada.loginName, wrong));
    assert.match(refused.address, /^\/ui\/login\?/, "both can be mended where both were typed");
    assert.match(refused.alert ?? "", /username or password/i);
    assert.match(refused.html, /name="login_name"[^>]*value="ada@/, "the name is kept");
    assert.doesNotMatch(refused.html, /name="password"[^>]*value=/, "the password is not");
    const [form] = refused.forms;
    assert.ok(form);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const tabs = [browser, browser.copy()];
    const body = encodeForm(form, both("ada", goodPassword));
    await Promise.all(tabs.map((tab) => tab.send(form.action, { method: "POST", headers, body })));
    const ends = await Promise.all(tabs.map((tab) => tab.open(`/oauth/v2/authorize/callback?id=${authRequestId}`)));
    assert.equal(ends.filter(isBack).length, 1, "a form that is sent twice arrives once");
    const direct = new TestBrowser(server);
    const end = await direct.submit(await direct.open("/ui/login"), both("ada", goodPassword));
    assert.equal(end.address, "/ui/login/signed-in");
  });

  test("known and unknown names are answered alike, with a password and without", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "login", { layout: "combined" });
    await addPerson(server, { username: "normal" });
    const locked = await addPerson(server, { username: "locked" });
    await server.connect("service.user.v2.UserService/LockUser", { userId: locked.userId });
    await server.connect("service.user.v2.UserService/CreateUser", {
      organizationId: await addOrganization(server, "Elsewhere"),
      username: "passwordless",
      human: { profile: { givenName: "P", familyName: "L" }, email: { email: "p@mail.example", isVerified: true } },
    });
    const answers: object[] = [];
    for (const name of ["nobody", "normal", "locked", "passwordless", "two words"]) {
      const { browser, page } = await visit(server, client);
      const refused = await browser.submit(page, both(name, wrong));
      const onward = await browser.submit(refused, both(name, ""));
      assert.match(onward.title, /^Enter your password/, "without a password the other ways are shown");
      const forgotten = await browser.submit(await browser.open(onward.address.replace("/password?", "/forgotten?")));
      answers.push([refused, onward, forgotten].map((one) => seen(one, name)));
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const { browser, page } = await visit(server, client);
    const empty = await browser.submit(page, both("", goodPassword));
    assert.match(empty.alert ?? "", /Enter your email or username/);
  });

  test("a user who forgot the password gives a name, and the page says the same for each", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await changeSettings(server, "login", { layout: "combined" });
    await addPerson(server, { username: "ada" });
    const { browser, page } = await visit(server, client);
    const [, link = ""] = /href="([^"]*forgotten[^"]*)"/.exec(page.html) ?? [];
    const asked = await browser.open(link.replaceAll("&amp;", "&"));
    const unnamed = await browser.submit(asked, { login_name: "" });
    assert.match(unnamed.alert ?? "", /Enter your email or username/);
    const sent = await browser.submit(unnamed, { login_name: "ada" });
    assert.match(sent.title, /^Check your email/);
    assert.equal((await inboxOf(server, "ada@mail.example")).length, 1);
    await changeSettings(server, "login", { hidePasswordReset: true });
    const hidden = await visit(server, client);
    assert.doesNotMatch(hidden.page.html, /forgotten/);
    const closed = await hidden.browser.open(link.replace(/authRequest=\d+/, `authRequest=${hidden.authRequestId}`));
    assert.match(closed.title, /^Sign in/);
  });

  test("an organization has a layout of its own, which a request for it shows; resetting it brings the instance's back", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const organizationId = await addOrganization(server, "Acme");
    const headers = { "x-service-orgid": organizationId };
    const policy = "/management/v1/policies/login";
    const words = { passwordlessType: "PASSWORDLESS_TYPE_ALLOWED", allowUsernamePassword: true };
    const secondFactors = ["SECOND_FACTOR_TYPE_OTP"];
    const add = { body: { ...words, secondFactors, layout: "LOGIN_LAYOUT_COMBINED" }, headers };
    assert.equal((await server.rest("POST", policy, add)).status, 200);
    // A caller that does not know layouts leaves them alone.
    assert.equal((await server.rest("PUT", policy, { body: { ...words, forceMfa: true }, headers })).status, 200);
    const told = await server.rest("GET", policy, { headers });
    assert.equal((told.body["policy"] as { layout?: string }).layout, "LOGIN_LAYOUT_COMBINED");
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    assert.match((await visit(server, client, { scope })).page.html, /name="password"/);
    assert.doesNotMatch((await visit(server, client)).page.html, /name="password"/);
    assert.equal((await server.rest("DELETE", policy, { headers })).status, 200);
    assert.doesNotMatch((await visit(server, client, { scope })).page.html, /name="password"/);
    const instance = { body: { ...words, layout: "LOGIN_LAYOUT_COMBINED" } };
    assert.equal((await server.rest("PUT", "/admin/v1/policies/login", instance)).status, 200);
    assert.match((await visit(server, client)).page.html, /name="password"/);
    const { body } = await server.rest("GET", "/v2/settings/login");
    assert.equal((body["settings"] as { layout?: string }).layout, "LOGIN_LAYOUT_COMBINED");
  });

  test("name and password lead to the same place as on two pages, and no user is signed in before the last step", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ends: Partial<Record<SignInState, RegExp>> = {
      second_factor: /^Enter the code from your app/,
      change_required: /^Choose a new password/,
      second_factor_setup: /^Protect your account/,
    };
    for (const [state, title] of Object.entries(ends)) {
      const username = state.replaceAll("_", "-");
      const person = await addPerson(server, { username, changeRequired: state === "change_required" });
      if (state === "second_factor") await addApp(server, person, (made) => appCode(made, server.clock.now));
      await changeSettings(server, "login", { layout: "combined", forceMfa: state === "second_factor_setup" });
      const { browser, page, authRequestId } = await visit(server, client);
      assert.match((await browser.submit(page, both(username, goodPassword))).title, title, state);
      assert.notEqual((await browser.open("/ui/login/signed-in")).address, "/ui/login/signed-in", state);
      // From there both can be entered again, and lead to the same page.
      const again = await browser.open(`/ui/login?authRequest=${authRequestId}`);
      const failed = await browser.submit(again, both(username, wrong));
      assert.match(failed.alert ?? "", /username or password/i);
      assert.match((await browser.submit(failed, both(username, goodPassword))).title, title, state);
    }
  });
});
