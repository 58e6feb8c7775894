import assert from "node:assert/strict";
import { test } from "node:test";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { startOidcServer } from "../../support/oidc/oidc.ts";
import { addPerson, type Person } from "../../support/people/people.ts";

enginesInTurn((engine) => {
  test("users of a custom login wait among guesses from many addresses as each at an address of their own", async (t) => {
    const config = { trustedProxies: ["127.0.0.0/8"] };
    const server = await startOidcServer(t, { engine, passwordCost: "usual", config });
    const strangers = 20;
    const prey: Person[] = [];
    for (let index = 0; index < strangers; index++) prey.push(await addPerson(server, { username: `prey${index}` }));
    const users: Person[] = [];
    for (let index = 0; index < 6; index++) users.push(await addPerson(server, { username: `user${index}` }));
    const answered: string[] = [];
    const open = async (who: string, user: { userId: string; password: string }, from: string, ip?: string) => {
      const { userId, password } = user;
      const { status } = await server.rest("POST", "/v2/sessions", {
        token: ip === undefined ? server.ownerToken : server.loginToken,
        headers: { "x-forwarded-for": from },
        body: {
          checks: { user: { userId }, password: { password } },
          ...(ip !== undefined && { userAgent: { ip } }),
        },
      });
      answered.push(who);
      return status;
    };
    const flood = prey.flatMap(({ userId }, index) =>
      [1, 2, 3, 4].map(() => open("stranger", { userId, password: "a guess" }, `203.0.113.${index + 1}`)),
    );
    while (answered.length < 8) await new Promise((resolve) => setTimeout(resolve, 1));
    const signedIn = users.map((user, index) => open(user.userId, user, "198.51.100.1", `192.0.2.${index + 1}`));
    for (const status of await Promise.all(signedIn)) assert.equal(status, 201);
    await Promise.all(flood);
    const last = Math.max(...users.map(({ userId }) => answered.indexOf(userId)));
    assert.ok(last < (strangers * 4 * 3) / 4, `the last user signed in after ${last} of ${answered.length} checks`);
  });
});
