import assert from "node:assert/strict";
import { sql } from "../../../src/database/index.ts";
import { addPerson, goodPassword } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { serversInTurn } from "../../support/servers/each-server.ts";
import { addClient } from "../../support/sign-in/sign-in-client.ts";
import { isBack, visit } from "../support/sign-in.ts";

serversInTurn((start, test, both) => {
  both(
    "parallel guesses on the pages and by the API together get no more than the settings allow; then no answer tells",
    async (t) => {
      const server = await start(t);
      await changeSettings(server, "lockout", { maxPasswordAttempts: 5 });
      const ada = await addPerson(server, { username: "ada" });
      const client = await addClient(server);
      const visitors = await Promise.all(Array.from({ length: 8 }, () => visit(server, client)));
      const names = [ada.loginName, "ada", "ADA", "ada@mail.example"];
      const asked = await Promise.all(
        visitors.map(({ browser, page }, index) =>
          browser.submit(page, { login_name: names[index % names.length] ?? "" }),
        ),
      );
      const [guesses] = await Promise.all([
        Promise.all(
          visitors.map(({ browser }, index) =>
            browser.submit(asked[index] ?? assert.fail(), { password: `guess ${index}` }),
          ),
        ),
        Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            server.rest("POST", "/v2/sessions", {
              body: { checks: { user: { userId: ada.userId }, password: { password: `other guess ${index}` } } },
            }),
          ),
        ),
      ]);
      assert.equal(
        new Set(guesses.map(({ alert }) => alert)).size,
        1,
        "a blocked account answers like a wrong password",
      );
      assert.equal(await failedChecks(server, ada.userId), 5, "and five were evaluated");
      // What comes from this source is throttled by now, until later.
      server.clock.now += 600_000;
      const { browser, page } = await visit(server, client);
      const password = await browser.submit(page, { login_name: ada.loginName });
      const right = await browser.submit(password, { password: goodPassword });
      assert.equal(right.alert, guesses[0]?.alert);
      await server.connect("service.user.v2.UserService/LockUser", { userId: ada.userId });
      await server.connect("service.user.v2.UserService/UnlockUser", { userId: ada.userId });
      assert.ok(isBack(await browser.submit(right, { password: goodPassword })), "until somebody unlocks it");
    },
  );

  test("guesses at the current password of a forced change count like any other", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 3 });
    const ada = await addPerson(server, { username: "ada", changeRequired: true });
    const { browser, page } = await visit(server, await addClient(server));
    const password = await browser.submit(page, { login_name: ada.loginName });
    let change = await browser.submit(password, { password: goodPassword });
    const fresh = { new_password: "a fresh long sentence", new_password_repeated: "a fresh long sentence" };
    for (let guess = 0; guess < 3; guess++) {
      change = await browser.submit(change, {
        current_password: `guess ${guess}`,
        ...fresh,
      });
      assert.match(change.alert ?? "", /current password is wrong/);
    }
    const right = await browser.submit(change, {
      current_password: goodPassword,
      ...fresh,
    });
    assert.match(right.alert ?? "", /current password is wrong/);
  });
});

async function failedChecks(
  { app: { domain } }: Parameters<typeof addPerson>[0],
  userId: string,
): Promise<number | undefined> {
  const row = await domain.database.read.maybe<{ count: number }>(
    sql`select failed_password_checks as "count" from users where user_id = ${userId}`,
  );
  return row?.count;
}
