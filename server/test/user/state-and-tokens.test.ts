import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { enginesInTurn } from "../support/databases/turns.ts";
import { basicOf, startOidcServer } from "../support/oidc/oidc.ts";
import { appoint } from "../support/people/people.ts";

const users = "service.user.v2.UserService";
const apis = "urn:service:iam:org:project:id:service:aud";

const moves = [
  ["DeactivateUser", "ReactivateUser"],
  ["LockUser", "UnlockUser"],
] as const;

enginesInTurn((engine, test, both) => {
  for (const [end, begin] of moves) {
    test(`access tokens of a service account end with ${end}, and ${begin} brings none back`, async (t) => {
      const { server, userId, move, getToken, mayCall } = await startWithAccount(t);
      const stolen = await getToken();
      const personal = (await server.connect(`${users}/AddPersonalAccessToken`, { userId })).body.token as string;
      assert.deepEqual([await mayCall(stolen), await mayCall(personal)], [200, 200]);

      await move(end);
      assert.deepEqual([await mayCall(stolen), await mayCall(personal)], [401, 401]);

      await move(begin);
      assert.equal(await mayCall(stolen), 401, "a token from before");
      assert.equal(await mayCall(personal), 200, "what is listed stays until it is removed");
      assert.equal(await mayCall(await getToken()), 200, "the account works again");
    });

    both(`a token that is issued at the same moment as ${end} ends too`, async (t) => {
      const { move, tryToken, mayCall } = await startWithAccount(t);
      const asked = Array.from({ length: 20 }, tryToken);
      await Promise.all([...asked, move(end), ...Array.from({ length: 20 }, tryToken)]);
      const got = (await Promise.all(asked)).filter((token) => token !== undefined);

      await move(begin);
      for (const token of got) assert.equal(await mayCall(token), 401);
    });
  }

  async function startWithAccount(t: TestContext) {
    const server = await startOidcServer(t, { engine });
    const { organizationId } = server;
    const account = { organizationId, username: "robot", machine: { name: "Robot" } };
    const userId: string = (await server.connect(`${users}/CreateUser`, account)).body.id;
    await appoint(server, { userId }, { organizationId }, ["ORG_OWNER"]);
    const { clientSecret } = (await server.connect(`${users}/AddSecret`, { userId })).body;
    const parameters = { grant_type: "client_credentials", scope: `openid ${apis}` };
    const tryToken = async (): Promise<string | undefined> =>
      (await server.form("/oauth/v2/token", parameters, basicOf("robot", clientSecret))).body.access_token;
    return {
      server,
      userId,
      tryToken,
      getToken: async (): Promise<string> => (await tryToken()) ?? assert.fail("no token"),
      move: async (method: string): Promise<void> =>
        assert.equal((await server.connect(`${users}/${method}`, { userId })).status, 200, method),
      mayCall: async (token: string): Promise<number> =>
        (await server.connect(`${users}/GetUserByID`, { userId: server.user.userId }, { token })).status,
    };
  }
});
