import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { actionsOf } from "../action/support/actions.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { startServer } from "../support/servers/server.ts";

const method = "service.authorization.v2.AuthorizationService/ListAuthorizations";
const filters = Array.from({ length: 20 }, (_, index) => ({ inUserIds: { ids: [`${index}`] } }));
const settle = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

// Elsewhere nothing makes a list wait.
onPostgres(() => {
  test("lists with many conditions take turns, even where a target sees them (A27)", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const { database, findInstanceByHost } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};

    /** Holds what the lists read; returns what ends that. */
    const hold = async (): Promise<() => Promise<unknown>> => {
      const gate = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const holding = database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
        await tx.all(sql`lock table authorizations in access exclusive mode`);
        held.resolve();
        await gate.promise;
      });
      await held.promise;
      return () => {
        gate.resolve();
        return holding;
      };
    };
    /** Asks for many lists while what they read is held; returns how many were refused. */
    const countRefused = async (): Promise<number> => {
      const release = await hold();
      let answered = 0;
      const asked = Array.from({ length: 40 }, async () => {
        const { status } = await server.connect(method, { filters });
        answered++;
        return status;
      });
      for (let count = 0; count < 20 && answered === 0; count++) await settle(100);
      await release();
      const statuses = await Promise.all(asked);
      assert.ok(statuses.every((status) => status === 200 || status === 429));
      return statuses.filter((status) => status === 429).length;
    };
    assert.ok((await countRefused()) > 0, "more than sixteen of a caller do not wait");
    server.clock.now += 120_000;
    const target = await actions.createTarget(receiver.origin, { kind: "restAsync" });
    await actions.set({ request: { method: `/${method}` } }, [target]);
    assert.ok((await countRefused()) > 0, "with a target");
    await actions.set({ request: { method: `/${method}` } }, []);
    // Six users of an organization, as many lists as would fill the queue of the instance.
    const [bank, evil] = [await addOwnedOrganization(server, "Bank"), await addOwnedOrganization(server, "Evil")];
    const names = Array.from({ length: 6 }, (_, index) => `plain-${index}`);
    const users = await Promise.all(names.map((name) => addServiceAccount(server, evil.organizationId, name)));
    // What is known of callers is kept before it is held.
    for (const { token } of [bank, evil, ...users]) await server.connect(method, {}, { token });
    const release = await hold();
    let refused = 0;
    const ask = async (token: string): Promise<number> => {
      const { status } = await server.connect(method, { filters }, { token });
      if (status === 429) refused++;
      return status;
    };
    const lists = users.flatMap(({ token }) => Array.from({ length: 15 }, () => ask(token)));
    // One is read, and of an organization 32 wait, half of what may wait in the instance.
    for (let count = 0; count < 200 && refused < 40; count++) await settle(20);
    const ofBank = ask(bank.token);
    await server.rest("GET", "/debug/healthz", { token: null });
    await release();
    assert.equal(await ofBank, 200, "the list of another organization");
    assert.ok(refused >= 40, `${refused} of the users were refused`);
    await Promise.all(lists);
  });
});
