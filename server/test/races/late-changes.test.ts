import assert from "node:assert/strict";
import { test } from "node:test";
import { type Database, noteEnded, rowLock, sql, type Tx } from "../../src/database/index.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addConsents, atBatch, steadyClock } from "./support.ts";

const expirationDate = "2100-01-01T00:00:00Z";

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
      ended: "nothing" | "position",
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
        if (ended === "position") {
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
    for (const ended of ["nothing", "position"] as const) {
      assert.deepEqual(await addressesAfter(false, ended), { status: 200, count: 2 }, ended);
      const { status, count } = await addressesAfter(true, ended);
      assert.equal(count, 1, ended);
      assert.notEqual(status, 200, ended);
    }
  });
});
