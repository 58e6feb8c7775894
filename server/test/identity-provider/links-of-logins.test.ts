import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOrganization, addPerson, type Person } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { knowProvider, provenAttempt } from "./attempts.ts";

eachServer((start) => {
  test("a sign-in application's links count everywhere only for accounts whose attempts it read (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await knowProvider(server, provider);
    const organizationId = await addOrganization(server, "Elsewhere");

    const begin = async (account: string) => {
      provider.claims = { sub: account };
      provider.user = { sub: account };
      return provenAttempt(server, provider, idpId);
    };
    type Attempt = Awaited<ReturnType<typeof begin>>;
    const read = async ({ idpIntentId, idpIntentToken }: Attempt, token?: string): Promise<string> => {
      const options = token === undefined ? {} : { token };
      const { status, body } = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, {
        body: { idpIntentToken },
        ...options,
      });
      assert.equal(status, 200, JSON.stringify(body));
      return body.userId ?? "";
    };
    const knownAs = async (account: string) => read(await begin(account));
    const create = async (account: string): Promise<string> => {
      const human = {
        profile: { givenName: "New", familyName: "Person" },
        email: { email: `${account}@mail.example`, isVerified: true },
        idpLinks: [{ idpId, userId: account, userName: account }],
      };
      const body = { organizationId, username: account, human };
      const made = await server.rest("POST", "/v2/users/new", { body, token: loginToken });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      return made.body.id;
    };
    const link = async ({ userId, password }: Person, account: string): Promise<void> => {
      // A sign-in application may change the account only right after its user has signed in there.
      const checks = { user: { userId }, password: { password } };
      const { status } = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
      assert.equal(status, 201);
      const body = { idpLink: { idpId, userId: account, userName: account } };
      const made = await server.rest("POST", `/v2/users/${userId}/links`, { body, token: loginToken });
      assert.equal(made.status, 200, JSON.stringify(made.body));
    };

    await t.test("users whom it creates", async () => {
      await create("unseen");
      assert.equal(await knownAs("unseen"), "", "without an attempt");
      await read(await begin("seen-by-another"));
      await create("seen-by-another");
      assert.equal(await knownAs("seen-by-another"), "", "with an attempt that another caller read");
      await read(await begin("other"), loginToken);
      await create("mistaken");
      assert.equal(await knownAs("mistaken"), "", "with an attempt of another account");
      await read(await begin("seen"), loginToken);
      assert.equal(await knownAs("seen"), "");
      const userId = await create("seen");
      assert.equal(await knownAs("seen"), userId, "with one that it read");
    });

    await t.test("users who exist", async () => {
      const person = await addPerson(server, { username: "there" });
      await link(person, "foreign");
      assert.equal(await knownAs("foreign"), "");
      await read(await begin("own"), loginToken);
      await link(person, "own");
      assert.equal(await knownAs("own"), person.userId);
    });

    await t.test("an attempt is good for one link, and no longer than it lives", async () => {
      const person = await addPerson(server, { username: "again" });
      await read(await begin("once"), loginToken);
      await link(person, "once");
      assert.equal(await knownAs("once"), person.userId);
      const removed = await server.rest("DELETE", `/v2/users/${person.userId}/links/${idpId}/once`);
      assert.equal(removed.status, 200);
      await link(await addPerson(server, { username: "next" }), "once");
      assert.equal(await knownAs("once"), "");
      await read(await begin("late"), loginToken);
      server.clock.now += 61 * 60_000;
      await link(person, "late");
      assert.equal(await knownAs("late"), "");
    });
  });
});
