import assert from "node:assert/strict";
import { test } from "node:test";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import { sql } from "../../src/database/index.ts";
import { addPerson, defaultOrganization, goodPassword } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";

const users = "service.user.v2.UserService";

eachServer((start) => {
  test("a costly hash is refused by its name at every import, and one that was imported before still works (A28)", async (t) => {
    const server = await start(t);
    const cheap = await hashBcrypt(goodPassword, 4);
    const costly = cheap.replace("$04$", "$13$");
    const organizationId = await defaultOrganization(server);
    const human = (name: string, hash: string) => ({
      profile: { givenName: name, familyName: "Example" },
      email: { email: `${name}@mail.example`, isVerified: true },
      hashedPassword: { hash },
    });
    const create = (name: string, hash: string) =>
      server.connect(`${users}/CreateUser`, { organizationId, username: name, human: human(name, hash) });
    const importOld = (name: string, hash: string) =>
      server.rest("POST", "/management/v1/users/human/_import", {
        body: {
          userName: name,
          profile: { firstName: name, lastName: "Example" },
          email: { email: `${name}@mail.example`, isEmailVerified: true },
          hashedPassword: { value: hash },
        },
      });
    for (const [name, imported] of Object.entries({ create, importOld })) {
      const refused = await imported(`${name}costly`, costly);
      assert.equal(refused.status, 400, JSON.stringify(refused.body));
      assert.match(JSON.stringify(refused.body), /password_hash_too_costly/, name);
      assert.match(JSON.stringify(refused.body), /hashedPassword/, name);
      const good = await imported(`${name}cheap`, cheap);
      assert.equal(good.status, 200, JSON.stringify(good.body));
    }
    const ada = await addPerson(server, { username: "ada" });
    const before = await hashBcrypt(goodPassword, 13);
    const { database } = server.app.domain;
    const instance = await server.app.domain.findInstanceByHost("localhost");
    assert.ok(instance);
    const call = { instanceId: instance.instanceId, requestId: "test", now: server.clock.now, language: "en" } as const;
    await database.touch(call, (tx) =>
      tx.run(sql`update users set password_hash = ${before}
        where instance_id = ${tx.instanceId} and user_id = ${ada.userId}`),
    );
    const signIn = await server.rest("POST", "/v2/sessions", {
      body: { checks: { user: { userId: ada.userId }, password: { password: goodPassword } } },
    });
    assert.equal(signIn.status, 201, JSON.stringify(signIn.body));
    const row = await database.read.maybe<{ hash: string }>(
      sql`select password_hash as "hash" from users where user_id = ${ada.userId}`,
    );
    assert.match(row?.hash ?? "", /^\$argon2id\$/, "and is replaced by ours");
  });
});
