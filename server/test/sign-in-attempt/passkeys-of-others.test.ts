import assert from "node:assert/strict";
import { keysAt } from "../factor/key-support.ts";
import { ask } from "../login/support/second-factors.ts";
import { isBack, visit } from "../login/support/sign-in.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { createAuthenticator } from "../support/sign-in/authenticator.ts";
import { addClient } from "../support/sign-in/sign-in-client.ts";

interface Shown {
  readonly result: string;
  readonly steps: readonly { readonly check: string; readonly outcome: string }[];
}

serversInTurn((start, test) => {
  test("the passkey of another user hides neither guesses nor a sign-in in the same browser", async (t) => {
    const server = await start(t);
    const client = await addClient(server, {}, "Shop");
    const bank = await addOwnedOrganization(server, "Bank");
    const evil = await addOwnedOrganization(server, "Evil");
    const alice = await addPerson(server, { username: "alice", organizationId: bank.organizationId });
    const bob = await addPerson(server, { username: "bob", organizationId: bank.organizationId });
    const mallory = await addPerson(server, { username: "mallory", organizationId: evil.organizationId });
    const [strange, own] = [
      createAuthenticator({ origin: server.origin }),
      createAuthenticator({ origin: server.origin }),
    ];
    await keysAt(server).register(mallory.userId, strange, "Passkey");
    await keysAt(server).register(bob.userId, own, "Passkey");
    await changeSettings(server, "login", { allowPasskeys: false }, evil.organizationId);
    /** The results of a user's attempts, newest first, with the outcomes of passwords and passkeys. */
    const attemptsOf = async (userId: string): Promise<string[]> => {
      const body = { filters: [{ userIdFilter: { id: userId } }] };
      const listed = await server.rest("POST", "/v2/sign_in_attempts/search", { body, token: bank.token });
      assert.equal(listed.status, 200, JSON.stringify(listed.body));
      return (listed.body.attempts as Shown[]).map(({ result, steps }) => {
        const proofs = steps.filter(({ check }) => /PASSWORD|PASSKEY/.test(check));
        return [result, ...proofs.map(({ outcome }) => outcome)]
          .join(" ")
          .replaceAll(/SIGN_IN_(?:RESULT|OUTCOME)_/g, "");
      });
    };
    const guessed = async (isHidden: boolean): Promise<void> => {
      const { browser, page } = await visit(server, client);
      let asked = await browser.submit(page, { login_name: alice.loginName });
      if (isHidden) {
        const { options } = await ask(browser, asked);
        const refused = await browser.submit(
          asked,
          { credential: JSON.stringify(strange.get(options)) },
          { action: "/ui/login/key" },
        );
        asked = await browser.open(refused.address.replace("/ui/login/key", "/ui/login/password"));
      }
      const wrong = await browser.submit(asked, { password: "wrong" }, { action: "/ui/login/password" });
      const back = await browser.submit(wrong, { password: alice.password }, { action: "/ui/login/password" });
      assert.ok(isBack(back), back.html);
    };
    await guessed(false);
    assert.deepEqual(await attemptsOf(alice.userId), ["SIGNED_IN WRONG PASSED"]);
    server.clock.now += 1000;
    await guessed(true);
    assert.deepEqual(await attemptsOf(alice.userId), ["SIGNED_IN WRONG PASSED", "SIGNED_IN WRONG PASSED"]);

    server.clock.now += 1000;
    const { browser, page } = await visit(server, client);
    const asked = await browser.submit(page, { login_name: alice.loginName });
    const wrong = await browser.submit(asked, { password: "wrong" }, { action: "/ui/login/password" });
    const names = await browser.open(wrong.address.replace("/ui/login/password", "/ui/login"));
    const { options } = await ask(browser, names);
    const credential = JSON.stringify(own.get(options));
    assert.ok(isBack(await browser.submit(names, { credential }, { action: "/ui/login/key" })));
    assert.deepEqual(await attemptsOf(bob.userId), ["SIGNED_IN PASSED"]);
    assert.equal((await attemptsOf(alice.userId))[0], "FAILED WRONG");
  });
});
