import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reasonWithoutPostgres } from "../support/databases/engines.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";
import { comparable, everything, guestId, homeId } from "./support/everything.ts";

const admin = "service.admin.v1.AdminService";

const importing = (server: TestServer, orgs: unknown, options = {}) =>
  server.connect(`${admin}/ImportData`, { dataOrgs: { orgs } }, options);

async function exporting(server: TestServer): Promise<readonly Record<string, unknown>[]> {
  const answer = await server.connect(`${admin}/ExportData`, { orgIds: [homeId, guestId], responseOutput: true });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.orgs;
}

describe("data of organizations", { skip: reasonWithoutPostgres() }, () => {
  for (const [from, to] of [
    ["sqlite", "postgres"],
    ["postgres", "sqlite"],
  ] as const) {
    test(`is exported from ${from}, imported on ${to}, and exported equal`, async (t) => {
      const first = await startServer(t, { engine: from });
      const given = everything();
      const imported = await importing(first, given);
      assert.equal(imported.status, 200, JSON.stringify(imported.body));
      assert.deepEqual(imported.body.errors ?? [], []);
      const [home, guest] = imported.body.success.orgs;
      assert.deepEqual(home.humanUserIds, ["74", "75"]);
      assert.deepEqual(home.projectIds, ["71", "79"]);
      assert.equal(home.machineKeys.length, 1);
      assert.equal(guest.userGrants.length, 1);

      const events = (await first.connect(`${admin}/ListEvents`, { limit: 400 })).body.events;
      const sent = events
        .map(({ type }: { type: { type: string } }) => type.type)
        .filter((type: string) => /code/.test(type));
      assert.deepEqual(sent, [], "no messages");

      const exported = await exporting(first);
      assert.ok(!JSON.stringify(exported).includes("$2b$"), "hashes stay");
      assert.ok(!JSON.stringify(exported).includes("what the provider gave"), "secrets stay");
      const fields = new Set(Object.keys({ ...exported[0], ...exported[1] }));
      // What nothing but an import has: keys are not readable.
      const missing = Object.keys(Object.assign({}, ...given)).filter((field) => !fields.has(field));
      assert.deepEqual(missing, ["machineKeys"]);
      assert.equal(exported[1]?.["loginPolicy"], undefined, "it goes on to follow its instance");

      const second = await startServer(t, { engine: to });
      const filled = JSON.parse(JSON.stringify(exported));
      for (const { idp } of filled[0].oidcIdps) idp.clientSecret = "given again";
      const again = await importing(second, filled);
      const generated = (again.body.errors ?? []).filter(({ type }: { type: string }) => type !== "domain");
      assert.deepEqual(generated, [], JSON.stringify(again.body.errors));
      assert.deepEqual(comparable(await exporting(second)), comparable(exported));

      // A repetition changes nothing, and says of each entry that it exists.
      const repeated = await importing(second, filled);
      for (const { message } of repeated.body.errors) {
        assert.match(message, /taken|exists|inactive|deactivated/);
      }
      assert.deepEqual(comparable(await exporting(second)), comparable(exported));
    });
  }
});
