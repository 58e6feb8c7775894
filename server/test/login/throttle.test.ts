import assert from "node:assert/strict";
import { addPerson, goodPassword } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { isBack, signedIn, visit } from "./support/sign-in.ts";

const throttled = /^Too many attempts\. Try again in \d+ seconds\./;
const wrong = /^The username or password is wrong/;

serversInTurn((start, test) => {
  test("strangers who guess lock no user out of a known browser, and wait themselves (A24)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 0 });
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const own = await signedIn(server, ada);
    const guess = (password: string) =>
      server.rest("POST", "/v2/sessions", {
        body: { checks: { user: { userId: ada.userId }, password: { password } } },
      });
    for (let count = 0; count < 15; count++) assert.equal((await guess(`guess ${count}`)).status, 400);
    const later = await guess(goodPassword);
    assert.deepEqual([later.status, later.body.code], [429, 8], JSON.stringify(later.body));
    assert.equal(later.body.details[0].id, "password.throttled");
    assert.ok(Number(later.headers.get("retry-after")) >= 10, "and says when");

    const stranger = await visit(server, client);
    const password = await stranger.browser.submit(stranger.page, { login_name: ada.loginName });
    const refused = await stranger.browser.submit(password, { password: goodPassword });
    assert.match(refused.alert ?? "", wrong, "not even that there were guesses, by a name that nobody guessed at");
    const known = await visit(server, client, { prompt: "login", login_hint: ada.loginName }, own);
    assert.ok(isBack(await own.submit(known.page, { password: goodPassword })), "a known browser");
    server.clock.now += 20_000;
    assert.equal((await guess(goodPassword)).status, 201, "and after a while anybody");
  });

  test("an unknown name is throttled like a known one (A24)", async (t) => {
    const server = await start(t);
    await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const alerts = async (loginName: string) => {
      const { browser, page } = await visit(server, client);
      let shown = await browser.submit(page, { login_name: loginName });
      const seen: (string | undefined)[] = [];
      for (let count = 0; count < 17; count++) {
        shown = await browser.submit(shown, { password: `guess ${count}` });
        seen.push(shown.alert);
      }
      return seen;
    };
    const somebody = await alerts("ada");
    assert.deepEqual(await alerts("nobody"), somebody);
    assert.match(somebody.at(-1) ?? "", throttled);
  });

  test("no spelling tells which names exist, or which of them are one user's", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    await addPerson(server, { username: "eve" });
    const client = await addClient(server);
    const ask = async (loginName: string) => {
      const { browser, page } = await visit(server, client);
      return { browser, page: await browser.submit(page, { login_name: loginName }) };
    };
    const guess = async (loginName: string, password = "a wrong one") => {
      const { browser, page } = await ask(loginName);
      return (await browser.submit(page, { password })).alert ?? "";
    };
    // Spellings that are one name to the search, and other names of the same user.
    const spellings = (name: string) => [
      name.toUpperCase(),
      `${String.fromCodePoint((name.codePointAt(0) ?? 0) + 0xfee0)}${name.slice(1)}`,
      `${name}@doorward.localhost`,
      `${name}@mail.example`,
      "eve",
    ];
    const toldOf = async (name: string) => {
      const { browser, page } = await ask(name);
      let shown = page;
      for (let count = 0; count < 15; count++) shown = await browser.submit(shown, { password: `guess ${count}` });
      const told = [];
      for (const spelling of spellings(name)) told.push(await guess(spelling));
      // As many by another name: what is told of it goes by its own guesses.
      for (let count = 0; count < 16; count++) told.push(await guess(`${name}@mail.example`));
      return told;
    };
    const known = await toldOf("ada");
    const refused = await guess(ada.loginName, goodPassword);
    server.clock.now += 3_600_000;
    assert.deepEqual(await toldOf("una"), known);
    assert.match(known[0] ?? "", throttled, "in capitals");
    assert.match(known[1] ?? "", throttled, "in full width");
    for (const told of [...known.slice(2, 5), refused]) assert.match(told, wrong);
    assert.match(known.at(-1) ?? "", throttled);
    server.clock.now += 3_600_000;
    const { browser, page } = await ask(ada.loginName);
    assert.ok(isBack(await browser.submit(page, { password: goodPassword })), "and later the right password is right");
  });

  test("an empty password or code is a missing field and never counted (U1)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 3, maxOtpAttempts: 3 });
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await visit(server, await addClient(server));
    let shown = await browser.submit(page, { login_name: ada.loginName });
    for (let count = 0; count < 5; count++) {
      shown = await browser.submit(shown, { password: "" });
      assert.equal(shown.alert, "Enter your password.");
      const { status, body } = await server.rest("POST", "/v2/sessions", {
        body: { checks: { user: { userId: ada.userId }, password: { password: "" } } },
      });
      assert.equal(status, 400);
      assert.match(body.message, /password/i);
    }
    assert.ok(isBack(await browser.submit(shown, { password: goodPassword })));
    await emptyCodes(server, ada.userId);
  });
});

async function emptyCodes(server: TestServer, userId: string): Promise<void> {
  const users = "service.user.v2.UserService";
  const registered = await server.connect(`${users}/RegisterTOTP`, { userId });
  assert.equal(registered.status, 200, JSON.stringify(registered.body));
  for (let count = 0; count < 5; count++) {
    const blank = await server.connect(`${users}/VerifyTOTPRegistration`, { userId, code: " " });
    assert.equal(blank.body.code, "invalid_argument", JSON.stringify(blank.body));
  }
  const wrong = await server.connect(`${users}/VerifyTOTPRegistration`, { userId, code: "1" });
  assert.match(JSON.stringify(wrong.body), /factor\.code_wrong/, "the first that counts");
}
