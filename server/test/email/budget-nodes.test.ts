import assert from "node:assert/strict";
import { test } from "node:test";
import { onPostgres } from "../support/databases/databases.ts";
import { addPerson } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { startServer, type TestServer } from "../support/servers/server.ts";

const users = "service.user.v2.UserService";
const config = { messageLimits: { email: 1000, sms: 100 } };

const mail = async (server: TestServer, userId: string): Promise<number> =>
  (await server.connect(`${users}/PasswordReset`, { userId, sendLink: {} })).status;

eachServer((start) => {
  test("a restart gives no message back (A25)", async (t) => {
    const first = await start(t, { config });
    const [ada, bob] = [await addPerson(first, { username: "ada" }), await addPerson(first, { username: "bob" })];
    for (let count = 0; count < 5; count++) assert.equal(await mail(first, ada.userId), 200);
    const { location, ownerToken } = first;
    await first.app.close();
    const second = await start(t, { location, ownerToken, config });
    assert.deepEqual([await mail(second, ada.userId), await mail(second, bob.userId)], [429, 200]);
  });
});

onPostgres(() => {
  test("nodes share the budgets of messages, including at the same moment (A25)", async (t) => {
    const first = await startServer(t, { engine: "postgres", config });
    const { location, ownerToken, origin } = first;
    const second = await startServer(t, { location, ownerToken, config: { ...config, baseUrl: origin } });
    const [ada, bob] = [await addPerson(first, { username: "ada" }), await addPerson(first, { username: "bob" })];
    const nodes = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? first : second));
    const answers = await Promise.all(nodes.map((node) => mail(node, ada.userId)));
    assert.equal(answers.filter((status) => status === 200).length, 5, answers.join());
    assert.equal(answers.filter((status) => status === 429).length, 7, answers.join());
    assert.deepEqual([await mail(first, bob.userId), await mail(second, bob.userId)], [200, 200]);
  });
});
