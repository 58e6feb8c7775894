import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/base/fault.ts";
import { type Access, createAccess, isLoginClient, narrowPosition, withoutLoginClient } from "../../src/call/index.ts";
import { currentAccess, loadAccess } from "../../src/domain/administrator-access/index.ts";
import { createAdministrator } from "../../src/domain/membership/index.ts";
import { endPreparedSessions } from "../../src/domain/sign-out/index.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const narrowed = ({ positions }: Access, permissions: readonly string[]): Access =>
  createAccess(positions.map((position) => narrowPosition(position, (each) => permissions.includes(each))));

eachServer((start) => {
  test("a credential that covers fewer permissions gives away no others, also that of a sign-in application", async (t) => {
    const server = await start(t);
    const { domain } = server.app;
    const instanceId = (await domain.findInstanceByHost("localhost"))?.instanceId ?? "";
    const organizationId = await addOrganization(server, "Bank");
    for (const isLogin of [false, true]) {
      const owner = await addPerson(server, { username: `owner-${isLogin}`, organizationId });
      await appoint(server, owner, { organizationId }, ["ORG_OWNER"]);
      if (isLogin) await appoint(server, owner, { instance: true }, ["IAM_LOGIN_CLIENT"]);
      const whole = await loadAccess(domain.database.read, instanceId, owner.userId);
      const callAs = (access: Access) =>
        testCall({ instanceId, now: server.clock.now, caller: { userId: owner.userId, organizationId, access } });
      const read = (access: Access): Promise<Access> =>
        domain.database.touch(callAs(access), (tx) => currentAccess(tx, callAs(access)));
      let count = 0;
      const give = async (access: Access, role: string): Promise<string> => {
        const { userId } = await addPerson(server, { username: `one-${isLogin}-${++count}`, organizationId });
        const resource = { level: "organization", organizationId } as const;
        try {
          await createAdministrator({ ...domain, endPreparedSessions }, callAs(access), {
            userId,
            resource,
            roles: [role],
          });
          return "done";
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          return error.id;
        }
      };

      await t.test(isLogin ? "of one who is a sign-in application as well" : "of an owner", async () => {
        const few = narrowed(whole, ["org.read", "org.member.read", "org.member.write"]);
        const now = await read(few);
        assert.ok(now.allows("org.member.write", { organizationId }));
        for (const access of [now, withoutLoginClient(now)]) {
          assert.ok(!access.allows("user.write", { organizationId }));
          assert.deepEqual(access.reach("user.write").organizationIds, []);
        }
        assert.equal(isLoginClient(now), isLogin, "fewer permissions make it no other caller");
        assert.ok(now.positions.every(({ roles }) => roles === undefined));
        assert.equal(await give(few, "ORG_OWNER"), "membership.role_beyond_own");
        assert.equal(await give(whole, "ORG_OWNER"), "done");
        assert.deepEqual((await read(whole)).positions, whole.positions);
      });
    }
  });
});
