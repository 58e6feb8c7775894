import assert from "node:assert/strict";
import { fetch } from "../support/http/fetch.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { enter, isBack, signedIn, visit } from "./support/sign-in.ts";

/** The form for the account with this name. */
const formOf = (page: ShownPage, loginName: string, action: string): ShownPage => {
  const form = page.html
    .split("<form")
    .findIndex((part) => part.includes(`action="${action}`) && part.includes(loginName));
  const forms = page.html.split("<form").slice(1, form + 1).length;
  return { ...page, forms: page.forms.slice(forms - 1) };
};

serversInTurn((start, test) => {
  test("with several sessions the user chooses; with one signed in and one not, the password is asked where it must be", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const client = await addClient(server);
    const browser = await signedIn(server, bob, await signedIn(server, ada));
    const { page, codeVerifier } = await visit(server, client, {}, browser);
    assert.match(page.title, /^Choose an account/);
    const back = await browser.submit(formOf(page, ada.loginName, "/ui/login/accounts?"));
    assert.ok(isBack(back), back.html);
    const { body } = await client.exchange(back.address, codeVerifier);
    const { sub } = JSON.parse(Buffer.from(body.id_token.split(".")[1], "base64url").toString());
    assert.equal(sub, ada.userId);

    server.clock.now += 60_000;
    const fresh = await enter(await visit(server, client, { prompt: "login" }, browser), bob);
    assert.ok(isBack(fresh));
    server.clock.now += 1000;
    const choice = await visit(server, client, { prompt: "select_account", max_age: "30" }, browser);
    assert.match(choice.page.title, /^Choose an account/);
    assert.equal(choice.page.html.match(/Signed out/g)?.length, 1);
    const asked = await browser.submit(formOf(choice.page, ada.loginName, "/ui/login/accounts?"));
    assert.match(asked.title, /^Enter your password/);
    assert.match(asked.html, new RegExp(ada.loginName));
    assert.ok(isBack(await browser.submit(asked, { password: ada.password })));
  });

  test("prompt=select_account asks also when there is one session; another account can be used beside it", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    const { page, authRequestId } = await visit(server, client, { prompt: "select_account" }, browser);
    assert.match(page.title, /^Choose an account/);
    const other = await browser.open(`/ui/login?authRequest=${authRequestId}&account=other`);
    assert.match(other.title, /^Sign in/);
    assert.ok(isBack(await enter({ browser, page: other }, bob)));
    assert.equal((await browser.open("/ui/login/accounts")).html.match(/name="session_id"/g)?.length, 4);
  });

  test("login_hint puts the account that it names first, for the user to choose", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const client = await addClient(server);
    const browser = await signedIn(server, bob, await signedIn(server, ada));
    for (const [hinted, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      const parameters = { prompt: "select_account", login_hint: hinted.loginName.toUpperCase() };
      const { html } = (await visit(server, client, parameters, browser)).page;
      assert.ok(html.indexOf(hinted.loginName) < html.indexOf(other.loginName), hinted.loginName);
    }
  });

  test("an account that is removed is signed out, and off the list; that of another browser is out of reach", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const { browser, page, codeVerifier } = await visit(server, client);
    const back = await enter({ browser, page }, ada);
    const { body } = await client.exchange(back.address, codeVerifier);
    const userinfo = async () =>
      (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } }))
        .status;
    assert.equal(await userinfo(), 200);
    const list = await browser.open("/ui/login/accounts");
    const [, sessionId = ""] = /name="session_id" value="([^"]*)"/.exec(list.html) ?? [];
    const stranger = await signedIn(server, await addPerson(server, { username: "eve" }));
    await stranger.submit(await stranger.open("/ui/login/accounts"), { session_id: sessionId }, { action: "remove" });
    assert.equal(await userinfo(), 200);
    const after = await browser.submit(list, {}, { action: "/ui/login/accounts/remove" });
    assert.equal(after.address, "/ui/login?account=other", "nobody is left");
    assert.equal(await userinfo(), 401);
  });

  test("only accounts are offered that the request can be answered with", async (t) => {
    const server = await start(t);
    const organizationId = await addOrganization(server, "Acme");
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob", organizationId });
    const client = await addClient(server);
    const browser = await signedIn(server, bob, await signedIn(server, ada));
    const scope = `openid urn:service:iam:org:id:${organizationId}`;
    const { page, authRequestId } = await visit(server, client, { scope, prompt: "select_account" }, browser);
    assert.match(page.html, /bob/);
    assert.doesNotMatch(page.html, /ada/);
    const all = await browser.open("/ui/login/accounts");
    const [, adas = ""] = /name="session_id" value="([^"]*)"/.exec(formOfName(all, "ada")) ?? [];
    const forced = await browser.submit(
      page,
      { session_id: adas },
      { action: `/ui/login/accounts?authRequest=${authRequestId}` },
    );
    assert.ok(!isBack(forced));
    const stolen = await browser.open(`/oauth/v2/authorize/callback?id=${authRequestId}`);
    assert.ok(!isBack(stolen));
  });

  test("users whose account or organization is switched off are not offered, and their session does not sign in", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server);
    const browser = await signedIn(server, ada);
    const open = await visit(server, client, { prompt: "select_account" }, browser);
    await server.connect("service.user.v2.UserService/DeactivateUser", { userId: ada.userId });
    assert.match((await visit(server, client, {}, browser)).page.title, /^Sign in/);
    assert.equal((await browser.open("/ui/login/accounts")).address, "/ui/login?account=other");
    assert.ok(!isBack(await browser.submit(open.page)));
    assert.ok(!isBack(await browser.open(`/oauth/v2/authorize/callback?id=${open.authRequestId}`)));
  });

  test("only the expected user can answer", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const client = await addClient(server);
    const first = await visit(server, client);
    const { body } = await client.exchange((await enter(first, ada)).address, first.codeVerifier);
    const { browser, page } = await visit(server, client, { id_token_hint: body.id_token }, new TestBrowser(server));
    const refused = await enter({ browser, page }, bob);
    assert.match(refused.alert ?? "", /expects a different account/);
    assert.match(refused.title, /Sign in/);
    assert.ok(isBack(await enter({ browser, page: refused }, ada)));
  });
});

const formOfName = (page: ShownPage, name: string): string =>
  page.html.split("<form").find((part) => part.includes(name)) ?? "";
