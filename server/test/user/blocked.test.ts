import assert from "node:assert/strict";
import { addApp, callUser, createSession, slugOf } from "../factor/support.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
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

  both("one condition finds users who are locked, or whose password or factor is blocked", async (t) => {
    const server = await start(t);
    await changeSettings(server, "lockout", { maxPasswordAttempts: 1, maxOtpAttempts: 1 });
    const acme = await addOwnedOrganization(server, "Acme");
    const other = await addOwnedOrganization(server, "Other");
    const { organizationId } = acme;
    const add = (username: string) => addPerson(server, { username, organizationId });
    const [locked, password, factor, free] = [await add("a"), await add("b"), await add("c"), await add("d")];
    await callUser(server, "LockUser", { userId: locked.userId });
    await createSession(server, checksOf({ ...password, password: "wrong" }));
    await addApp(server, factor, (made) => appCode(made, server.clock.now));
    await createSession(server, checksOf(factor, { totp: { code: "000000" } }));
    const find = async (query: object, token?: string): Promise<string[]> => {
      const { result = [] } = await callUser(server, "ListUsers", { queries: [query] }, token);
      return result.map(({ userId }: { userId: string }) => userId).sort();
    };
    const blockedQuery = {};
    const ids = [locked, password, factor].map(({ userId }) => userId).sort();
    assert.deepEqual(await find({ blockedQuery }), ids);
    assert.deepEqual(await find({ blockedQuery }, acme.token), ids);
    assert.deepEqual(await find({ blockedQuery }, other.token), []);
    const others = await find({ notQuery: { query: { blockedQuery } } }, acme.token);
    assert.ok(others.includes(free.userId));
    assert.deepEqual(
      others.filter((id) => ids.includes(id)),
      [],
    );
    const either = [{ blockedQuery }, { inUserIdsQuery: { userIds: [free.userId] } }];
    assert.deepEqual(await find({ orQuery: { queries: either } }), [...ids, free.userId].sort());

    for (const { userId } of [locked, password, factor]) await callUser(server, "UnlockUser", { userId });
    assert.deepEqual(await find({ blockedQuery }), []);
  });
});
