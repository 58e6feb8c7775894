import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Database, rowLock, sql, type Tx } from "../../src/database/index.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const expirationDate = "2100-01-01T00:00:00Z";

/** Returns what sets the steady clock forward: a call that waits has then waited for long. */
function steadyClock(t: TestContext): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let added = 0;
  t.mock.method(performance, "now", () => now() + added);
  return (milliseconds) => {
    added += milliseconds;
  };
}

/** Does something at the end of the next change of another caller, and tells of the next one of this caller. */
function between(
  database: Database,
  { userId, atEnd }: { readonly userId: string; readonly atEnd: (tx: Tx) => Promise<void> },
) {
  const { change } = database;
  const isAsked = Promise.withResolvers<void>();
  let isDone = false;
  database.change = (call, work) => {
    const isOwn = call.caller?.userId === userId;
    if (isOwn) isAsked.resolve();
    if (isDone || isOwn || call.caller === undefined)
      return change.call(database, call, work) as ReturnType<typeof work>;
    isDone = true;
    return change.call(database, call, async (tx) => {
      const result = await work(tx);
      await atEnd(tx);
      return result;
    }) as ReturnType<typeof work>;
  };
  return { isAsked: isAsked.promise };
}

eachServer((start) => {
  test("a change that waited is refused where its caller lost the right meanwhile, and no other", async (t) => {
    const server = await start(t);
    const wait = steadyClock(t);
    const { database } = server.app.domain;
    const permissions = "service.internal_permission.v2.InternalPermissionService";

    /** Makes a token while the position of an administrator is removed; the change waits for that. */
    const answerOf = async (name: string, whose: "its own" | "a foreign" | "another's"): Promise<number> => {
      const mine = await addOwnedOrganization(server, name);
      const other = await addOwnedOrganization(server, `${name} other`);
      await appoint(server, mine, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      const door = await addServiceAccount(server, mine.organizationId, `door-of-${name}`);
      const isHeld = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const { isAsked } = between(database, {
        userId: mine.userId,
        atEnd: async (tx) => {
          // What the other change locks; SQLite has one writer.
          await tx.all(sql`select user_id as "userId" from users
            where instance_id = ${tx.instanceId} and user_id = ${door.userId} ${rowLock(tx, "alone")}`);
          isHeld.resolve();
          await goOn.promise;
        },
      });
      const { userId } = whose === "another's" ? other : mine;
      const { organizationId } = whose === "its own" ? mine : other;
      const removal = server.connect(`${permissions}/DeleteAdministrator`, { userId, resource: { organizationId } });
      await isHeld.promise;
      const adding = server.connect(
        "service.user.v2.UserService/AddPersonalAccessToken",
        { userId: door.userId, expirationDate },
        { token: mine.token },
      );
      await isAsked;
      wait(1000);
      goOn.resolve();
      assert.equal((await removal).status, 200);
      return (await adding).status;
    };
    assert.equal(await answerOf("Kept", "another's"), 200);
    assert.notEqual(await answerOf("Lost", "its own"), 200);
    // Others give and take positions on what is theirs; that refuses no change of what is not.
    assert.equal(await answerOf("Elsewhere", "a foreign"), 200);
  });
});
