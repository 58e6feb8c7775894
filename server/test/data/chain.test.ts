import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, answerJson } from "../action/support/actions.ts";
import { startQuotaServer } from "../limits/support/quota.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startServer } from "../support/servers/server.ts";

const importData = "service.admin.v1.AdminService/ImportData";
const orgs = [
  { orgId: "720000000000000001", org: { name: "One" }, projects: [{ projectId: "91", project: { name: "Shop" } }] },
];

eachEngine((_open, engine) => {
  test("entries pass the targets of their methods", async (t) => {
    const server = await startServer(t, { engine });
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    answerJson(receiver, ({ request }) => ({ ...request, name: "Changed" }));
    const target = await actions.createTarget(`${receiver.origin}/call`);
    await actions.set({ request: { method: "/service.project.v2.ProjectService/CreateProject" } }, [target]);
    const { body } = await server.connect(importData, { dataOrgs: { orgs } });
    assert.equal(body.errors, undefined);
    assert.equal(receiver.received.length, 1);
    const headers = { "x-service-orgid": "720000000000000001" };
    assert.equal((await server.rest("GET", "/management/v1/projects/91", { headers })).body.project.name, "Changed");
  });

  test("each entry counts as a request of the quota", async (t) => {
    const quota = await startQuotaServer(t, engine);
    await quota.set({ amount: 2, limit: true });
    const { body } = await quota.server.connect(importData, { dataOrgs: { orgs } });
    // The import, the organization, and then none for the project.
    assert.deepEqual(
      body.errors?.map(({ type }: { type: string }) => type),
      ["project"],
      JSON.stringify(body),
    );
    assert.match(body.errors[0].message, /quota/);
  });
});
