import assert from "node:assert/strict";
import { test } from "node:test";
import { seconds } from "../../src/base/clock.ts";
import { eachEngine } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { actionsOf, answerJson, verified } from "./support/actions.ts";

interface Grant {
  readonly projectName: string;
  readonly userGrantResourceOwner: string;
  readonly roles: readonly string[];
}

// 20,000 characters together.
const keys = Array.from({ length: 100 }, (_each, index) => `${index}-`.padEnd(200, "x"));

eachEngine((_open, engine) => {
  test("roles that other organizations assign make what is told of a user little longer", async (t) => {
    const server = await startOidcServer(t, { engine });
    const { organizationId: home, projectId, user } = server;
    const call = async (method: string, body: object, token?: string): Promise<Record<string, string>> => {
      server.clock.now += seconds(1);
      const answer = await server.connect(`service.${method}`, body, token === undefined ? {} : { token });
      assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const addRoles = (of: string, roleKeys: readonly string[], token?: string) => {
      const roles = roleKeys.map((key) => ({ key, displayName: "x" }));
      return call("management.v1.ManagementService/BulkAddProjectRoles", { projectId: of, roles }, token);
    };
    const assign = (of: string, organizationId: string, roleKeys: readonly string[], token?: string) =>
      call(
        "authorization.v2.AuthorizationService/CreateAuthorization",
        { userId: user.userId, projectId: of, organizationId, roleKeys },
        token,
      );
    const evil = await addOwnedOrganization(server, "Evil");
    const assignForeign = async (name: string, roleKeys: readonly string[]): Promise<void> => {
      const { organizationId, token } = evil;
      const made = await call("project.v2.ProjectService/CreateProject", { organizationId, name }, token);
      await addRoles(made["projectId"] ?? "", roleKeys, token);
      await assign(made["projectId"] ?? "", organizationId, roleKeys, token);
    };
    await assignForeign("old", ["reader"]);
    await assignForeign("long", keys);
    await assignForeign("later", ["reader"]);
    await addRoles(projectId, keys);
    const partners = [await addOwnedOrganization(server, "One"), await addOwnedOrganization(server, "Two")];
    for (const { organizationId, token } of partners) {
      const granted = { projectId, grantedOrganizationId: organizationId, roleKeys: keys };
      await call("project.v2.ProjectService/CreateProjectGrant", granted);
      await assign(projectId, organizationId, keys, token);
    }
    await assign(projectId, home, keys);

    const receiver = await startReceiver(t);
    answerJson(receiver, () => ({}));
    const actions = actionsOf(server);
    const target = await actions.createTarget(receiver.origin);
    await actions.set({ function: { name: "preuserinfo" } }, [target]);
    const { access_token: token } = await server.tokens({ scope: "openid urn:service:iam:org:projects:roles" });
    const answer = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200);
    const request = receiver.received.at(-1) ?? assert.fail();
    const told = verified(request, target.signingKey);
    const id = (name: "one" | "two") => partners[name === "one" ? 0 : 1]?.organizationId;
    assert.deepEqual(
      told.user_grants.map((grant: Grant) => [grant.userGrantResourceOwner, grant.roles.length]),
      [
        [home, 100],
        [id("one"), 100],
        [evil.organizationId, 1],
      ],
    );
    assert.equal(told.user_grants.at(-1).projectName, "old");
    assert.equal(told.user_grants_left_out, true);

    const claims = (await answer.json()) as Record<string, Record<string, Record<string, string>>>;
    const roles = Object.values(claims[`urn:service:iam:org:project:${projectId}:roles`] ?? {});
    const byHome = roles.filter((organizations) => home in organizations);
    assert.equal(byHome.length, 100, "all by the owner of the project");
    const byOthers = roles.reduce((count, organizations) => count + Object.keys(organizations).length, -100);
    assert.ok(byOthers > 50 && byOthers < 100, `${byOthers} of the others' 200`);
  });
});
