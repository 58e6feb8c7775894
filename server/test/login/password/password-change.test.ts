import assert from "node:assert/strict";
import { addPerson, goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { encodeForm } from "../../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "../support/sign-in.ts";

const fresh = "a fresh and long sentence";
const form = (given: Record<string, string> = {}) => ({
  current_password: goodPassword,
  new_password: fresh,
  new_password_repeated: given["new_password"] ?? fresh,
  ...given,
});

serversInTurn((start, test, both) => {
  test("a password that an administrator set is replaced before anything else", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada", changeRequired: true });
    const client = await addClient(server);
    const { browser, page, authRequestId, codeVerifier } = await visit(server, client);
    const change = await enter({ browser, page }, ada);
    assert.match(change.html, /was temporary/);
    assert.match(change.html, /at least 12 characters/);
    assert.equal((await browser.open("/ui/login/signed-in")).address, "/ui/login", "not signed in yet");
    assert.match((await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`)).address, /^\/ui\/login\?/);
    const refusals: [Record<string, string>, RegExp][] = [
      [{ current_password: "wrong" }, /current password is wrong/],
      [{ new_password: "short" }, /at least 12 characters/],
      [{ new_password: "password1234" }, /easy to guess/],
      [{ new_password: goodPassword }, /same as the current/],
      [{ new_password_repeated: "another" }, /do not match/],
      [{ new_password: "" }, /at least 12 characters/],
    ];
    let current = change;
    for (const [given, sentence] of refusals) {
      current = await browser.submit(current, form(given));
      assert.match(current.alert ?? "", sentence, JSON.stringify(given));
      assert.doesNotMatch(current.html, new RegExp(`value="(${goodPassword}|${fresh})"`), "no password is sent back");
    }
    const back = await browser.submit(current, form());
    assert.ok(isBack(back), back.html);
    assert.equal((await client.exchange(back.address, codeVerifier)).status, 200);
    await signedIn(server, { ...ada, password: fresh });
    const old = await visit(server, client);
    assert.match((await enter(old, ada)).alert ?? "", /wrong/);
  });

  test("an expired password is replaced, and the new one has its full lifetime", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    await changeSettings(server, "password_expiry", { maxAgeDays: 30 });
    const client = await addClient(server);
    assert.ok(isBack(await enter(await visit(server, client), ada)));
    server.clock.now += 30 * 86_400_000;
    const visitor = await visit(server, client);
    const change = await enter(visitor, ada);
    assert.match(change.html, /has expired/);
    assert.ok(isBack(await visitor.browser.submit(change, form())));
    assert.ok(isBack(await enter(await visit(server, client), { ...ada, password: fresh })));
  });

  test("reaching the change page proves nothing: the attempt ends when the name changes, and after half an hour", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada", changeRequired: true });
    const { browser, page } = await visit(server, await addClient(server));
    const change = await enter({ browser, page }, ada);
    const name = await browser.open(change.address.replace("/password-change", ""));
    await browser.submit(name, { login_name: "somebody" });
    assert.match((await browser.open(change.address)).title, /^Enter your password/);
    const again = await browser.submit(await browser.open(name.address), { login_name: ada.loginName });
    const second = await browser.submit(again, { password: goodPassword });
    assert.match(second.title, /^Choose a new password/);
    server.clock.now += 31 * 60_000;
    assert.match((await browser.submit(second, form())).title, /This sign-in has expired/);
  });

  both("a change that was sent twice succeeds", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    for (const order of ["at once", "one after the other"]) {
      const person = await addPerson(server, { username: order.replaceAll(" ", "-"), changeRequired: true });
      const visitor = await visit(server, client);
      const change = await enter(visitor, person);
      const tabs = [visitor.browser.copy(), visitor.browser.copy()];
      const sent = change.forms[0] ?? assert.fail();
      const send = (tab: (typeof tabs)[number]) =>
        tab.send(sent.action, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: encodeForm(sent, form()),
        });
      if (order === "at once") await Promise.all(tabs.map(send));
      else for (const tab of tabs) await send(tab);
      const ends = await Promise.all(
        tabs.map((tab) => tab.open(`/oauth/v2/authorize/callback?id=${visitor.authRequestId}`)),
      );
      assert.equal(ends.filter(isBack).length, 1, order);
    }
  });
});
