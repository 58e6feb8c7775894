import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, answerJson } from "../action/support/actions.ts";
import { startQuotaServer } from "../limits/support/quota.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
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

  test("no entry is imported once the caller may no longer call", async (t) => {
    const server = await startServer(t, { engine });
    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const caller = await addPerson(server, { username: "leaving" });
    await appoint(server, caller, { instance: true }, ["IAM_OWNER"]);
    const { token } = await sessionOf(server, caller);
    let leaving = "";
    const leave = async (): Promise<void> => {
      if (leaving !== "") await server.connect("service.user.v2.UserService/DeactivateUser", { userId: leaving });
    };
    receiver.answer = (_request, response) => void leave().then(() => response.end("{}"));
    const target = await actions.createTarget(`${receiver.origin}/call`, { kind: "restWebhook" });
    await actions.set({ response: { method: "/service.org.v2.OrganizationService/AddOrganization" } }, [target]);
    const next = { orgId: "720000000000000002", org: { name: "Two" } };
    const importing = (options: object) => server.connect(importData, { dataOrgs: { orgs: [...orgs, next] } }, options);
    const exists = async (id: string) =>
      (await server.connect("service.admin.v1.AdminService/GetOrgByID", { id })).status === 200;
    leaving = caller.userId;
    const { status, body } = await importing({ token });
    assert.equal(status, 401, JSON.stringify(body));
    assert.deepEqual([await exists("720000000000000001"), await exists("720000000000000002")], [true, false]);
    // The control: another caller may.
    leaving = "";
    await importing({});
    assert.ok(await exists("720000000000000002"));
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

  test("an export is read in pages, and refused when it is larger than a response may be", async (t) => {
    const server = await startServer(t, { engine, config: { bodyLimit: 20 * 1024 * 1024 } });
    const machine = (userId: string) => ({ userId, user: { userName: `robot-${userId}`, name: "Robot" } });
    const entry = (id: string, key: string, size: number) => ({
      id,
      key,
      value: Buffer.alloc(size, "x").toString("base64"),
    });
    const importing = async (org: object) => {
      const { body } = await server.connect(importData, { dataOrgs: { orgs: [{ orgId: "721", ...org }] } });
      assert.equal(body.errors, undefined, JSON.stringify(body.errors?.[0]));
    };
    const exporting = () =>
      server.connect("service.admin.v1.AdminService/ExportData", { orgIds: ["721"], responseOutput: true });
    const userMetadata = Array.from({ length: 61 }, (_, index) => entry("95", `key-${index}`, 1));
    await importing({ org: { name: "Large" }, machineUsers: [machine("95")], userMetadata });
    const keys = new Set((await exporting()).body.orgs[0].userMetadata.map(({ key }: { key: string }) => key));
    assert.equal(keys.size, 61);
    for (let from = 100; from < 148; from += 12) {
      const ids = Array.from({ length: 12 }, (_, index) => `${from + index}`);
      const large = ids.flatMap((id) => [entry(id, "a", 370_000), entry(id, "b", 370_000)]);
      await importing({ machineUsers: ids.map(machine), userMetadata: large });
    }
    const refused = await exporting();
    assert.equal(refused.body.code, "resource_exhausted");
    assert.equal(refused.body.details[0].debug.id, "data.too_much");
  });
});
