import assert from "node:assert/strict";
import { inboxOf } from "../../factor/support.ts";
import { countStatements } from "../../support/databases/counted-statements.ts";
import { addPerson } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

const newPassword = "an entirely different sentence";
const chosen = { new_password: newPassword, new_password_repeated: newPassword };
const guesses = ["QQQQ01", "QQQQ02", "QQQQ03", "QQQQ04", "QQQQ05"];
const behindProxy = { config: { trustedProxies: ["127.0.0.0/8"] } };

/** Asks for a message for a new password, in a browser of its own. */
async function ask(server: TestServer, client: SignInClient, { loginName = "", from = "198.51.100.1" }) {
  const headers = { "x-forwarded-for": from };
  const browser = new TestBrowser(server);
  const page = await browser.open(client.start().path, headers);
  const password = await browser.submit(page, { login_name: loginName }, { headers });
  const asked = await browser.open(password.address.replace("/password?", "/forgotten?"), headers);
  const sent = await browser.submit(asked, {}, { headers });
  return { browser, sent, type: (code: string) => browser.submit(sent, { code }, { action: "/sent", headers }) };
}

async function readMessage(server: TestServer) {
  const text = (await inboxOf(server, "ada@mail.example")).at(0)?.text ?? "";
  const code = /code=(\w+)/.exec(text)?.[1] ?? assert.fail(text);
  const { pathname, search } = new URL(/http:\/\/\S*password-reset\S*/.exec(text)?.[0] ?? assert.fail(text));
  return { code, link: pathname + search };
}

serversInTurn((start, test, both) => {
  const formats = {
    "of the usual format": undefined,
    "of eight digits": { length: 8, expiry: "3600s", includeDigits: true },
  };
  for (const [what, format] of Object.entries(formats)) {
    both(`strangers who know a name end neither the code nor the link: ${what}`, async (t) => {
      const server = await start(t, behindProxy);
      const client = await addClient(server);
      if (format !== undefined) {
        const path = "/admin/v1/secretgenerators/SECRET_GENERATOR_TYPE_PASSWORD_RESET_CODE";
        assert.equal((await server.rest("PUT", path, { body: format })).status, 200);
      }
      const { loginName } = await addPerson(server, { username: "ada" });
      const ada = await ask(server, client, { loginName });
      const { code, link } = await readMessage(server);
      for (let source = 1; source <= 21; source++) {
        const stranger = await ask(server, client, { loginName, from: `203.0.${source}.9` });
        for (const guess of guesses) assert.match((await stranger.type(guess)).alert ?? "", /not valid/);
      }
      assert.match((await ada.type(code)).title, /^Set a new password/, "the code, where it was asked for");
      const byLink = await new TestBrowser(server).open(link);
      assert.doesNotMatch(byLink.html, /not valid/);
      assert.match((await ada.browser.submit(await ada.type(code), chosen)).address, /password-set/);
    });
  }

  both("nor a code that an administrator has", async (t) => {
    const server = await start(t, behindProxy);
    const client = await addClient(server);
    const { loginName, userId } = await addPerson(server, { username: "ada" });
    const users = "service.user.v2.UserService";
    const { verificationCode } = (await server.connect(`${users}/PasswordReset`, { userId, returnCode: {} })).body;
    // Five blocks of IPv6, four networks each; within a minute, so that no message replaces the code.
    for (let number = 0; number < 20; number++) {
      const from = `2001:db8:${(number >> 2) + 1}:${(number & 3) + 1}::1`;
      const stranger = await ask(server, client, { loginName, from });
      for (const guess of guesses) await stranger.type(guess);
    }
    const set = { userId, newPassword: { password: newPassword }, verificationCode };
    assert.equal((await server.connect(`${users}/SetPassword`, set)).status, 200);
  });

  both("a code is typed only in the attempt that asked for its message, for its user, five times", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    const { loginName } = await addPerson(server, { username: "ada" });
    const eva = await addPerson(server, { username: "eva" });
    const ada = await ask(server, client, { loginName });
    const { code, link } = await readMessage(server);
    const other = await ask(server, client, { loginName });
    assert.match((await other.type(code)).alert ?? "", /not valid/, "another browser, even with the right code");

    // Pressed again, the attempt keeps its code.
    const pressed = await ada.browser.submit(ada.sent, {}, { action: "/forgotten?" });
    assert.match((await ada.browser.submit(pressed, { code }, { action: "/sent" })).title, /^Set a new password/);
    for (const guess of guesses) await ada.type(guess);
    assert.match((await ada.type(code)).alert ?? "", /not valid/, "after five guesses");
    assert.match((await new TestBrowser(server).open(link)).title, /^Set a new password/);

    server.clock.now += 61_000;
    const again = await ada.browser.submit(await ada.browser.open(ada.sent.address), {}, { action: "/forgotten?" });
    const newer = await readMessage(server);
    assert.notEqual(newer.code, code);
    const old = await ada.browser.submit(again, { code }, { action: "/sent" });
    assert.match(old.alert ?? "", /not valid/);
    const right = await ada.browser.submit(again, { code: newer.code }, { action: "/sent" });
    assert.match(right.title, /^Set a new password/);

    // The attempt goes on with another name: the code is not that user's, and no guess at theirs.
    const beginning = await ada.browser.open(ada.sent.address.replace("/forgotten/sent?", "?"));
    const named = await ada.browser.submit(beginning, { login_name: eva.loginName });
    const asked = await ada.browser.open(named.address.replace("/password?", "/forgotten?"));
    const ofEva = await ada.browser.submit(asked, {});
    const wrong = await ada.browser.submit(ofEva, { code: newer.code }, { action: "/sent" });
    assert.match(wrong.alert ?? "", /not valid/);
  });

  test("a wrong code takes the same statements for known and unknown names, however many there are", async (t) => {
    const server = await start(t);
    const client = await addClient(server);
    await addPerson(server, { username: "person-0" });
    const counted = countStatements(server.app.domain.database);
    const sentFor = async (loginName: string) => {
      server.clock.now += 3_600_000;
      const { type } = await ask(server, client, { loginName });
      const statements: string[][] = [];
      for (const guess of [...guesses, "QQQQ06", "QQQQ07"]) statements.push(await counted.during(() => type(guess)));
      // Messages are delivered beside requests.
      return statements.map((all) => all.filter((each) => !each.includes("notifications")));
    };
    await sentFor("person-0");
    const known = await sentFor("person-0");
    assert.deepEqual(known, await sentFor("person-9"));
    const writes = known.map((statements) => statements.filter((each) => /^(insert|update|delete)/.test(each)).length);
    assert.deepEqual(new Set(writes), new Set([1]));
  });
});
