import assert from "node:assert/strict";
import { hostileUrls, scriptUrls } from "../support/hostile/hostile-urls.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "./support/sign-in.ts";

const afterwards = "https://shop.example/bye";

serversInTurn((start, test) => {
  test("signing out asks, ends the session with its tokens, and says what was ended", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, codeVerifier } = await visit(server, client, { scope: "openid offline_access" });
    const back = await enter({ browser, page }, ada);
    const { body } = await client.exchange(back.address, codeVerifier);
    const asked = await browser.open("/oidc/v1/end_session");
    assert.equal(asked.address, "/ui/logout");
    assert.match(asked.title, /^Sign out/);
    const done = await browser.submit(asked);
    assert.equal(done.address, "/ui/logout/done");
    assert.match(done.html, /ada/);
    assert.match((await browser.open("/ui/logout/done")).html, /ada/, "reload");
    const refreshed = await fetch(`${server.origin}/oauth/v2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: body.refresh_token,
        client_id: client.clientId,
      }),
    });
    assert.equal(refreshed.status, 400);
    assert.match((await visit(server, client, {}, browser)).page.title, /^Sign in/);
    assert.match((await browser.open("/ui/logout")).html, /ada/, "said for a while");
    server.clock.now += 6 * 60_000;
    assert.match((await browser.open("/ui/logout")).html, /You were not signed in/);
  });

  test("of several sessions those are ended that were chosen; the hinted one is chosen at first", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const browser = await signedIn(server, bob, await signedIn(server, ada));
    const all = await browser.open("/ui/logout");
    assert.equal(all.html.match(/ checked/g)?.length, 2);
    const hinted = await browser.open(`/oidc/v1/end_session?logout_hint=${encodeURIComponent(ada.loginName)}`);
    assert.equal(hinted.html.match(/ checked/g)?.length, 1);
    const none = await browser.submit(hinted, { session_id: [] });
    assert.match(none.address, /^\/ui\/logout\?logout_hint=/, "with none chosen the question stays");
    const done = await browser.submit(hinted);
    assert.match(done.html, /Still signed in/);
    assert.equal((await browser.open("/ui/login/signed-in")).html.includes(bob.loginName), true);
    assert.equal((await browser.open("/ui/login/accounts")).html.includes(ada.loginName), false);
  });

  test("afterwards the browser goes to the registered address with the state, and never to another", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server, { postLogoutRedirectUris: [afterwards] });
    const query = (uri: string) =>
      new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: uri, state: "x y" }).toString();
    const browser = await signedIn(server, ada);
    const asked = await browser.open(`/oidc/v1/end_session?${query(afterwards)}`);
    assert.match(asked.html, /Shop/);
    const back = await browser.submit(asked);
    assert.equal(back.address, `${afterwards}?state=x+y`);
    assert.equal(
      (await browser.open(`/ui/logout?${query(afterwards)}`)).address,
      `${afterwards}?state=x+y`,
      "nobody to ask",
    );
    const hostile = [...hostileUrls("https", "shop.example", "/bye"), ...scriptUrls, `${afterwards}/more`];
    const other = new TestBrowser(server);
    await signedIn(server, ada, other);
    const pages = new Map<string, ShownPage>();
    for (const uri of hostile) {
      const page = await other.open(`/ui/logout?${query(uri)}`);
      assert.equal(page.status, 200, uri);
      pages.set(uri, page);
    }
    // The first request ends the session; for all others no user is signed in.
    for (const [uri, page] of pages) {
      assert.equal((await other.submit(page)).address, "/ui/logout/done", uri);
      assert.equal((await other.open(`/ui/logout?${query(uri)}`)).address, "/ui/logout/done", uri);
    }
    for (const uri of [scriptUrls[0] ?? "", `${afterwards}/more`, "https://evil.example/bye"]) {
      await signedIn(server, ada, other);
      assert.equal((await other.submit(await other.open(`/ui/logout?${query(uri)}`))).address, "/ui/logout/done", uri);
    }
    const noClient = await signedIn(server, ada);
    const plain = await noClient.open(`/ui/logout?post_logout_redirect_uri=${encodeURIComponent(afterwards)}`);
    assert.equal((await noClient.submit(plain)).address, "/ui/logout/done", "without a client the address is ignored");
  });

  test("a session of another browser is not ended, whatever is sent", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const victim = await signedIn(server, ada);
    const [, sessionId = ""] = /name="session_id" value="([^"]*)"/.exec((await victim.open("/ui/logout")).html) ?? [];
    const attacker = await signedIn(server, await addPerson(server, { username: "eve" }));
    await attacker.submit(await attacker.open("/ui/logout"), { session_id: sessionId });
    assert.ok(isBack((await visit(server, client, {}, victim)).page));
    const nobody = new TestBrowser(server);
    assert.match((await nobody.open("/ui/logout")).html, /You were not signed in/);
  });
});
