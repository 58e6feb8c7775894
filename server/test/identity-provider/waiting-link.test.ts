import assert from "node:assert/strict";
import { addApp } from "../factor/support.ts";
import { enter, isBack, visit } from "../login/support/sign-in.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";
import { appCode } from "../support/sign-in/totp.ts";
import { knowProvider } from "./attempts.ts";

const minute = 60_000;
const linking = "/ui/login/external/link";

serversInTurn((start, test) => {
  test("an account that waits in a browser is linked only by a fresh sign-in", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idp = await knowProvider(server, provider, {});
    await changeSettings(server, "login", { identityProviderIds: [idp] });
    const client = await addClient(server);
    // The person before at the machine left an account of theirs there; vera then signs in for something else.
    const prepare = async (name: string) => {
      const vera = await addPerson(server, { username: name });
      const browser = new TestBrowser(server);
      provider.user = { sub: `m-${name}`, preferred_username: "mallory", email: "m@provider.example" };
      const first = await browser.open("/ui/login");
      const away = await browser.submit(first, { provider: idp }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      const asked = await browser.open(back.pathname + back.search);
      const intent = new URL(asked.address, server.origin).searchParams.get("intent");
      await browser.submit(asked, {}, { action: "/ui/login/external/existing" });
      const links = async (): Promise<number> =>
        ((await server.rest("POST", `/v2/users/${vera.userId}/links/_search`, { body: {} })).body.result ?? []).length;
      return { vera, browser, links, page: `${linking}?intent=${intent}` };
    };

    for (const minutes of [6, 40, 57]) {
      const { vera, browser, links, page } = await prepare(`vera-${minutes}`);
      server.clock.now += minute;
      assert.ok(isBack(await enter(await visit(server, client, {}, browser), vera)));
      server.clock.now += minutes * minute;
      const asked = await browser.open(page);
      assert.ok(asked.address.startsWith("/ui/login?"), asked.address);
      assert.match(asked.html, /want to link to[\s\S]*mallory/, "the page names the account");
      assert.equal(await links(), 0);
      const question = await enter({ browser, page: asked }, vera);
      assert.ok(question.address.startsWith(linking), question.address);
      assert.match(question.html, /mallory/);
      const done = await browser.submit(question, { decision: "link" }, { action: linking });
      assert.match(done.title, /Accounts linked/);
      assert.equal(await links(), 1, "a sign-in for it links");
    }

    await t.test("the form that was shown links for ten minutes", async () => {
      for (const [minutes, expected] of [
        [9, 1],
        [11, 0],
      ] as const) {
        const { vera, browser, links, page } = await prepare(`slow-${minutes}`);
        const question = await enter({ browser, page: await browser.open(page) }, vera);
        assert.ok(question.address.startsWith(linking), question.address);
        server.clock.now += minutes * minute;
        const sent = await browser.submit(question, { decision: "link" }, { action: linking });
        assert.equal(await links(), expected, sent.html);
      }
    });

    await t.test("every factor is asked for again", async () => {
      const { vera, browser, links, page } = await prepare("two-factors");
      const secret = await addApp(server, vera, (made) => appCode(made, server.clock.now));
      server.clock.now += minute;
      const tab = await enter(await visit(server, client, {}, browser), vera);
      assert.ok(isBack(await browser.submit(tab, { code: appCode(secret, server.clock.now) })), tab.html);
      server.clock.now += 20 * minute;
      const second = await enter({ browser, page: await browser.open(page) }, vera);
      assert.match(second.title, /^Enter the code from your app/);
      const question = await browser.submit(second, { code: appCode(secret, server.clock.now) });
      assert.ok(question.address.startsWith(linking), question.address);
      await browser.submit(question, { decision: "link" }, { action: linking });
      assert.equal(await links(), 1);
    });
  });
});
