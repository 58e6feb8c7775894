import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Database, join, noteEnded, rowLock, sql, type Tx } from "../../src/database/index.ts";
import { TooMuchForOneUnit } from "../../src/database/too-much.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import type { TestServer } from "../support/servers/server.ts";

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

/** Does something at the end of each batch that changes of this caller do first. */
function atBatch(database: Database, userId: string, atEnd: (tx: Tx) => Promise<void>): void {
  const { change } = database;
  database.change = (call, work) =>
    change.call(database, call, async (tx) => {
      try {
        return await work(tx);
      } catch (error) {
        if (!(error instanceof TooMuchForOneUnit) || call.caller?.userId !== userId) throw error;
        const perform = async (own: Tx): Promise<boolean> => {
          const hasMore = await error.perform(own);
          await atEnd(own);
          return hasMore;
        };
        throw new TooMuchForOneUnit(perform);
      }
    }) as ReturnType<typeof work>;
}

/** Users who let a client act for them, each with live tokens of it. */
async function addConsents(server: TestServer, clientId: string, count: number): Promise<void> {
  const { database, findInstanceByHost } = server.app.domain;
  const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
  const call = { instanceId, requestId: "consents", now: server.clock.now, language: "en" } as const;
  await database.touch(call, async (tx) => {
    const rows = Array.from(
      { length: count },
      (_, index) => sql`(${tx.instanceId}, ${`user-${index}`}, ${clientId}, 'openid',
      1, ${tx.now}, ${tx.now})`,
    );
    await tx.run(sql`insert into consents (instance_id, user_id, client_id, scope, sequence, created_at, changed_at)
      values ${join(rows, ", ")}`);
    for (let index = 0; index < 2 * count; index++)
      await tx.run(sql`insert into token_families (instance_id, family_id, client_id, user_id, scope, audience,
          authentication_methods, created_at, expires_at, sequence)
        values (${tx.instanceId}, ${`${clientId}-${index}`}, ${clientId}, ${`user-${index % count}`}, 'openid', ${clientId},
          'pwd', ${tx.now}, ${tx.now + 3_600_000}, 1)`);
  });
}

eachServer((start) => {
  test("a change that waited is refused where its caller lost the right meanwhile, and no other", async (t) => {
    const server = await start(t);
    const wait = steadyClock(t);
    const { database } = server.app.domain;
    const permissions = "service.internal_permission.v2.InternalPermissionService";
    // Each call asks then whether its caller is of the instance, which no position of others decides.
    const target = await server.rest("POST", "/v2/actions/targets", {
      body: { name: "Unused", endpoint: "http://127.0.0.1:9/x", timeout: "1s", restAsync: {} },
    });
    const isSet = await server.connect("service.action.v2.ActionService/SetExecution", {
      condition: { request: { method: "/service.org.v2.OrganizationService/AddOrganization" } },
      targets: [target.body.id],
    });
    assert.equal(isSet.status, 200);

    /** Makes a token while the position of an administrator is removed; the change waits for that. */
    const answerOf = async (name: string, whose: "its own" | "a foreign" | "another's" | "another way's") => {
      const mine = await addOwnedOrganization(server, name);
      const other = await addOwnedOrganization(server, `${name} other`);
      await appoint(server, mine, { organizationId: other.organizationId }, ["ORG_OWNER_VIEWER"]);
      const door = await addServiceAccount(server, mine.organizationId, `door-of-${name}`);
      // What the user has, the caller has to have: by owning the project too, or the organization that it is in.
      const { body: project } = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId: mine.organizationId,
        name,
      });
      const { projectId } = project;
      for (const owner of [door, mine]) await appoint(server, owner, { projectId }, ["PROJECT_OWNER"]);
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
      const resource = whose === "another way's" ? { projectId } : { organizationId };
      const removal = server.connect(`${permissions}/DeleteAdministrator`, { userId, resource });
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
    assert.equal(await answerOf("Bypass", "another way's"), 200);
  });

  test("a change whose first batches took long is refused where its caller lost the right meanwhile", async (t) => {
    const server = await start(t);
    const wait = steadyClock(t);
    const { database } = server.app.domain;
    const applications = "service.application.v2.ApplicationService";
    const addressesAfter = async (
      isLost: boolean,
      ended: "nothing" | "credential" | "position",
    ): Promise<{ status: number; count: number }> => {
      const mine = await addOwnedOrganization(server, `${isLost ? "Lost" : "Kept"} ${ended}`);
      const other = await addOwnedOrganization(server, `Other ${isLost} ${ended}`);
      const { organizationId } = other;
      await appoint(server, mine, { organizationId }, ["ORG_OWNER_VIEWER"]);
      const made = await server.connect("service.project.v2.ProjectService/CreateProject", {
        organizationId: mine.organizationId,
        name: "Project",
      });
      const { projectId } = made.body;
      const { body } = await server.connect(`${applications}/CreateApplication`, {
        projectId,
        name: "App",
        oidcConfiguration: {
          redirectUris: ["https://bank.example/cb"],
          responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
          grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
        },
      });
      const { applicationId } = body;
      await addConsents(server, body.oidcConfiguration.clientId, 101);
      atBatch(database, mine.userId, async (tx) => {
        wait(1000);
        // As batches do that end what the caller acts by.
        const { userId } = mine;
        if (ended === "credential") {
          await tx.run(sql`delete from personal_access_tokens
            where instance_id = ${tx.instanceId} and user_id = ${userId}`);
          noteEnded(tx, { familyIds: [tx.call.caller?.token?.familyId ?? ""] });
        } else if (ended === "position") {
          await tx.run(sql`delete from membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId}
            and resource_id = ${organizationId}`);
          noteEnded(tx, { positions: [{ level: "organization", resourceId: organizationId, userId }] });
        }
        if (!isLost) return;
        await tx.run(sql`delete from membership_roles where instance_id = ${tx.instanceId} and user_id = ${userId}`);
      });
      const redirectUris = ["https://bank.example/cb", "https://evil.example/cb"];
      const change = { projectId, applicationId, oidcConfiguration: { redirectUris } };
      const { status } = await server.connect(`${applications}/UpdateApplication`, change, { token: mine.token });
      const read = await server.connect(`${applications}/GetApplication`, { applicationId });
      return { status, count: read.body.application.oidcConfiguration.redirectUris.length };
    };
    for (const ended of ["nothing", "credential", "position"] as const) {
      assert.deepEqual(await addressesAfter(false, ended), { status: 200, count: 2 }, ended);
      const { status, count } = await addressesAfter(true, ended);
      assert.equal(count, 1, ended);
      assert.notEqual(status, 200, ended);
    }
  });
});
