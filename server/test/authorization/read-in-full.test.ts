import assert from "node:assert/strict";
import { test } from "node:test";
import { seconds } from "../../src/base/clock.ts";
import { readWhole, sql } from "../../src/database/index.ts";
import { findUser } from "../../src/domain/user/index.ts";
import { listGrantsFor } from "../../src/extension/script/describe.ts";
import { actionsOf, answerJson, verified } from "../action/support/actions.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { testCall } from "../support/operations/call.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";

interface Grant {
  readonly id: string;
  readonly roles: readonly string[];
}

eachEngine((_open, engine) => {
  test("a page of role assignments that ends early is never taken for all of them", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId, user } = server;
    const { userId } = user;
    const { domain } = server.app;
    const other = await addOwnedOrganization(server, "Other");
    const { instanceId = "" } = (await domain.findInstanceByHost("localhost")) ?? {};
    const call = async (method: string, body: object) => {
      const answer = await server.connect(`service.${method}`, body);
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const authorizations = "authorization.v2.AuthorizationService";
    const roleKey = "reader";
    const makeProject = async (name: string): Promise<string> => {
      const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name });
      await call("project.v2.ProjectService/AddProjectRole", { projectId, roleKey, displayName: roleKey });
      return projectId;
    };
    const assign = async (projectId: string, of: string): Promise<string> => {
      server.clock.now += seconds(1);
      const body = { userId, projectId, organizationId: of, roleKeys: [roleKey] };
      return (await call(`${authorizations}/CreateAuthorization`, body)).id;
    };
    // More than a page has, as if another organization had assigned them.
    const fill = (id: string) =>
      domain.database.touch(testCall({ instanceId, now: server.clock.now }), async (tx) => {
        await tx.run(sql`insert into authorization_roles (instance_id, authorization_id, role_key)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
          select ${instanceId}, ${id}, 'role-' || i from n`);
      });
    const projectId = await makeProject("Library");
    const granted = { projectId, grantedOrganizationId: other.organizationId, roleKeys: [roleKey] };
    await call("project.v2.ProjectService/CreateProjectGrant", granted);
    const foreign = await assign(projectId, other.organizationId);
    await call(`${authorizations}/DeactivateAuthorization`, { id: foreign });
    await fill(foreign);
    const home = await assign(projectId, organizationId);

    const actions = actionsOf(server);
    const receiver = await startReceiver(t);
    const target = await actions.createTarget(receiver.origin);
    answerJson(receiver, () => ({}));
    await actions.set({ function: { name: "preuserinfo" } }, [target]);
    const { access_token: token } = await server.tokens({ scope: "openid" });
    const userinfo = async (): Promise<number> =>
      (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;
    const found = await findUser(domain.database.read, instanceId, userId);
    assert.ok(found);
    const forScript = async (seesAll: boolean): Promise<string[]> => {
      const asked = { user: found, organizationId, project: undefined, seesAll };
      const grants = await listGrantsFor(domain.database, testCall({ instanceId, now: server.clock.now }), asked);
      return grants.map(({ authorizationId }) => authorizationId);
    };

    await t.test("targets and scripts get those of the user's own organization", async () => {
      assert.equal(await userinfo(), 200);
      const told = verified(receiver.received.at(-1) as never, target.signingKey);
      assert.deepEqual(
        told.user_grants.map(({ id, roles }: Grant) => [id, roles]),
        [[home, [roleKey]]],
      );
      assert.equal(told.user_grants_left_out, true);
      assert.deepEqual(await forScript(false), [home]);
      assert.deepEqual(await forScript(true), [home]);
    });

    await t.test("an explanation has all of them", async () => {
      const asked = { userId, resource: { projectId }, roleKey };
      const explained = await call("internal_permission.v2.InternalPermissionService/ExplainPermission", asked);
      assert.equal(explained.allowed, true);
      assert.equal(explained.paths.length, 2);
    });

    await t.test("where those are too many, nothing is told and nothing decided", async () => {
      await assign(await makeProject("Museum"), organizationId);
      await fill(home);
      const before = receiver.received.length;
      assert.notEqual(await userinfo(), 200);
      assert.equal(receiver.received.length, before);
      await assert.rejects(forScript(true), /too many role assignments/);
    });

    await t.test("an export has all of them", async () => {
      const asked = { orgIds: [organizationId], responseOutput: true };
      const { orgs } = await call("admin.v1.AdminService/ExportData", asked);
      assert.deepEqual(
        orgs[0].userGrants.map(({ roleKeys }: { roleKeys: string[] }) => roleKeys.length),
        [20_001, 1],
      );
    });
  });
});

test("a list is read to its end, or not at all", async () => {
  const all = Array.from({ length: 2500 }, (_each, index) => index);
  // Pages of at most 300 rows, whatever is asked for.
  const pages = (rows: readonly number[]) => (page: { offset: number; limit: number }) =>
    Promise.resolve({ rows: rows.slice(page.offset, page.offset + Math.min(300, page.limit)), total: rows.length });
  assert.deepEqual(await readWhole(2500, pages(all)), all);
  assert.equal(await readWhole(2499, pages(all)), undefined);
  assert.deepEqual(await readWhole(10, pages([])), []);
  let reads = 0;
  const changing = await readWhole(5000, (page) => pages(reads++ === 1 ? [...all, 2500] : all)(page));
  assert.deepEqual(changing, all, "what changed meanwhile is read again");
  assert.equal(await readWhole(5000, (page) => pages(all.slice(0, 2000 + reads++))(page)), undefined);
});
