import assert from "node:assert/strict";
import { oidcAt, putProvider, setProviderState } from "../support/identity-provider/identity-providers.ts";
import { addOrganization, addPerson, appoint, defaultOrganization, sessionOf } from "../support/people/people.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { TestServer } from "../support/servers/server.ts";

const configuration = oidcAt("https://provider.example");

serversInTurn((start, test) => {
  test("accounts at identity providers are linked with users", async (t) => {
    const server = await start(t);
    const idpId = await putProvider(server, { configuration });
    const ada = await addPerson(server, { username: "ada" });
    const bob = await addPerson(server, { username: "bob" });
    const links = (userId: string) => `/v2/users/${userId}/links`;
    const link = (userId: string, externalId: string, options = {}) =>
      server.rest("POST", links(userId), {
        body: { idpLink: { idpId, userId: externalId, userName: `${externalId}@there` } },
        ...options,
      });
    const list = async (userId: string, options = {}) =>
      (await server.rest("POST", `${links(userId)}/_search`, { body: {}, ...options })).body;
    const { token } = await sessionOf(server, ada);

    await t.test("an administrator links, and the list shows it", async () => {
      const made = await link(ada.userId, "a-1");
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal(made.body.details.resourceOwner, ada.organizationId);
      const listed = await list(ada.userId);
      assert.equal(listed.details.totalResult, 1);
      assert.deepEqual(listed.result, [{ idpId, userId: "a-1", userName: "a-1@there" }]);
      assert.deepEqual((await list(ada.userId, { token })).result, listed.result, "he sees his own");
    });

    await t.test("an account is one user's at most", async () => {
      for (const { userId } of [ada, bob]) {
        const again = await link(userId, "a-1");
        assert.equal(again.status, 409);
        assert.equal(again.body.details[0].id, "identity_link.taken");
      }
      // Of many concurrent requests one wins.
      const race = await Promise.all([ada, bob, ada, bob].map(({ userId }) => link(userId, "race")));
      assert.deepEqual(race.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
    });

    await t.test("users cannot link what they did not prove to be theirs", async () => {
      const refused = await link(ada.userId, "victim", { token });
      assert.equal(refused.status, 403);
      assert.equal(refused.body.details[0].id, "identity_link.unproven");
      assert.equal((await link(bob.userId, "victim", { token })).status, 404, "of others they see nothing");
      assert.equal((await list(bob.userId, { token })).code, 5);
    });

    await t.test("what the provider's options and state do not allow is refused", async () => {
      const closed = await putProvider(server, { configuration, options: { isLinkingAllowed: false } });
      const inOther = await putProvider(server, {
        configuration,
        organizationId: await addOrganization(server, "Elsewhere"),
      });
      const inactive = await putProvider(server, { configuration });
      await setProviderState(server, inactive, "inactive");
      for (const [id, status, slug] of [
        [closed, 400, "identity_link.linking_not_allowed"],
        [inactive, 400, "identity_link.provider_inactive"],
        [inOther, 404, "identity_link.provider_not_found"],
        ["1", 404, "identity_link.provider_not_found"],
      ] as const) {
        const body = { idpLink: { idpId: id, userId: "x", userName: "x" } };
        const answer = await server.rest("POST", links(ada.userId), { body });
        assert.equal(answer.status, status, slug);
        assert.equal(answer.body.details[0].id, slug);
      }
      assert.equal((await server.rest("POST", links(ada.userId), { body: {} })).status, 400);
    });

    await t.test("an account is a way to sign in", async () => {
      const methods = await server.rest("GET", `/v2/users/${ada.userId}/authentication_methods`);
      assert.ok(methods.body.authMethodTypes.includes("AUTHENTICATION_METHOD_TYPE_IDP"), JSON.stringify(methods.body));
    });

    await t.test("the first generation lists and removes", async () => {
      const found = await server.rest("POST", `/management/v1/users/${ada.userId}/idps/_search`, { body: {} });
      assert.equal(found.status, 200, JSON.stringify(found.body));
      const one = found.body.result.find((each: { providedUserId: string }) => each.providedUserId === "a-1");
      assert.deepEqual(one, {
        userId: ada.userId,
        idpId,
        idpName: "Test provider",
        idpType: "IDP_TYPE_OIDC",
        providedUserId: "a-1",
        providedUserName: "a-1@there",
      });
      const mine = await server.rest("POST", "/auth/v1/users/me/idps/_search", { body: {}, token });
      assert.deepEqual(mine.body.result, found.body.result);
      const stranger = await strangerOf(server);
      for (const [method, path] of [
        ["POST", `/management/v1/users/${ada.userId}/idps/_search`],
        ["DELETE", `/management/v1/users/${ada.userId}/idps/${idpId}/a-1`],
        ["DELETE", `${links(ada.userId)}/${idpId}/a-1`],
        ["POST", `${links(ada.userId)}/_search`],
      ] as const) {
        assert.equal((await server.rest(method, path, { token: stranger })).status, 404, path);
      }
      // No link of another user's account is removed, whichever user asks.
      assert.equal((await server.rest("DELETE", `/auth/v1/users/me/idps/${idpId}/b-1`, { token })).status, 200);
      assert.equal((await link(bob.userId, "b-1")).status, 200);
      assert.equal((await server.rest("DELETE", `/auth/v1/users/me/idps/${idpId}/b-1`, { token })).status, 200);
      assert.deepEqual(
        (await list(bob.userId)).result.map(({ userId }: { userId: string }) => userId).includes("b-1"),
        true,
      );
      assert.equal((await server.rest("DELETE", `/auth/v1/users/me/idps/${idpId}/a-1`, { token })).status, 200);
      assert.equal((await link(bob.userId, "a-1")).status, 200, "it is free again");
      assert.equal((await server.rest("DELETE", `${links(bob.userId)}/${idpId}/a-1`)).status, 200);
      const removed = await server.rest("DELETE", `/management/v1/users/${bob.userId}/idps/${idpId}/b-1`);
      assert.equal(removed.status, 200);
    });

    await t.test("new users are made with their accounts, all or nothing", async () => {
      const human = {
        profile: { givenName: "New", familyName: "User" },
        email: { email: "new@mail.example", isVerified: true },
        idpLinks: [{ idpId, userId: "n-1", userName: "new" }],
      };
      const organizationId = await defaultOrganization(server);
      const create = (links2: object[], name: string) =>
        server.rest("POST", "/v2/users/new", {
          body: { organizationId, username: name, human: { ...human, idpLinks: links2 } },
        });
      const made = await create(human.idpLinks, "new-one");
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal((await list(made.body.id)).details.totalResult, 1);
      const taken = await create([{ idpId, userId: "n-2", userName: "x" }, ...human.idpLinks], "new-two");
      assert.equal(taken.status, 409);
      assert.equal((await link(bob.userId, "n-2")).status, 200, "the first of the two was not kept");
      const second = await server.rest("POST", "/v2/users/human", {
        body: { ...human, username: "third", idpLinks: [{ idpId, userId: "n-3", userName: "third" }] },
      });
      assert.equal(second.status, 200, JSON.stringify(second.body));
      assert.equal((await list(second.body.userId)).details.totalResult, 1);
      const noCreation = await putProvider(server, { configuration, options: { isCreationAllowed: false } });
      const refused = await create([{ idpId: noCreation, userId: "n-4", userName: "x" }], "new-four");
      assert.equal(refused.body.details[0].id, "identity_link.creation_not_allowed");
      assert.match(refused.body.details[0].message ?? refused.body.message, /created/);
    });

    await t.test(
      "administrators of a new organization are made with accounts and authenticator app, all or nothing",
      async () => {
        const administrator = (username: string, given: object) => ({
          human: {
            username,
            profile: { givenName: "New", familyName: "Owner" },
            email: { email: `${username}@mail.example`, isVerified: true },
            ...given,
          },
        });
        const setUp = (name: string, ...admins: object[]) =>
          server.rest("POST", "/v2/organizations", { body: { name, admins } });
        const idpLinks = [{ idpId, userId: "o-1", userName: "owner" }];
        const made = await setUp(
          "Linked",
          administrator("linked", { idpLinks, totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }),
        );
        assert.equal(made.status, 201, JSON.stringify(made.body));
        const [{ userId }] = made.body.createdAdmins;
        const found = await list(userId);
        assert.deepEqual([found.details.totalResult, found.result[0].userName], [1, "owner"]);
        const methods = await server.rest("GET", `/v2/users/${userId}/authentication_methods`);
        assert.deepEqual(methods.body.authMethodTypes.toSorted(), [
          "AUTHENTICATION_METHOD_TYPE_IDP",
          "AUTHENTICATION_METHOD_TYPE_TOTP",
        ]);
        for (const [given, slug] of [
          [{ idpLinks }, "identity_link.taken"],
          [{ totpSecret: "no base32" }, "factor.totp_secret_invalid"],
        ] as const) {
          const refused = await setUp("Half", administrator("first", {}), administrator("second", given));
          assert.ok(refused.status === 409 || refused.status === 400, slug);
          assert.equal(refused.body.details[0].id, slug);
        }
        assert.equal((await setUp("Half", administrator("first", {}))).status, 201, "nothing was left of them");
      },
    );

    await t.test("what was done is recorded, and a deleted user leaves nothing", async () => {
      const types = (await recordedEvents(server))
        .filter(({ aggregateId }) => aggregateId === ada.userId)
        .map(({ type }) => type);
      assert.ok(types.includes("user.human.externalidp.added"));
      assert.ok(types.includes("user.human.externalidp.removed"));
      assert.equal((await server.rest("DELETE", `/v2/users/${bob.userId}`)).status, 200);
      assert.equal((await link(ada.userId, "n-2")).status, 200, "the account of a deleted user is free");
    });
  });
});

/** Returns a token of an owner of another organization. */
async function strangerOf(server: TestServer): Promise<string> {
  const organizationId = await addOrganization(server, "Other");
  const eve = await addPerson(server, { username: "eve", organizationId });
  await appoint(server, eve, { organizationId }, ["ORG_OWNER"]);
  return (await sessionOf(server, eve)).token;
}
