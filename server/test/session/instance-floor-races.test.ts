import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { onPostgres } from "../support/databases/databases.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { startServer } from "../support/servers/server.ts";
import { signInBrowser } from "../support/sign-in/sign-in-browser.ts";

const settle = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

// On SQLite units of work come one after the other.
onPostgres(() => {
  test("sessions come before or after an appointment, not meanwhile, whatever the settings (A26)", async (t) => {
    const server = await startServer(t, { engine: "postgres" });
    const { database, findInstanceByHost, newId } = server.app.domain;
    const { instanceId = "" } = (await findInstanceByHost("localhost")) ?? {};
    const [lax, usual] = [await addOrganization(server, "Lax"), await addOrganization(server, "Usual")];
    await changeSettings(server, "login", { forceMfa: true });
    await changeSettings(server, "login", { forceMfa: false }, lax);
    const call = testCall({ instanceId, now: server.clock.now });
    for (const organizationId of [lax, usual]) {
      const { userId } = await addPerson(server, { username: `of-${organizationId}`, organizationId });
      const order: string[] = [];
      const gate = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      // As an appointment holds its user, which first ends the sessions that there are.
      const appointed = database.touch(call, async (tx) => {
        await tx.all(
          sql`select user_id from users where instance_id = ${instanceId} and user_id = ${userId} for update`,
        );
        held.resolve();
        await gate.promise;
        order.push("appointed");
      });
      await held.promise;
      const browser = { from: `from ${userId}`, to: `to ${userId}` };
      const given = { userId, organizationId, authRequestId: undefined, browser, expiresAt: call.now + 60_000 };
      const signedIn = database.touch(call, (tx) => signInBrowser(tx, { newId }, given));
      void signedIn.then(() => order.push("signed in"));
      await Promise.race([signedIn, settle(1_000)]);
      gate.resolve();
      await appointed;
      assert.ok(await signedIn);
      assert.equal(order.join(", "), "appointed, signed in");
    }
  });
});
