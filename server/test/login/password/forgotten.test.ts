import assert from "node:assert/strict";
import { inboxOf } from "../../factor/support.ts";
import { addPerson } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { enter, isBack, visit } from "../support/sign-in.ts";

const newPassword = "an entirely different sentence";

serversInTurn((start, test, both) => {
  both("a user who forgot the password gets a message, chooses another with its link, and signs in", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const toForgotten = async () => {
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: ada.loginName });
      assert.match(password.html, /Forgot your password\?/);
      return { browser, asked: await browser.open(password.address.replace("/password?", "/forgotten?")) };
    };
    const impatient = await Promise.all([toForgotten(), toForgotten(), toForgotten(), toForgotten()]);
    const sent = await Promise.all(impatient.map(({ browser, asked }) => browser.submit(asked, {})));
    for (const { title } of sent) assert.match(title, /^Check your email/);
    const [{ browser, asked } = assert.fail()] = impatient;
    await browser.submit(asked, {});
    const [message, ...others] = await inboxOf(server, "ada@mail.example");
    assert.deepEqual(others, [], "one message, however often the button is pressed");
    const [link = ""] = /http:\/\/\S*password-reset\S*/.exec(message.text) ?? [];
    const { pathname, search } = new URL(link);
    const choose = await browser.open(pathname + search);
    const fields = { new_password: newPassword, new_password_repeated: newPassword };
    const refused = await browser.submit(choose, { ...fields, code: "WRONG1" });
    assert.match(refused.html, /<a href="\/ui\/login">Start again/, "a code that is not right is not the end");
    const done = await browser.submit(choose, fields);
    assert.match(done.address, /password-set/);
    const again = await visit(server, client);
    assert.ok(isBack(await enter(again, { loginName: ada.loginName, password: newPassword })));
  });

  both("the code is entered where the message was requested, which sends another one after a minute", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const toSent = async (loginName: string) => {
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: loginName });
      const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
      return { browser, sent: await browser.submit(asked, {}) };
    };
    const { browser, sent } = await toSent(ada.loginName);
    assert.match(sent.html, /data-wait="60"/);
    const [message = assert.fail()] = await inboxOf(server, "ada@mail.example");
    const code = /code=(\w+)/.exec(message.text)?.[1] ?? assert.fail(message.text);
    const wrong = await browser.submit(sent, { code: "WRONG1" }, { action: "/sent" });
    const stranger = await toSent("ada-of-nowhere");
    const unknown = await stranger.browser.submit(stranger.sent, { code }, { action: "/sent" });
    for (const { status, alert, title } of [wrong, unknown]) {
      assert.deepEqual([status, alert, title], [200, wrong.alert, wrong.title]);
      assert.match(alert ?? "", /not valid/);
    }
    const choose = await browser.submit(wrong, { code }, { action: "/sent" });
    assert.match(choose.title, /^Set a new password/);
    const fields = { new_password: newPassword, new_password_repeated: newPassword };
    assert.match((await browser.submit(choose, fields)).address, /password-set/);
    const used = await browser.submit(sent, { code }, { action: "/sent" });
    assert.match(used.alert ?? "", /not valid/, "a code works once");

    server.clock.now += 60_000;
    const later = await browser.open(sent.address);
    assert.doesNotMatch(later.html, /data-wait/);
    assert.match((await browser.submit(later, {}, { action: "/forgotten?" })).html, /data-wait="60"/);
    assert.equal((await inboxOf(server, "ada@mail.example")).length >= 2, true);
  });

  test("unknown names look the same, and settings can hide it", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const ada = await addPerson(server, { username: "ada" });
    const pages = [];
    for (const loginName of [ada.loginName, "ada-of-nowhere"]) {
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: loginName });
      const asked = await browser.open(password.address.replace("/password?", "/forgotten?"));
      const sent = await browser.submit(asked, {});
      const plain = (html: string): string =>
        html.replaceAll(loginName, "NAME").replace(/authRequest=[^"&]*|value="[^"]*"/g, "");
      pages.push([asked.status, plain(asked.html), sent.status, plain(sent.html)]);
    }
    assert.deepEqual(pages[0], pages[1]);
    await changeSettings(server, "login", { hidePasswordReset: true });
    const { browser, page } = await visit(server, client);
    const password = await browser.submit(page, { login_name: ada.loginName });
    assert.doesNotMatch(password.html, /Forgot your password/);
    const refused = await browser.open(password.address.replace("/password?", "/forgotten?"));
    assert.match(refused.title, /^Enter your password/);
  });
});
