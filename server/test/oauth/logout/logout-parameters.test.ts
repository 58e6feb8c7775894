import assert from "node:assert/strict";
import { enter, isBack, visit } from "../../login/support/sign-in.ts";
import { fetch } from "../../support/http/fetch.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { addClient, type SignInClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";

const afterwards = "https://shop.example/bye";
const path = "/oidc/v1/end_session";

interface SignedIn {
  readonly browser: TestBrowser;
  readonly idToken: string;
  readonly accessToken: string;
}

async function signIn(
  server: TestServer,
  client: SignInClient,
  person: Person,
  browser = new TestBrowser(server),
): Promise<SignedIn> {
  const visitor = await visit(server, client, {}, browser);
  const back = isBack(visitor.page) ? visitor.page : await enter(visitor, person);
  const { body } = await client.exchange(back.address, visitor.codeVerifier);
  return { browser, idToken: body.id_token, accessToken: body.access_token };
}

async function isSignedIn(server: TestServer, { accessToken }: SignedIn): Promise<boolean> {
  const answer = await server.rest("GET", "/oidc/v1/userinfo", { token: accessToken });
  return answer.status === 200;
}

serversInTurn((start, test) => {
  test("logout that a client starts, parameter by parameter", async (t) => {
    const server = await start(t);
    const ada = await addPerson(server, { username: "ada" });
    const client = await addClient(server, { postLogoutRedirectUris: [afterwards] });
    const other = await addClient(server, { postLogoutRedirectUris: ["https://other.example/bye"] });
    const end = (browser: TestBrowser, parameters: Record<string, string>) =>
      browser.open(`${path}?${new URLSearchParams(parameters)}`);

    await t.test("an id token ends its session, without a question, by GET and by POST", async () => {
      const first = await signIn(server, client, ada);
      const second = await signIn(server, client, ada);
      const page = await end(first.browser, { id_token_hint: first.idToken });
      assert.equal(page.address, "/ui/logout/done");
      assert.equal(await isSignedIn(server, first), false);
      assert.equal(await isSignedIn(server, second), true, "another session of the same person stays");
      const cookie = [...second.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const posted = await fetch(server.origin + path, {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams({ id_token_hint: second.idToken, post_logout_redirect_uri: afterwards, state: "s" }),
      });
      assert.equal(posted.status, 303);
      assert.equal(posted.headers.get("location"), `${afterwards}?state=s`);
      assert.equal(await isSignedIn(server, second), false);
    });

    await t.test(
      "in another browser an id token ends nothing: the user signed in there is asked, if any (A23)",
      async () => {
        const victim = await signIn(server, client, ada);
        const hint = { id_token_hint: victim.idToken, post_logout_redirect_uri: afterwards, state: "s" };
        const nobody = await end(new TestBrowser(server), hint);
        assert.equal(nobody.address, `${afterwards}?state=s`, "nobody is signed in here, so there is nothing to ask");
        const bob = await addPerson(server, { username: "bob" });
        const other = await signIn(server, client, bob);
        const asked = await end(other.browser, hint);
        assert.match(asked.address, /^\/ui\/logout\?/);
        for (const signed of [victim, other]) assert.equal(await isSignedIn(server, signed), true);
        const back = await other.browser.submit(asked);
        assert.equal(back.address, `${afterwards}?state=s`);
        assert.deepEqual([await isSignedIn(server, victim), await isSignedIn(server, other)], [true, false]);
        // The same person in the same browser, but by an id token of another session.
        const second = await signIn(server, client, ada);
        assert.match((await end(second.browser, hint)).address, /^\/ui\/logout\?/);
        assert.equal(await isSignedIn(server, second), true);
      },
    );

    await t.test("an id token that has expired is as good", async () => {
      const signed = await signIn(server, client, ada);
      server.clock.now += 43_200_000;
      const page = await end(signed.browser, { id_token_hint: signed.idToken, post_logout_redirect_uri: afterwards });
      assert.equal(page.address, afterwards);
      const again = await visit(server, client, {}, signed.browser);
      assert.match(again.page.title, /^Sign in/);
    });

    await t.test("the address is answered with the state, and without one where none was sent", async () => {
      const cases: [Record<string, string>, string][] = [
        [{ post_logout_redirect_uri: afterwards, state: "a b&c" }, `${afterwards}?state=a+b%26c`],
        [{ post_logout_redirect_uri: afterwards }, afterwards],
        [{ state: "s" }, "/ui/logout/done"],
        [{}, "/ui/logout/done"],
      ];
      for (const [parameters, address] of cases) {
        const { browser, idToken } = await signIn(server, client, ada);
        const page = await end(browser, { id_token_hint: idToken, ...parameters });
        assert.equal(page.address, address, JSON.stringify(parameters));
      }
    });

    await t.test("what is wrong is shown, no browser is redirected, and nothing ends", async () => {
      const signed = await signIn(server, client, ada);
      const { browser, idToken } = signed;
      const [header = "", payload = "", signature = ""] = idToken.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      const changed = Buffer.from(JSON.stringify({ ...claims, sid: "1" })).toString("base64url");
      const good = { id_token_hint: idToken, post_logout_redirect_uri: afterwards };
      const wrong: Record<string, Record<string, string>> = {
        "a hint that is no token": { ...good, id_token_hint: "x" },
        "a hint with other claims": { ...good, id_token_hint: `${header}.${changed}.${signature}` },
        "a hint with another signature": {
          ...good,
          id_token_hint: `${header}.${payload}.${"A".repeat(signature.length)}`,
        },
        "an access token as hint": { ...good, id_token_hint: signed.accessToken },
        "another client": { ...good, client_id: other.clientId },
        "an address that is not registered": { ...good, post_logout_redirect_uri: "https://evil.example/" },
        "a query that was added": { ...good, post_logout_redirect_uri: `${afterwards}?x=1` },
        "the address of another client": { ...good, post_logout_redirect_uri: "https://other.example/bye" },
        "an address of the client without being it": {
          client_id: other.clientId,
          post_logout_redirect_uri: afterwards,
        },
      };
      for (const [name, parameters] of Object.entries(wrong)) {
        const page = await end(browser, parameters);
        assert.equal(page.status, 400, name);
        assert.ok(page.address.startsWith(path), name);
        assert.equal(await isSignedIn(server, signed), true, name);
      }
      const repeated = await browser.open(`${path}?${new URLSearchParams(good)}&state=a&state=b`);
      assert.equal(repeated.status, 400);
      const same = await end(browser, { ...good, client_id: client.clientId });
      assert.equal(same.address, afterwards, "client_id and azp that are equal");
    });

    await t.test(
      "without a token the user is asked, in the language of the request, and the rest is as with one",
      async () => {
        const signed = await signIn(server, client, ada);
        const parameters = { client_id: client.clientId, post_logout_redirect_uri: afterwards, state: "s" };
        const german = await end(signed.browser, { ...parameters, ui_locales: "vi de en" });
        assert.match(german.html, /<html[^>]* lang="de"/);
        assert.equal(await isSignedIn(server, signed), true, "asking ends nothing");
        const asked = await end(signed.browser, { ...parameters, ui_locales: "xx" });
        assert.match(asked.html, /<html[^>]* lang="en"/);
        const back = await signed.browser.submit(asked);
        assert.equal(back.address, `${afterwards}?state=s`);
        assert.equal(await isSignedIn(server, signed), false);
        const nobody = await end(new TestBrowser(server), {});
        assert.equal(nobody.status, 200);
        const ignored = await signIn(server, client, ada);
        const plain = await end(ignored.browser, { post_logout_redirect_uri: "https://evil.example/", state: "s" });
        assert.equal(
          (await ignored.browser.submit(plain)).address,
          "/ui/logout/done",
          "without a client it is ignored",
        );
      },
    );
  });
});
