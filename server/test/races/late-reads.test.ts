import assert from "node:assert/strict";
import { test } from "node:test";
import { addOwnedOrganization, addServiceAccount } from "../support/people/owners.ts";
import { appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

eachServer((start) => {
  test("a read that waited answers by the rights that its caller has when it ends", async (t) => {
    const server = await start(t);
    const { read } = server.app.domain.database;
    const { organizationId, token: owner } = await addOwnedOrganization(server, "Acme");
    const call = async (method: string, body: object, token?: string) => {
      const { status, body: answer } = await server.connect(`service.${method}`, body, token ? { token } : {});
      assert.equal(status, 200, `${method}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const { projectId } = await call(
      "project.v2.ProjectService/CreateProject",
      { organizationId, name: "Shop" },
      owner,
    );
    const viewers = await Promise.all(
      ["first", "second", "third"].map(async (name) => {
        const viewer = await addServiceAccount(server, organizationId, name);
        await appoint(server, viewer, { organizationId }, ["ORG_OWNER_VIEWER"]);
        return viewer;
      }),
    );
    const [first, second, third] = viewers;
    assert.ok(first && second && third);

    // The list of roles is held up until something has happened, for as long as lists may wait for their turn.
    const now = performance.now.bind(performance);
    let added = 0;
    t.mock.method(performance, "now", () => now() + added);
    let meanwhile: (() => Promise<unknown>) | undefined;
    const all = read.all.bind(read);
    t.mock.method(read, "all", async (...[statement]: Parameters<typeof all>) => {
      const work = meanwhile;
      if (work === undefined || !statement.shape.sqlite.includes("from project_roles r join")) return all(statement);
      meanwhile = undefined;
      const rows = await all(statement);
      await work();
      return rows;
    });
    const list = async (token: string, seconds: number, work: () => Promise<unknown>) => {
      meanwhile = async () => {
        await work();
        added += seconds * 1000;
      };
      const { status } = await server.connect(
        "service.project.v2.ProjectService/ListProjectRoles",
        { projectId },
        { token },
      );
      assert.equal(meanwhile, undefined, "it was held up");
      return status;
    };
    const dismiss = ({ userId }: { userId: string }) =>
      call("internal_permission.v2.InternalPermissionService/DeleteAdministrator", {
        userId,
        resource: { organizationId },
      });
    const deactivate = ({ userId }: { userId: string }) => call("user.v2.UserService/DeactivateUser", { userId });

    assert.equal(await list(first.token, 19, async () => {}), 200, "who kept everything");
    assert.equal(await list(first.token, 19, () => dismiss(second)), 200, "when another one was dismissed");
    assert.equal(await list(first.token, 19, () => dismiss(first)), 429, "who was dismissed");
    assert.equal(await list(third.token, 19, () => deactivate(third)), 401, "who was deactivated");
  });
});
