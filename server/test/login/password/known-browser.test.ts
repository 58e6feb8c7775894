import assert from "node:assert/strict";
import { days, hours } from "../../../src/base/clock.ts";
import { addPerson } from "../../support/people/people.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import type { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { signedIn } from "../support/sign-in.ts";

const throttled = /^Too many attempts/;

serversInTurn((start, test) => {
  test("the allowance of a browser that a user knows is not renewed by sign-ins of another user there", async (t) => {
    const server = await start(t);
    const vera = await addPerson(server, { username: "vera" });
    const mallory = await addPerson(server, { username: "mallory" });
    const enter = async (browser: TestBrowser, password: string) => {
      const begin = await browser.open("/ui/login?account=other");
      const asked = await browser.submit(begin, { login_name: vera.loginName }, { action: "/ui/login" });
      return browser.submit(asked, { password }, { action: "/ui/login/password" });
    };
    /** Guesses until it is throttled; returns how many guesses were evaluated. */
    const guesses = async (browser: TestBrowser): Promise<number> => {
      for (let count = 0; count < 40; count++) {
        if (throttled.test((await enter(browser, `guess ${count}`)).alert ?? "")) return count;
      }
      return Number.POSITIVE_INFINITY;
    };
    const signOut = async (browser: TestBrowser, kept: readonly string[] = []): Promise<string[]> => {
      const page = await browser.open("/ui/logout");
      const ids = [...page.html.matchAll(/name="session_id"[^>]*value="(\d+)"|value="(\d+)"[^>]*name="session_id"/g)];
      const all = ids.map(([, one, other]) => one ?? other ?? "");
      await browser.submit(page, { session_id: all.filter((id) => !kept.includes(id)) });
      return all;
    };
    const shared = await signedIn(server, vera);
    const page = await shared.open("/ui/logout");
    const [, hers = ""] = /name="session_id"[^>]*value="(\d+)"/.exec(page.html) ?? [];

    await t.test("while the session of the user is there, expired or not", async () => {
      server.clock.now += days(11);
      assert.equal(await guesses(shared), 15);
      for (let round = 0; round < 3; round++) {
        await signedIn(server, mallory, shared);
        assert.equal(await guesses(shared), 0);
        await signOut(shared, [hers]);
      }
      server.clock.now += hours(1);
      assert.equal(await guesses(shared), 12, "time gives more");
    });

    await t.test("after the user signed out, whose own sign-in goes on", async () => {
      server.clock.now += hours(2);
      assert.equal((await enter(shared, vera.password)).address, "/ui/login/signed-in");
      await signOut(shared);
      assert.equal(await guesses(shared), 15);
      await signedIn(server, mallory, shared);
      assert.equal(await guesses(shared), 0);
      server.clock.now += hours(1) / 12;
      assert.equal((await enter(shared, vera.password)).address, "/ui/login/signed-in", "one guess more");
    });
  });
});
