import assert from "node:assert/strict";
import { countStatements } from "../support/databases/counted-statements.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addPerson, appoint } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";

serversInTurn((start, test) => {
  test("settings of another organization are refused before its administrators are judged", async (t) => {
    const server = await start(t);
    const evil = await addOwnedOrganization(server, "Evil");
    const home = await addOwnedOrganization(server, "Home");
    const add = async (username: string): Promise<void> => {
      const owner = await addPerson(server, { username, organizationId: home.organizationId });
      await appoint(server, owner, { organizationId: home.organizationId }, ["ORG_OWNER"]);
    };
    const counted = countStatements(server.app.domain.database);
    const body = { ctx: { orgId: home.organizationId } };
    const changes = {
      UpdateLoginSettings: { ...body, settings: { forceMfa: true }, updateMask: "forceMfa" },
      ResetLoginSettings: body,
    };
    const costs = async (token: string): Promise<[number, number][]> => {
      const found: [number, number][] = [];
      for (const [method, change] of Object.entries(changes)) {
        let status = 0;
        const sent = await counted.during(async () => {
          ({ status } = await server.connect(`service.settings.v2.SettingsService/${method}`, change, { token }));
        });
        found.push([status, sent.length]);
      }
      return found;
    };
    await add("first");
    await costs(evil.token);
    const before = await costs(evil.token);
    for (let count = 0; count < 3; count++) await add(`owner-${count}`);
    const after = await costs(evil.token);
    assert.deepEqual(
      before.map(([status]) => status),
      [404, 404],
    );
    assert.deepEqual(after, before);
    assert.deepEqual(
      (await costs(home.token)).map(([status]) => status),
      [200, 200],
    );
  });
});
