import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../../src/base/clock.ts";
import { knowProvider } from "../identity-provider/attempts.ts";
import { setProviderState } from "../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { newsOf, type Owner, ownerOf, withSession } from "./support/account.ts";

const path = "/ui/account/methods/link";
const answerPath = `${path}/answer`;

eachServer((start) => {
  test("users link accounts at identity providers with their own", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const known = await knowProvider(server, provider);
    const closed = await knowProvider(server, provider, { options: { isLinkingAllowed: false } });
    const unoffered = await knowProvider(server, provider);
    await changeSettings(server, "login", { identityProviderIds: [known, closed] });
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const linksOf = async ({ userId }: Person): Promise<string[]> =>
      ((await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? [])
        .map((link: { userId: string }) => link.userId)
        .toSorted();

    /** Presses the button that leads to the provider. */
    const leave = async (owner: Owner): Promise<string> => {
      const away = await owner.send(`${path}?provider=${known}`);
      assert.ok(away.address.startsWith(`${provider.issuer}/authorize`), away.html);
      return away.address;
    };
    /** Signs in there with this subject; returns the address that the browser is sent to. */
    const answer = (away: string, sub: string): string => {
      provider.user = { sub, preferred_username: `<b>${sub}</b>`, email: `${sub}@provider.example` };
      const back = provider.signIn(away);
      return back.pathname + back.search;
    };
    const through = async (owner: Owner, sub: string): Promise<ShownPage> =>
      owner.browser.open(answer(await leave(owner), sub));
    const isAt = (page: ShownPage, wanted: string) =>
      assert.equal(new URL(page.address, server.origin).pathname, wanted, `${page.address}\n${page.html}`);

    await t.test("the account is shown, and linked once, by the button that says so", async () => {
      const owner = await ownerOf(server, ada);
      const methods = await owner.open("/ui/account/methods");
      const offered = [...methods.html.matchAll(/methods\/link\?[^"]*provider=(\d+)/g)].map(([, id]) => id);
      assert.deepEqual(offered, [known], "what is offered, and may be linked");
      const asked = await through(owner, "pat");
      isAt(asked, answerPath);
      assert.match(asked.html, /&lt;b&gt;pat&lt;\/b&gt;/);
      assert.deepEqual(await linksOf(ada), [], "coming back links nothing");
      const tab = owner.browser.copy();
      const linked = await owner.browser.submit(asked);
      assert.match(newsOf(linked) ?? "", /added/);
      assert.match(linked.html, /&lt;b&gt;pat&lt;\/b&gt;/);
      assert.deepEqual(await linksOf(ada), ["pat"]);
      const twice = await tab.submit(asked);
      assert.match(newsOf(twice) ?? "", /added/, "sent twice it tells the same");
      assert.deepEqual(await linksOf(ada), ["pat"]);
      const events = (await recordedEvents(server)).filter(({ aggregateId }) => aggregateId === ada.userId);
      const added = events.filter(({ type }) => type === "user.human.externalidp.added");
      assert.deepEqual(
        added.map(({ editorUserId }) => editorUserId),
        [ada.userId],
      );
      // And it signs the person in.
      const browser = new TestBrowser(server);
      const login = await browser.open("/ui/login");
      const away = await browser.submit(login, { provider: known }, { action: "/ui/login/provider" });
      assert.equal((await browser.open(answer(away.address, "pat"))).address, "/ui/login/signed-in");
    });

    await t.test("an account that is linked already is refused, whichever user it belongs to", async () => {
      const owner = await ownerOf(server, bob);
      const refused = await through(owner, "pat");
      isAt(refused, answerPath);
      assert.match(refused.alert ?? "", /already linked to a user/);
      assert.doesNotMatch(refused.html, /ada/, "nobody is told whose");
      assert.deepEqual([await linksOf(bob), await linksOf(ada)], [[], ["pat"]]);
      // Another user links the account between the question and the press.
      const asked = await through(owner, "shared");
      await server.rest("POST", `/v2/users/${ada.userId}/links`, {
        body: { idpLink: { idpId: known, userId: "shared", userName: "shared" } },
      });
      const late = await owner.browser.submit(asked);
      assert.match(late.alert ?? "", /already linked to a user/);
      assert.deepEqual(await linksOf(bob), []);
      const again = await owner.browser.submit(late);
      assert.ok(again.address.startsWith(`${provider.issuer}/authorize`), "another try");
    });

    await t.test("both presses demand a fresh authentication", async () => {
      const owner = await ownerOf(server, bob);
      const page = await owner.open(`${path}?provider=${known}`);
      const asked = await through(owner, "fresh");
      server.clock.now += minutes(11);
      isAt(await owner.open(`${path}?provider=${known}`), "/ui/login");
      isAt(await owner.browser.submit(page), "/ui/login");
      isAt(await owner.browser.submit(asked), "/ui/login");
      assert.deepEqual(await linksOf(bob), []);
    });

    // CVE-2026-105207: only the user who began is linked, whichever user is signed in there.
    await t.test("another user's attempt, browser or session links nothing", async () => {
      const owner = await ownerOf(server, bob);
      const asked = await through(owner, "mine");
      const query = new URL(asked.address, server.origin).search;
      const stranger = await ownerOf(server, ada);
      isAt(await stranger.open(`${answerPath}${query}`), "/ui/account/methods");
      const other = await ownerOf(server, ada, owner.browser);
      isAt(await other.open(`${answerPath}${query}`), answerPath);
      const foreign = await other.open("/ui/account/username");
      const token = foreign.forms[0]?.values.find(([name]) => name === "csrf_token")?.[1] ?? "";
      const forged = await other.browser.send(withSession(`${answerPath}${query}`, other.sessionId), {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: server.origin },
        body: new URLSearchParams({ csrf_token: token }),
      });
      assert.equal(forged.status, 303);
      assert.deepEqual([await linksOf(bob), await linksOf(ada)], [[], ["pat", "shared"]]);
      // An answer for another browser, and an answer that is used as a sign-in.
      const away = await leave(await ownerOf(server, bob));
      const callback = answer(away, "mine");
      assert.match((await stranger.browser.open(callback)).title, /another browser/);
      isAt(await owner.browser.open(`/ui/login/external${query}`), "/ui/login");
      isAt(await owner.browser.open(`/ui/login/external/link${query}`), "/ui/login");
    });

    await t.test(
      "an account is not linked at a provider that is not offered, not allowed, or no longer active",
      async () => {
        const owner = await ownerOf(server, bob);
        for (const id of [closed, unoffered, "404", ""]) {
          isAt(await owner.open(`${path}?provider=${id}`), "/ui/account/methods");
        }
        const asked = await through(owner, "later");
        await setProviderState(server, known, "inactive");
        const refused = await owner.browser.submit(asked);
        assert.match(refused.alert ?? "", /inactive or was removed/);
        await setProviderState(server, known, "active");
        const away = await leave(owner);
        await changeSettings(server, "login", { allowExternalIdp: false });
        const question = await owner.browser.open(answer(away, "later"));
        assert.match((await owner.browser.submit(question)).alert ?? "", /inactive or was removed/);
        assert.doesNotMatch((await owner.open("/ui/account/methods")).html, /methods\/link\?/);
        await changeSettings(server, "login", { allowExternalIdp: true });
        assert.deepEqual(await linksOf(bob), []);
      },
    );

    await t.test("after a canceled or failed attempt the reason is shown, and the user can try again", async () => {
      const owner = await ownerOf(server, bob);
      const back = new URL(answer(await leave(owner), "x"), server.origin);
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      const cancelled = await owner.browser.open(back.pathname + back.search);
      assert.match(cancelled.alert ?? "", /canceled or refused/);
      assert.match((await owner.browser.open(back.pathname + back.search)).alert ?? "", /canceled/, "reloaded");
      provider.claims = { nonce: "another" };
      const failed = await owner.browser.open(answer(await leave(owner), "x"));
      provider.claims = {};
      assert.match(failed.alert ?? "", /token of the identity provider cannot be accepted/);
      await server.rest("DELETE", `/v2/users/${bob.userId}`);
      const { body } = await server.rest("POST", "/v2/users", { body: {} });
      assert.ok(!body.result.some(({ userId }: Person) => userId === bob.userId));
    });

    await t.test("a suspended link is shown as such, and linking the account again resumes it (A2)", async () => {
      const carl = await addPerson(server, { username: "carl" });
      const owner = await ownerOf(server, carl);
      await owner.browser.submit(await through(owner, "carl-there"));
      assert.deepEqual(await linksOf(carl), ["carl-there"]);
      const shown = async () => (await owner.open("/ui/account/methods")).html;
      assert.doesNotMatch(await shown(), /Suspended/);

      const next = await startTestProvider(t, () => server.clock.now);
      const { issuer, clientSecret } = next;
      const body = { name: "Test provider", issuer, clientId: "doorward", clientSecret, scopes: ["openid"] };
      const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true };
      const path2 = `/admin/v1/idps/generic_oidc/${known}`;
      const changed = await server.rest("PUT", path2, { body: { ...body, providerOptions } });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      assert.match(await shown(), /Suspended: the provider has changed/);

      /** Comes from the provider as it is now, without a session here. */
      const signIn = async (browser = new TestBrowser(server)) => {
        next.user = { ...next.user, sub: "carl-there" };
        const page = await browser.open("/ui/login?account=other");
        const away = await browser.submit(page, { provider: known }, { action: "/ui/login/provider" });
        const back = next.signIn(away.address);
        return browser.open(back.pathname + back.search);
      };
      assert.match((await signIn()).html, /This account is not known here/);
      next.user = { ...next.user, sub: "carl-there" };
      const away = await owner.send(`${path}?provider=${known}`);
      const back = next.signIn(away.address);
      const linked = await owner.browser.submit(await owner.browser.open(back.pathname + back.search));
      assert.match(newsOf(linked) ?? "", /added/);
      isAt(await signIn(), "/ui/login/signed-in");
    });
  });
});
