import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startReceiver } from "../support/http/receiver.ts";
import { addOwnedOrganization, type OwnedOrganization } from "../support/people/owners.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { addProject, metadataOf, startNow } from "./support.ts";

const minute = 60_000;
const many = 60;

eachServer((start) => {
  test("the many applications of an organization do not keep others' metadata from being fetched", async (t) => {
    const server = await startNow(start, t);
    const receiver = await startReceiver(t);
    const gate = Promise.withResolvers<void>();
    let isHeld = false;
    receiver.answer = ({ path }, response) => {
      const isOfBank = path === "/bank";
      const until = new Date(server.clock.now + (isOfBank ? 60 : 1) * minute).toISOString();
      const metadata = metadataOf({ entityId: `https://sp.example${path}`, further: ` validUntil="${until}"` });
      const held = isHeld && !isOfBank ? gate.promise : Promise.resolve();
      void held.then(() => response.end(metadata));
    };
    const add = async ({ organizationId, token }: OwnedOrganization, names: readonly string[]): Promise<void> => {
      const projectId = await addProject(server, { organizationId });
      for (const name of names) {
        const samlConfiguration = { metadataUrl: `${receiver.origin}/${name}` };
        const created = await server.connect(
          "service.application.v2.ApplicationService/CreateApplication",
          { projectId, name, samlConfiguration },
          { token },
        );
        assert.equal(created.status, 200, JSON.stringify(created.body));
      }
    };
    await add(
      await addOwnedOrganization(server, "Evil"),
      Array.from({ length: many }, (_, index) => `evil-${index}`),
    );
    await add(await addOwnedOrganization(server, "Bank"), ["bank"]);
    receiver.received.splice(0);
    isHeld = true;
    const fetched = () => ({
      bank: receiver.received.filter(({ path }) => path === "/bank").length,
      evil: receiver.received.filter(({ path }) => path !== "/bank").length,
    });
    // All are due, the bank's last.
    server.clock.now += 31 * minute;
    const run = server.app.jobs.tick();
    for (let count = 0; count < 200 && Object.values(fetched()).includes(0); count++) await wait(20);
    assert.deepEqual(fetched(), { bank: 1, evil: 1 }, "while the servers of the other do not answer");
    gate.resolve();
    await run;
    assert.deepEqual(fetched(), { bank: 1, evil: 50 }, "a run fetches so many of an organization");
    server.clock.now += 5 * minute;
    await server.app.jobs.tick();
    assert.deepEqual(fetched(), { bank: 1, evil: many }, "the next run fetches the others");
  });
});
