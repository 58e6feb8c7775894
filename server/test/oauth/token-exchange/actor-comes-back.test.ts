import assert from "node:assert/strict";
import { test } from "node:test";
import { eachTopology } from "../../support/servers/nodes.ts";
import { exchangeGrant, extend, proofOf, typeOf } from "./support.ts";

const users = "service.user.v2.UserService";
const moves = [
  ["DeactivateUser", "ReactivateUser"],
  ["LockUser", "UnlockUser"],
] as const;

eachTopology((start, name) => {
  for (const [end, begin] of moves) {
    test(`what an actor got by a personal access token ends with ${end}, and ${begin} brings none back (${name})`, async (t) => {
      const { first, other } = await start(t);
      const server = await extend(first);
      const move = async (method: string, userId: string) =>
        assert.equal((await server.connect(`${users}/${method}`, { userId })).status, 200, method);
      const makeActor = async (username: string) => {
        const actor = await server.personalAccessToken(username);
        await server.appoint(actor.userId, ["IAM_END_USER_IMPERSONATOR"]);
        return actor;
      };
      const own = await server.tokensOf(await server.person("subject"), "openid offline_access");
      const [actor, another] = [await makeActor("robot"), await makeActor("another")];
      const exchange = (form: Readonly<Record<string, string>>) =>
        other.form("/oauth/v2/token", {
          ...proofOf(server, server.keyClient),
          grant_type: exchangeGrant,
          scope: "openid offline_access",
          ...form,
        });
      const ask = (token: string) =>
        exchange({
          subject_token: own["access_token"] ?? "",
          subject_token_type: typeOf.access_token,
          actor_token: token,
          actor_token_type: typeOf.access_token,
        });
      const actFor = async (token: string): Promise<{ access_token: string; refresh_token: string }> => {
        const answer = await ask(token);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        return answer.body;
      };
      const isActive = async ({ access_token: token }: { readonly access_token: string }) =>
        (await other.form("/oauth/v2/introspect", { token }, server.client.basic)).body.active;
      const refresh = ({ refresh_token: token }: { readonly refresh_token: string }) =>
        other.form("/oauth/v2/token", {
          ...proofOf(server, server.keyClient),
          grant_type: "refresh_token",
          refresh_token: token,
        });
      const delegated = await actFor(actor.token);
      const { body: further } = await exchange({
        subject_token: delegated.access_token,
        subject_token_type: typeOf.access_token,
      });
      const ofAnother = await actFor(another.token);
      const all = [delegated, further, ofAnother, { access_token: own["access_token"] ?? "" }];
      assert.deepEqual(await Promise.all(all.map(isActive)), [true, true, true, true]);

      server.clock.now += 1000;
      const asked = Array.from({ length: 10 }, () => ask(actor.token));
      await move(end, actor.userId);
      assert.deepEqual(await Promise.all(all.map(isActive)), [false, false, true, true]);
      const meanwhile = (await Promise.all(asked)).filter(({ status }) => status === 200);

      server.clock.now += 1000;
      await move(begin, actor.userId);
      assert.deepEqual(await Promise.all(all.map(isActive)), [false, false, true, true]);
      for (const { body } of meanwhile) assert.equal(await isActive(body), false, "issued at the same moment");
      for (const ended of [delegated, further]) assert.equal((await refresh(ended)).body.error, "invalid_grant");
      assert.equal((await refresh(ofAnother)).status, 200);
      assert.equal(await isActive(await actFor(actor.token)), true, "the account works again");
    });
  }
});
