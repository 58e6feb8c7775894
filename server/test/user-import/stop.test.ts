import assert from "node:assert/strict";
import { Secret } from "../../src/base/secret.ts";
import type { ApiClient } from "../../src/cli/api-call.ts";
import { createApiClient } from "../../src/cli/api-client.ts";
import { createRepetitionCheck } from "../../src/cli/user/checking/find-repetition.ts";
import { serverRules } from "../../src/cli/user/checking/server-rules.ts";
import { toSourceUser } from "../../src/cli/user/sources/source.ts";
import { importUsers, type SourceEntry } from "../../src/cli/user/writing/import-users.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { readMetadata, readUser } from "./support.ts";

const ids = ["one", "two", "three", "four", "five", "six"];

async function* entries(): AsyncGenerator<SourceEntry> {
  for (const [row, id] of ids.entries()) {
    const user = toSourceUser({ id, username: id, email: `${id}@x.example`, isDisabled: true });
    yield await Promise.resolve({ file: "users.csv", row, user });
  }
}

serversInTurn((start, test) => {
  test("users who are created when an import is stopped are disabled all the same, and no further one is begun", async (t) => {
    const server = await start(t);
    const organizationId = await defaultOrganization(server);
    const token = () => Promise.resolve(new Secret(server.ownerToken));
    const apiToEnd = createApiClient({ url: server.origin, token });
    const stop = new AbortController();
    // As in the console: nothing new is sent once the run was stopped.
    const api: ApiClient = async (method, message) => {
      stop.signal.throwIfAborted();
      const answer = await apiToEnd(method, message);
      if (method.endsWith("/CreateUser")) stop.abort();
      return answer;
    };
    const target = {
      organizationId,
      hasNewIds: false,
      projectId: undefined,
      roleKeys: new Set<string>(),
      providers: new Map<string, string>(),
      emailDomain: undefined,
    };
    const stopped = importUsers(
      {
        api,
        apiToEnd,
        target,
        rules: serverRules,
        report: { add: () => Promise.resolve() },
        findRepetition: createRepetitionCheck(() => {
          const entriesOf = new Map<string, number>();
          return { get: (text) => entriesOf.get(text), add: (text, entry) => void entriesOf.set(text, entry) };
        }),
        isDryRun: false,
        concurrency: 2,
        signal: stop.signal,
        progress: () => undefined,
      },
      entries(),
    );
    await assert.rejects(stopped, (error) => error === stop.signal.reason);
    const found = await server.connect("service.user.v2.UserService/ListUsers", {
      queries: [{ inUserIdsQuery: { userIds: ids } }],
    });
    const created: string[] = found.body.result.map(({ userId }: { userId: string }) => userId);
    assert.ok(created.length === 1 || created.length === 2, created.join(" "));
    for (const id of created) {
      assert.equal((await readUser(server, id)).state, "USER_STATE_INACTIVE");
      assert.deepEqual(await readMetadata(server, id), {});
    }
  });
});
