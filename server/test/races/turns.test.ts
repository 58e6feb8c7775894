import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql, type Tx } from "../../src/database/index.ts";
import { holdAdministratorScope, holdAppointee } from "../../src/domain/administrator-access/index.ts";
import { holdApplication } from "../../src/domain/application/index.ts";
import { holdConsent } from "../../src/domain/consent/index.ts";
import { holdGroup } from "../../src/domain/group/index.ts";
import { holdOrganization, recordOrganizationEvent } from "../../src/domain/organization/index.ts";
import { holdProject } from "../../src/domain/project/index.ts";
import { holdSignInEpoch, holdUser } from "../../src/domain/user/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { untilWaiting } from "../support/databases/outside-transaction.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";

type Hold = (tx: Tx) => Promise<unknown>;

interface Shared {
  readonly share: Hold;
  readonly alone: Hold;
}

// With locks of rows, units that share a row keep one that waits to have it alone waiting for as long as they overlap.
// On SQLite there is one writer.
onPostgres(() => {
  test("a unit that waits to have something alone comes before those that share it later", async (t) => {
    const { things, touch, untilWaiting } = await start(t);
    for (const [name, { share, alone }] of Object.entries(things)) {
      await t.test(name, async () => {
        const order: string[] = [];
        // In the unit: the server wakes what waits for a lock before it answers the commit that gave it up.
        const noted = (which: string, hold: Hold) => async (tx: Tx) => {
          await hold(tx);
          order.push(which);
        };
        const first = await keep(touch, share);
        const units = [first.end];
        try {
          await touch(noted("beside", share));
          const second = touch(noted("alone", alone));
          units.push(() => second);
          await untilWaiting(1);
          const third = touch(noted("later", share));
          units.push(() => third);
          await untilWaiting(2);
        } finally {
          await Promise.all(units.map((end) => end()));
        }
        assert.deepEqual(order, ["beside", "alone", "later"]);
      });
    }
  });

  test("a unit that shares an organization changes it although another waits to have it alone", async (t) => {
    const { things, organizationId, touch, untilWaiting } = await start(t);
    const { share, alone } = things["organization"] as Shared;
    const event = { type: "organization.metadata.set", payload: { keys: [] } };
    const first = await keep(touch, share, (tx) => recordOrganizationEvent(tx, organizationId, event));
    const second = touch(alone);
    await untilWaiting(1);
    await first.end();
    await second;
  });
});

async function start(t: TestContext) {
  const server = await startOidcServer(t, { engine: "postgres" });
  const { domain } = server.app;
  const { database } = domain;
  const instance = await domain.findInstanceByHost("localhost");
  const call = testCall({ instanceId: instance?.instanceId ?? "", now: domain.clock() });
  const touch = (work: Hold): Promise<void> => database.touch(call, async (tx) => void (await work(tx)));
  const { organizationId, things } = await makeThings(server, touch);
  return { organizationId, things, touch, untilWaiting: (count: number) => untilWaiting(database, count) };
}

/** Begins a unit of work that has something, and keeps it until the end is called; then it does the rest. */
async function keep(touch: (work: Hold) => Promise<void>, hold: Hold, rest: Hold = async () => {}) {
  const [held, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const unit = touch(async (tx) => {
    assert.notEqual(await hold(tx), undefined);
    held.resolve();
    await goOn.promise;
    await rest(tx);
  });
  await held.promise;
  return {
    end: () => {
      goOn.resolve();
      return unit;
    },
  };
}

/** Makes one of each of the things that units of work share. */
async function makeThings(server: OidcServer, touch: (work: Hold) => Promise<void>) {
  const { organizationId, userId } = await addOwnedOrganization(server, "Owner");
  const other = await addOwnedOrganization(server, "Partner");
  const ask = async (method: string, body: object) => (await server.connect(`service.${method}`, body)).body;
  const { projectId } = await ask("project.v2.ProjectService/CreateProject", { organizationId, name: "P" });
  const grant = { projectId, grantedOrganizationId: other.organizationId };
  await ask("project.v2.ProjectService/CreateProjectGrant", { ...grant, roleKeys: [] });
  const { id: groupId } = await ask("group.v2.GroupService/CreateGroup", { organizationId, name: "G" });
  const { applicationId, clientId } = server.client;
  const consent = { userId, clientId };
  await touch((tx) =>
    tx.run(sql`insert into consents (instance_id, user_id, client_id, scope, author, sequence, created_at, changed_at)
      values (${tx.instanceId}, ${userId}, ${clientId}, 'openid', '', 1, ${tx.now}, ${tx.now})`),
  );
  const things: Readonly<Record<string, Shared>> = {
    organization: {
      share: (tx) => holdOrganization(tx, organizationId),
      alone: (tx) => holdOrganization(tx, organizationId, "alone"),
    },
    "organization that gets an administrator": {
      share: (tx) => holdAdministratorScope(tx, { level: "organization", organizationId }),
      alone: (tx) => holdOrganization(tx, organizationId, "alone"),
    },
    project: {
      share: (tx) => holdProject(tx, projectId, "share"),
      alone: (tx) => holdProject(tx, projectId, "alone"),
    },
    "grant that gets an administrator": {
      share: (tx) => holdAdministratorScope(tx, { level: "project_grant", ...grant }),
      alone: (tx) => holdProject(tx, projectId, "alone"),
    },
    group: {
      share: (tx) => holdGroup(tx, groupId, "share"),
      alone: (tx) => holdGroup(tx, groupId, "alone"),
    },
    user: {
      share: (tx) => holdSignInEpoch(tx, userId),
      alone: (tx) => holdUser(tx, userId),
    },
    "user who is appointed": {
      share: (tx) => holdSignInEpoch(tx, userId),
      alone: (tx) => holdAppointee(tx, userId),
    },
    application: {
      share: (tx) => holdApplication(tx, applicationId, "share"),
      alone: (tx) => holdApplication(tx, applicationId),
    },
    consent: {
      share: (tx) => holdConsent(tx, consent, "share"),
      alone: (tx) => holdConsent(tx, consent),
    },
  };
  return { organizationId, things };
}
