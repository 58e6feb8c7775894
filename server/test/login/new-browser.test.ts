import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient, redirectUri } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "./support/sign-in.ts";

const cookie = "doorward-browser";
const authorize = "/oauth/v2/authorize";
const formType = "application/x-www-form-urlencoded";
const long = "x".repeat(9_000);

serversInTurn((start, test) => {
  test("two tabs of a browser without cookie both finish, whichever answer came last (C10)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    for (const order of ["first", "second"] as const) {
      const browser = new TestBrowser(server);
      // Both requests leave before either answer is there.
      const other = new TestBrowser(server);
      const answers = {
        first: await browser.send(client.start({ state: "first" }).path),
        second: await other.send(client.start({ state: "second" }).path),
      };
      for (const [name, value] of other.cookies) browser.cookies.set(name, value);
      for (const tab of [order, order === "first" ? "second" : "first"] as const) {
        const page = await browser.open(answers[tab].headers.get("location") ?? "");
        // The second tab finds the session of the first.
        const named = await browser.submit(page, { login_name: ada.loginName });
        const back = isBack(named) ? named : await browser.submit(named, { password: ada.password });
        assert.ok(isBack(back), `${order} first, ${tab}: ${back.address} ${back.title}`);
        assert.equal(new URL(back.address).searchParams.get("state"), tab);
        assert.ok(new URL(back.address).searchParams.get("code"));
      }
    }
  });

  test("a tab whose page is open already continues when another tab has replaced the cookie (C10)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page } = await visit(server, client);
    const late = new TestBrowser(server);
    await late.send(client.start().path);
    for (const [name, value] of late.cookies) browser.cookies.set(name, value);
    // Its form is one of before: the page comes again.
    const again = await browser.submit(page, { login_name: ada.loginName });
    assert.match(again.title, /^Sign in/);
    assert.ok(isBack(await enter({ browser, page: again }, ada)));
  });

  test("the cookie of a request proves that request alone, in no other browser, and never after a sign-in (C10)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, authRequestId } = await visit(server, client);
    const thief = browser.copy();
    assert.ok(isBack(await enter({ browser, page }, ada)));
    const stranger = await signedIn(server, await addPerson(server, { username: "eve" }));
    for (const [name, value] of thief.cookies) if (name !== cookie) stranger.cookies.set(name, value);
    assert.match((await stranger.open(page.address)).title, /expired/);

    const second = await visit(server, client);
    const taken = `${page.address.split("?")[0]}?authRequest=${second.authRequestId}`;
    const name = [...thief.cookies.keys()].find((one) => one.includes(authRequestId)) ?? "";
    assert.ok(name);
    stranger.cookies.set(name.replace(authRequestId, second.authRequestId), thief.cookies.get(name) ?? "");
    assert.match((await stranger.open(taken)).title, /expired/, "the secret of another request");
    assert.match((await stranger.open(`${authorize}/callback?id=${second.authRequestId}`)).title, /expired/);
  });

  test("a form that another site posts never sets a cookie; the browser's own sessions answer it (A20)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    const kept = browser.cookies.get(cookie);
    for (const filler of [undefined, long]) {
      const { path } = client.start(filler === undefined ? {} : { filler });
      const body = path.split("?")[1] ?? "";
      // What another site posts comes without cookies.
      const blind = new TestBrowser(server);
      const crossSite = { method: "POST", body, headers: { "content-type": formType, "sec-fetch-site": "cross-site" } };
      const answer = await blind.send(authorize, crossSite);
      assert.deepEqual(answer.headers.getSetCookie(), [], filler === undefined ? "short" : "long");
      if (filler === undefined) {
        assert.equal(answer.status, 303);
        assert.ok(isBack(await browser.open(answer.headers.get("location") ?? "")));
        continue;
      }
      assert.equal(answer.status, 200);
      const policy = answer.headers.get("content-security-policy") ?? "";
      assert.doesNotMatch(policy, /form-action/, "the application is redirected to from there");
      const page = await new Response(answer.body).text();
      const action = /<form method="post" action="([^"]*)"/.exec(page)?.[1];
      assert.equal(action, server.origin + authorize);
      const again = `${body}&doorward_relayed=1`;
      const own = { "content-type": formType, origin: server.origin, "sec-fetch-site": "same-origin" };
      const back = await browser.send(authorize, { method: "POST", body: again, headers: own });
      assert.match(back.headers.get("location") ?? "", new RegExp(`^${redirectUri}\\?code=`));
      assert.deepEqual(back.headers.getSetCookie(), []);

      // A browser that is really new gets its cookie from our own page, and only from there.
      const fresh = await new TestBrowser(server).send(authorize, { method: "POST", body: again, headers: own });
      assert.match(fresh.headers.get("location") ?? "", /^\/ui\/login\?/);
      assert.ok(fresh.headers.getSetCookie().length > 0);
      const forged = await new TestBrowser(server).send(authorize, { ...crossSite, body: again });
      assert.equal(forged.status, 400);
      assert.deepEqual(forged.headers.getSetCookie(), []);
      const sameSite = { ...crossSite.headers, "sec-fetch-site": "same-site" };
      const sibling = await new TestBrowser(server).send(authorize, { ...crossSite, headers: sameSite });
      assert.deepEqual(sibling.headers.getSetCookie(), []);
    }
    assert.equal(browser.cookies.get(cookie), kept);
    const pages = ["/oidc/v1/end_session", "/ui/login", "/ui/logout", "/device"];
    for (const path of pages) {
      const answer = await fetch(server.origin + path, {
        method: "POST",
        body: "a=b",
        redirect: "manual",
        headers: { "content-type": formType, "sec-fetch-site": "cross-site" },
      });
      assert.deepEqual(answer.headers.getSetCookie(), [], path);
    }
  });

  test("each page of a request leads back to the application, which is told access_denied (C11)", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const goBack = { action: "/ui/login/return" };
    const leave = async (open: (browser: TestBrowser) => Promise<Awaited<ReturnType<TestBrowser["open"]>>>) => {
      const { path } = client.start();
      const browser = new TestBrowser(server);
      await browser.open(path);
      const page = await open(browser);
      assert.match(page.html, /Back to (?:<bdi>)?Shop/, page.address);
      const end = await browser.submit(page, {}, goBack);
      const { origin, pathname, searchParams } = new URL(end.address);
      assert.equal(origin + pathname, redirectUri, page.address);
      assert.equal(searchParams.get("error"), "access_denied");
      assert.equal(searchParams.get("state"), "s1");
      assert.equal(searchParams.get("iss"), server.origin);
    };
    const idOf = (browser: TestBrowser): string =>
      [...browser.cookies.keys()].find((name) => name.startsWith("doorward-request-"))?.slice(17) ?? "";
    const at = (path: string) => (browser: TestBrowser) => browser.open(`${path}?authRequest=${idOf(browser)}`);
    await leave(at("/ui/login"));
    await leave(at("/ui/login/register"));
    await leave(async (browser) => browser.submit(await at("/ui/login")(browser), { login_name: ada.loginName }));
    await leave(async (browser) => {
      const password = await browser.submit(await at("/ui/login")(browser), { login_name: ada.loginName });
      return browser.submit(password, { password: "wrong" });
    });
    await leave(async (browser) => {
      const password = await browser.submit(await at("/ui/login")(browser), { login_name: ada.loginName });
      const { address } = await browser.open(
        "/ui/login/forgotten" + password.address.slice(password.address.indexOf("?")),
      );
      return browser.open(address);
    });
    const alone = await new TestBrowser(server).open("/ui/login");
    assert.doesNotMatch(alone.html, /ui\/login\/return/, "nothing waits");
    const german = await new TestBrowser(server).open(client.start({ ui_locales: "de" }).path);
    assert.match(german.html, /Zurück zu/);
  });
});
