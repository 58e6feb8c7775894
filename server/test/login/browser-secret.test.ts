import assert from "node:assert/strict";
import { addPerson, goodPassword } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { encodeForm, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "./support/sign-in.ts";

const cookie = "doorward-browser";

serversInTurn((start, test, both) => {
  test("signing in gives the browser another secret; a planted or copied old one is worthless", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, authRequestId } = await visit(server, client);
    const attacker = browser.copy();
    const before = browser.cookies.get(cookie);
    assert.ok(isBack(await enter({ browser, page }, ada)));
    assert.notEqual(browser.cookies.get(cookie), before);
    assert.equal((await attacker.open("/ui/login/signed-in")).address, "/ui/login");
    assert.match((await attacker.open(page.address)).title, /This sign-in has expired/);
    assert.match((await attacker.open(`/oauth/v2/authorize/callback?id=${authRequestId}`)).title, /expired/);
    assert.match((await attacker.open("/ui/logout")).html, /You were not signed in/);
    const again = await visit(server, client, {}, attacker);
    assert.match(again.page.title, /^Sign in/);
  });

  test("a thief of the cookie of a signed-in browser loses its sessions with the next sign-in", async (t) => {
    const server = await start(t);
    const browser = await signedIn(server, await addPerson(server, { username: "ada" }));
    const thief = browser.copy();
    assert.equal((await thief.open("/ui/login/signed-in")).address, "/ui/login/signed-in");
    await signedIn(server, await addPerson(server, { username: "bob" }), browser);
    assert.equal((await thief.open("/ui/login/signed-in")).address, "/ui/login");
    assert.equal((await thief.open("/ui/login/accounts")).address, "/ui/login?account=other");
    const accounts = await browser.open("/ui/login/accounts");
    assert.match(accounts.html, /ada@[\s\S]*bob@|bob@[\s\S]*ada@/, "the browser itself keeps both");
  });

  test("a step that proves a password changes the secret, even when it is not the last", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada", changeRequired: true });
    const { browser, page } = await visit(server, await addClient(server));
    const attacker = browser.copy();
    const change = await enter({ browser, page }, ada);
    assert.match(change.title, /^Choose a new password/);
    assert.match((await attacker.open(change.address)).title, /This sign-in has expired/);
  });

  test("a wrong password leaves the secret as it is", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const { browser, page } = await visit(server, await addClient(server));
    const before = browser.cookies.get(cookie);
    await enter({ browser, page }, { ...ada, password: "wrong" });
    assert.equal(browser.cookies.get(cookie), before);
  });

  test("a request of one browser cannot be gone on with in another, at any step", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, authRequestId } = await visit(server, client);
    const password = await browser.submit(page, { login_name: ada.loginName });
    const victim = await signedIn(server, ada);
    const paths = ["", "/password", "/password-change", "/accounts", "/continue"].map(
      (step) => `/ui/login${step}?authRequest=${authRequestId}`,
    );
    for (const path of paths) {
      const shown = await victim.open(path);
      assert.equal(shown.status, 400, path);
      assert.match(shown.title, /This sign-in has expired/, path);
      assert.doesNotMatch(shown.html, /Shop/, "not even whose request it is");
    }
    const own = await victim.open("/ui/login?account=other");
    const csrf = own.forms[0]?.values ?? [];
    const forged = { ...own, forms: [{ action: password.forms[0]?.action ?? "", values: csrf }] };
    const refused = await victim.submit(forged, { password: goodPassword });
    assert.match(refused.title, /This sign-in has expired/);
    assert.ok(isBack(await browser.submit(password, { password: goodPassword })), "its own browser goes on");
  });

  test("a browser without its cookie is told so, and can begin again", async (t) => {
    const server = await start(t);
    const { page } = await visit(server, await addClient(server));
    const bare = new TestBrowser(server);
    assert.match((await bare.open(page.address)).title, /Your browser did not send our cookie/);
    const other = new TestBrowser(server);
    const answer = await other.submit(page, { login_name: "ada" });
    assert.equal(answer.status, 400);
    assert.match(answer.title, /Your browser did not send our cookie/);
    assert.match(answer.html, /href="\/ui\/login\?authRequest=/);
  });

  both(
    "a form that was sent twice succeeds, in whatever order; its old secret is worth nothing without the password",
    async (t) => {
      const server = await start(t);
      const ada = await addPerson(server, { username: "ada" });
      const client = await addClient(server);
      for (const order of ["at once", "one after the other"]) {
        const { browser, page, codeVerifier, authRequestId } = await visit(server, client);
        const password = await browser.submit(page, { login_name: ada.loginName });
        const tabs = [browser.copy(), browser.copy(), browser.copy()];
        const send = (tab: TestBrowser) => {
          const form = password.forms[0];
          assert.ok(form);
          const headers = { "content-type": "application/x-www-form-urlencoded" };
          const body = encodeForm(form, { password: ada.password });
          return tab.send(form.action, { method: "POST", headers, body });
        };
        if (order === "at once") await Promise.all(tabs.map(send));
        else for (const tab of tabs) await send(tab);
        const attacker = browser.copy();
        const guess = await attacker.submit(password, { password: "not the password" });
        assert.match(guess.title, /This sign-in has expired/, order);
        const ends = await Promise.all(tabs.map((tab) => tab.open(`/oauth/v2/authorize/callback?id=${authRequestId}`)));
        const arrived = ends.filter(isBack);
        assert.equal(arrived.length, 1, `${order}: exactly one of them is the browser now`);
        assert.equal((await client.exchange(arrived[0]?.address ?? "", codeVerifier)).status, 200);
      }
    },
  );

  test("the secret is long, random, and nothing but the hash of it is stored", async (t) => {
    const server = await start(t);
    const secrets = new Set<string>();
    for (let count = 0; count < 50; count++) {
      const browser = new TestBrowser(server);
      await browser.open("/ui/login");
      secrets.add(browser.cookies.get(cookie) ?? "");
    }
    assert.equal(secrets.size, 50);
    for (const secret of secrets) assert.match(secret, /^dwb_[A-Za-z0-9_-]{43}$/);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    const held = browser.cookies.get(cookie) ?? "";
    for (const changed of [held.slice(0, -1), `${held}A`, held.toUpperCase(), "dws_".concat(held.slice(4)), ""]) {
      browser.cookies.set(cookie, changed);
      assert.equal((await browser.copy().open("/ui/login/signed-in")).address, "/ui/login", changed);
    }
  });

  test("a form is taken from our own pages only", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = new TestBrowser(server);
    const page = await browser.open("/ui/login");
    const refused: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${server.origin}.evil.example` },
      { "content-type": "text/plain" },
      { "content-type": "application/json" },
      { "content-type": "multipart/form-data; boundary=x" },
    ];
    for (const headers of refused) {
      const answer = await browser.submit(page, { login_name: ada.loginName }, { headers });
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.match(answer.title, /This form has expired/);
    }
    const other = new TestBrowser(server);
    const foreign = (await other.open("/ui/login")).forms[0]?.values ?? [];
    for (const values of [[], foreign, [["csrf_token", ""] as const]]) {
      const answer = await browser.submit({ ...page, forms: [{ action: "/ui/login", values }] }, { login_name: "ada" });
      assert.equal(answer.address, "/ui/login", "led to the page as it is, with nothing changed");
      assert.match(answer.title, /^Sign in/);
    }
    assert.match((await browser.submit(page, { login_name: ada.loginName })).title, /^Enter your password/);
  });

  test("looking at pages changes nothing", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const browser = await signedIn(server, ada);
    const [, sessionId = ""] = /name="session_id" value="([^"]*)"/.exec((await browser.open("/ui/logout")).html) ?? [];
    assert.ok(sessionId);
    for (const path of [
      "/ui/logout",
      "/ui/login/accounts/remove",
      "/ui/login/accounts",
      "/ui/login/continue",
      "/ui/login",
    ]) {
      const query = `csrf_token=x&session_id=${sessionId}&login_name=ada&password=${goodPassword}`;
      await browser.open(`${path}?${query}`);
      assert.equal((await browser.open("/ui/login/signed-in")).address, "/ui/login/signed-in", path);
    }
  });
});
