import assert from "node:assert/strict";
import { addApp, callUser, createSession, slugOf } from "../factor/support.ts";
import { addPerson, type Person } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";
import { appCode } from "../support/sign-in/totp.ts";

const checksOf = ({ userId, password }: Person, more: object = {}) => ({
  checks: { user: { userId }, password: { password }, ...more },
});

/**
 * What both generations of the API show of a user and the authenticator app: since when, and whether, they are blocked.
 */
async function shownOf(server: TestServer, userId: string): Promise<unknown[]> {
  const { user } = await callUser(server, "GetUserByID", { userId });
  const first = await server.rest("GET", `/management/v1/users/${userId}`);
  assert.deepEqual([user.state, first.body.user.state], ["USER_STATE_ACTIVE", "USER_STATE_ACTIVE"]);
  assert.equal(user.human.passwordBlocked, first.body.user.human.passwordBlocked);
  const { result = [] } = await callUser(server, "ListAuthenticationFactors", { userId });
  const older = await server.rest("POST", `/management/v1/users/${userId}/auth_factors/_search`, { body: {} });
  assert.deepEqual(
    older.body.result.map(({ blocked }: { blocked: boolean }) => blocked),
    result.map(({ blocked = false }: { blocked?: boolean }) => blocked),
  );
  return [user.human.passwordBlocked, result.map(({ blocked = false }: { blocked?: boolean }) => blocked)];
}

serversInTurn((start, test, both) => {
  both("administrators see that a password or an app is blocked, and unblock both at once (U1)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 2, maxOtpAttempts: 2 });
    const ada = await addPerson(server, { username: "ada" });
    const { userId } = ada;
    const secret = await addApp(server, ada, (made) => appCode(made, server.clock.now));
    assert.deepEqual(await shownOf(server, userId), [undefined, [false]]);

    for (const code of ["000000", "000001"]) await createSession(server, checksOf(ada, { totp: { code } }));
    assert.deepEqual(await shownOf(server, userId), [undefined, [true]]);
    for (const password of ["one", "two"]) await createSession(server, checksOf({ ...ada, password }));
    const [since] = await shownOf(server, userId);
    assert.equal(since, new Date(server.clock.now).toISOString().replace(".000Z", "Z"));
    assert.equal(slugOf(await createSession(server, checksOf(ada))), "user.password_blocked");

    await callUser(server, "UnlockUser", { userId });
    assert.deepEqual(await shownOf(server, userId), [undefined, [false]]);
    server.clock.now += 60_000;
    const totp = { code: appCode(secret, server.clock.now) };
    assert.equal(slugOf(await createSession(server, checksOf(ada, { totp }))), "done");
  });

  test("unlocking by the first generation of the API unblocks a password and an app as well (U1)", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 1, maxOtpAttempts: 1 });
    const ada = await addPerson(server, { username: "ada" });
    await addApp(server, ada, (made) => appCode(made, server.clock.now));
    await createSession(server, checksOf(ada, { totp: { code: "000000" } }));
    assert.deepEqual(await shownOf(server, ada.userId), [undefined, [true]]);
    const unlock = () => server.rest("POST", `/management/v1/users/${ada.userId}/_unlock`, { body: {} });
    assert.equal((await unlock()).status, 200, "an app alone");
    assert.deepEqual(await shownOf(server, ada.userId), [undefined, [false]]);
    await createSession(server, checksOf({ ...ada, password: "one" }));
    assert.equal((await unlock()).status, 200);
    assert.deepEqual(await shownOf(server, ada.userId), [undefined, [false]]);
  });
});
