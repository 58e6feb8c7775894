import assert from "node:assert/strict";
import { hours } from "../../../src/base/clock.ts";
import { isBack, signedIn, visit } from "../../login/support/sign-in.ts";
import { startTestDirectory } from "../../support/identity-provider/test-directory.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { addStaff, createTrust } from "../trusted.ts";
import { addDirectory, enterAt, entry, openForm, passwordOf, wrong } from "./directories.ts";

serversInTurn((start, test) => {
  test("guesses at a directory have an allowance of their own only where the name's password was entered", async (t) => {
    const server = await start(t);
    const directory = await startTestDirectory(t);
    directory.entries = [entry("vera")];
    const idpId = await addDirectory(server, directory);
    const staff = await addStaff(server, "evil");
    const account = staff.plain;
    assert.equal(await createTrust(server).link(account.userId, idpId, "vera", staff.owner.token), "200");
    const client = await addClient(server, {}, "A shop", staff.organizationId);
    const comeByDirectory = async (browser = new TestBrowser(server)): Promise<TestBrowser> => {
      const { page } = await visit(server, client, { prompt: "login" }, browser);
      const form = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
      const back = await enterAt({ browser, form }, "vera", passwordOf("vera"));
      assert.ok(isBack(back), back.html);
      return browser;
    };
    /** Guesses until it is throttled; returns how many guesses were evaluated. */
    const guesses = async (browser: TestBrowser): Promise<number> => {
      for (let count = 0; count < 40; count++) {
        const answer = await enterAt(await openForm(server, idpId, browser), "vera", `guess ${count}`);
        if (!wrong.test(answer.alert ?? "")) return count;
      }
      return Number.POSITIVE_INFINITY;
    };
    const hers = await comeByDirectory();

    await t.test("and not in browsers in which the same user signed in by a password", async () => {
      server.clock.now += hours(2);
      const counts: number[] = [];
      for (let again = 0; again < 3; again++) counts.push(await guesses(await signedIn(server, account)));
      assert.deepEqual(counts, [10, 0, 0], "all share what strangers have");
      assert.equal(await guesses(hers), 15, "and leave the allowance of the name's user alone");
    });

    await t.test("which a sign-in of another user there does not renew", async () => {
      server.clock.now += hours(2);
      assert.equal(await guesses(hers), 15);
      for (const person of [staff.manager, staff.clerk]) {
        await signedIn(server, person, hers);
        assert.equal(await guesses(hers), 0);
      }
      server.clock.now += hours(1);
      assert.equal(await guesses(hers), 12, "but time does");
      server.clock.now += hours(1);
      await comeByDirectory(hers);
    });
  });
});
