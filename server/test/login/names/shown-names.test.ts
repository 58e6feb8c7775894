import assert from "node:assert/strict";
import { test } from "node:test";
import { markAmbiguous, shownLoginName } from "../../../src/base/names/shown-login-name.ts";
import { inboxOf } from "../../factor/support.ts";
import { addOrganization, goodPassword } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";
import { confirm, grace } from "../support/sign-up.ts";

test("a login name is shown without the suffix behind an address, except where two would be alike (U7)", () => {
  assert.equal(shownLoginName("eva@acme.test@doorward.localhost"), "eva@acme.test");
  assert.equal(shownLoginName("eva@doorward.localhost"), "eva@doorward.localhost");
  assert.equal(shownLoginName("eva"), "eva");
  const names = ["eva@acme.test@one.localhost", "eva@acme.test@two.localhost", "bob@acme.test@one.localhost"];
  const marked = markAmbiguous(names.map((loginName) => ({ loginName })));
  assert.deepEqual(
    marked.map(({ isAmbiguous }) => isAmbiguous),
    [true, true, false],
  );
});

serversInTurn((start, test) => {
  test("self-registered users are called by their address in pages and messages (U7)", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const { browser, page } = await visit(server, client, { prompt: "create" });
    assert.ok(isBack(await confirm(server, browser, await browser.submit(page, grace))));
    const whole = `${grace.email}@doorward.localhost`;
    for (const path of [
      "/ui/account",
      "/ui/account/profile",
      "/ui/account/password",
      "/ui/login/signed-in",
      "/ui/login/accounts",
      "/ui/logout",
    ]) {
      const { html, status } = await browser.open(path);
      assert.equal(status, 200, path);
      assert.ok(html.includes(grace.email), path);
      assert.ok(!html.includes(whole), path);
    }
    const other = await new TestBrowser(server).open("/ui/login");
    assert.match(other.title, /Sign in/);
    // The whole name, which applications know, works as well.
    for (const loginName of [grace.email, whole]) {
      const again = await visit(server, client);
      assert.ok(isBack(await enter(again, { loginName, password: goodPassword })), loginName);
    }
    const asked = await visit(server, client);
    const password = await asked.browser.submit(asked.page, { login_name: whole });
    assert.ok(!/<span[^>]*>[^<]*@doorward\.localhost/.test(password.html), "what was entered is shown like the rest");
    const forgotten = await asked.browser.open(password.address.replace("/password?", "/forgotten?"));
    await asked.browser.submit(forgotten, {});
    const [message] = await inboxOf(server, grace.email);
    assert.ok(message !== undefined && !message.text.includes(whole), message?.text);
  });

  test("two accounts that would look alike are told apart by their whole login names (U7)", async (t) => {
    const server = await start(t);
    const browser = new TestBrowser(server);
    const address = "eva@acme.test";
    for (const name of ["One", "Two"]) {
      const { status } = await server.connect("service.user.v2.UserService/CreateUser", {
        organizationId: await addOrganization(server, name),
        username: address,
        human: {
          profile: { givenName: "Eva", familyName: "Example" },
          email: { email: address, isVerified: true },
          password: { password: goodPassword },
        },
      });
      assert.equal(status, 200);
      await signedIn(
        server,
        { loginName: `${address}@${name.toLowerCase()}.localhost`, password: goodPassword },
        browser,
      );
    }
    const { html } = await browser.open("/ui/login/accounts");
    for (const host of ["one.localhost", "two.localhost"]) assert.ok(html.includes(`${address}@${host}`), html);
  });

  test("a name whose short form could pass for another user's is shown whole (A16)", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const address = "eva@acme.test";
    const password = { password: goodPassword, changeRequired: true };
    for (const name of ["One", "Two"]) {
      const human = { profile: { givenName: "Eva", familyName: "Example" }, email: { email: address }, password };
      const body = { organizationId: await addOrganization(server, name), username: address, human };
      assert.equal((await server.connect("service.user.v2.UserService/CreateUser", body)).status, 200);
      server.clock.now += 1000;
    }
    const isShown = ({ html }: ShownPage, name: string): boolean => html.includes(`<bdi>${name}</bdi></span>`);
    const named = async (loginName: string, parameters: Record<string, string> = {}) => {
      const { browser, page } = await visit(server, client, parameters);
      const asked = await browser.submit(page, { login_name: loginName }, { action: "/ui/login" });
      return { browser, asked };
    };
    for (const whole of [`${address}@one.localhost`, `${address}@two.localhost`, "unknown@acme.test@one.localhost"]) {
      const { browser, asked } = await named(whole);
      assert.ok(isShown(asked, whole), `${whole}: nothing depends on who has a name`);
      const proven = await browser.submit(asked, { password: goodPassword });
      if (whole.startsWith("unknown")) continue;
      // The user of One has the address as a name.
      const isOne = whole.endsWith("one.localhost");
      assert.ok(proven.address.startsWith("/ui/login/password-change"), proven.address);
      assert.ok(isShown(proven, isOne ? address : whole), whole);
    }
    const ofDefault = "eva@other.test@doorward.localhost";
    assert.ok(isShown((await named(ofDefault)).asked, "eva@other.test"));
    assert.ok(isShown((await named(ofDefault, { login_hint: ofDefault })).asked, ofDefault), "a link filled it in");
  });
});
