import assert from "node:assert/strict";
import { refusalOf, slugOf } from "../factor/support.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addOwnedOrganization } from "../support/people/owners.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { knowProvider, provenAttempt } from "./attempts.ts";

const unproven = "identity_link.unproven";
const notOffered = "identity_link.provider_not_found";

serversInTurn((start, test) => {
  test("a sign-in application links only accounts whose attempts it read, and they count everywhere (A14)", async (t) => {
    const server = await start(t);
    const { loginToken } = await setUpOidc(server);
    const provider = await startTestProvider(t, () => server.clock.now);
    const idpId = await knowProvider(server, provider);
    await changeSettings(server, "login", { identityProviderIds: [idpId] });
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
    const create = (account: string): Promise<string> => {
      const human = {
        profile: { givenName: "New", familyName: "Person" },
        email: { email: `${account}@mail.example`, isVerified: true },
        idpLinks: [{ idpId, userId: account, userName: account }],
      };
      return refusalOf(server, "CreateUser", { organizationId, username: account, human }, loginToken);
    };
    const link = async ({ userId, password }: Person, account: string): Promise<string> => {
      // A sign-in application may change the account only right after its user has signed in there.
      const checks = { user: { userId }, password: { password } };
      const { status } = await server.rest("POST", "/v2/sessions", { token: loginToken, body: { checks } });
      assert.equal(status, 201);
      const idpLink = { idpId, userId: account, userName: account };
      return refusalOf(server, "AddIDPLink", { userId, idpLink }, loginToken);
    };

    await t.test("users whom it creates", async () => {
      assert.equal(await create("unseen"), unproven, "without an attempt");
      await read(await begin("seen-by-another"));
      assert.equal(await create("seen-by-another"), unproven, "with an attempt that another caller read");
      await read(await begin("other"), loginToken);
      assert.equal(await create("mistaken"), unproven, "with an attempt of another account");
      await read(await begin("seen"), loginToken);
      assert.equal(await knownAs("seen"), "");
      assert.equal(await create("seen"), "done", "with one that it read");
      assert.notEqual(await knownAs("seen"), "");
    });

    await t.test("users who exist", async () => {
      const person = await addPerson(server, { username: "there" });
      assert.equal(await link(person, "foreign"), unproven);
      assert.equal(await knownAs("foreign"), "");
      await read(await begin("own"), loginToken);
      assert.equal(await link(person, "own"), "done");
      assert.equal(await knownAs("own"), person.userId);
    });

    await t.test("an attempt is good for one link, and no longer than it lives", async () => {
      const person = await addPerson(server, { username: "again" });
      await read(await begin("once"), loginToken);
      assert.equal(await link(person, "once"), "done");
      assert.equal(await knownAs("once"), person.userId);
      const removed = await server.rest("DELETE", `/v2/users/${person.userId}/links/${idpId}/once`);
      assert.equal(removed.status, 200);
      assert.equal(await link(await addPerson(server, { username: "next" }), "once"), unproven);
      await read(await begin("late"), loginToken);
      server.clock.now += 61 * 60_000;
      assert.equal(await link(person, "late"), unproven);
    });

    await t.test("at a provider that the login of the user offers", async () => {
      const there = await addPerson(server, { username: "offered" });
      const own = await addPerson(server, { username: "own-account" });
      const { token: ownToken } = await sessionOf(server, own);
      const offer = (...identityProviderIds: string[]) => changeSettings(server, "login", { identityProviderIds });
      const linkOwn = async () => {
        await read(await begin("by-themselves"), ownToken);
        const idpLink = { idpId, userId: "by-themselves", userName: "own" };
        return refusalOf(server, "AddIDPLink", { userId: own.userId, idpLink }, ownToken);
      };
      await read(await begin("unoffered"), loginToken);
      const [attempt, another] = [await begin("by-themselves"), await begin("prepared")];
      await read(attempt, ownToken);
      await offer();
      assert.equal(await link(there, "unoffered"), notOffered);
      assert.equal(await create("unoffered"), notOffered);
      const idpLink = { idpId, userId: "by-themselves", userName: "own" };
      assert.equal(await refusalOf(server, "AddIDPLink", { userId: own.userId, idpLink }, ownToken), notOffered);
      assert.equal(await knownAs("unoffered"), "");
      // Administrators prepare links before the login offers the provider.
      const prepared = { idpId, userId: "prepared", userName: "prepared" };
      assert.equal(await refusalOf(server, "AddIDPLink", { userId: there.userId, idpLink: prepared }), "done");
      const open = () =>
        server.rest("POST", "/v2/sessions", {
          token: loginToken,
          body: { checks: { user: { userId: there.userId }, idpIntent: another } },
        });
      assert.equal(slugOf(await open()), "identity_intent.provider_unusable");
      await offer(idpId);
      assert.equal((await open()).status, 201, "what was refused was not used up");
      await read(await begin("unoffered"), loginToken);
      assert.equal(await link(there, "unoffered"), "done");
      assert.equal(await linkOwn(), "done");
    });

    await t.test("administrators link without an attempt, and so does one that also manages users", async () => {
      const owner = await addOwnedOrganization(server, "Owned");
      const { organizationId: owned } = owner;
      const human = (account: string) => ({
        profile: { givenName: "New", familyName: "Person" },
        email: { email: `${account}@mail.example`, isVerified: true },
        idpLinks: [{ idpId, userId: account, userName: account }],
      });
      const asked = (account: string) => ({ organizationId: owned, username: account, human: human(account) });
      assert.equal(await refusalOf(server, "CreateUser", asked("imported"), owner.token), "done");
      assert.equal(await refusalOf(server, "CreateUser", asked("passed-on"), loginToken), unproven);
      const { body: me } = await server.rest("GET", "/auth/v1/users/me", { token: loginToken });
      await appoint(server, { userId: me.user.id }, { organizationId: owned }, ["ORG_USER_MANAGER"]);
      assert.equal(await refusalOf(server, "CreateUser", asked("passed-on"), loginToken), "done");
      assert.equal(await create("elsewhere"), unproven, "in another organization");
    });
  });
});
