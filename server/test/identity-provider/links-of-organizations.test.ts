import assert from "node:assert/strict";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { serversInTurn } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import { provenAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, isIn } from "./trusted.ts";

const taken = "409 identity_link.taken";

serversInTurn((start, test) => {
  test("what one organization says of an account keeps no other from saying whose it is (A13)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const evil = await addStaff(server, "evil");
    const bank = await addStaff(server, "bank");
    const idpId = await trust.addTo("", undefined, bodyAt(provider));
    const asSub = (sub: string) => {
      provider.user = { ...provider.user, sub, email: `${sub}@provider.example`, email_verified: true };
    };
    const whoIn = async (organizationId: string): Promise<string> => {
      const page = await trust.throughPages(organizationId, idpId, provider);
      const found = [evil, bank].find(({ plain }) => page.html.includes(plain.loginName));
      return isIn(page) ? (found?.plain.loginName ?? page.html) : "unknown";
    };

    await t.test("each organization links it to a user of its own, once", async () => {
      assert.equal(await trust.link(evil.plain.userId, idpId, "42", evil.owner.token), "200");
      assert.equal(await trust.link(bank.plain.userId, idpId, "42", bank.owner.token), "200");
      for (const { plain, manager, owner } of [evil, bank]) {
        assert.equal(await trust.link(plain.userId, idpId, "42", owner.token), taken);
        assert.equal(await trust.link(manager.userId, idpId, "42", owner.token), taken);
      }
      const { length } = await trust.links(bank.plain.userId);
      assert.equal(length, 1);
      const race = [evil, bank, evil, bank].map(({ plain, owner }) =>
        trust.link(plain.userId, idpId, "race", owner.token),
      );
      assert.deepEqual((await Promise.all(race)).toSorted(), ["200", "200", taken, taken]);
    });

    await t.test("and imports users with it", async () => {
      for (const { organizationId, owner } of [evil, bank]) {
        const human = {
          profile: { givenName: "New", familyName: "User" },
          email: { email: "new@mail.example", isVerified: true },
          idpLinks: [{ idpId, userId: "43", userName: "new" }],
        };
        const body = { organizationId, username: `new-${organizationId}`, human };
        const made = await server.rest("POST", "/v2/users/new", { body, token: owner.token });
        assert.equal(made.status, 200, JSON.stringify(made.body));
      }
    });

    await t.test(
      "it signs in as the one of the organization that the sign-in is for, and elsewhere as neither",
      async () => {
        asSub("42");
        assert.equal(await whoIn(bank.organizationId), bank.plain.loginName);
        assert.equal(await whoIn(evil.organizationId), evil.plain.loginName);
        assert.equal(await whoIn(""), "unknown");
        for (const { plain } of [evil, bank])
          assert.equal(await trust.throughSession(plain.userId, idpId, provider), "201");
        assert.equal(
          await trust.throughSession(bank.manager.userId, idpId, provider),
          "400 identity_intent.other_user",
        );
      },
    );

    await t.test("the user who proves it ends what the organizations said", async () => {
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const { token, userId, loginName } = bank.plain;
      const read = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken }, token });
      assert.equal(read.body.userId, "", JSON.stringify(read.body));
      assert.equal(await trust.link(userId, idpId, "42", token), "200");
      const linksWith = async (user: string) =>
        (await trust.links(user)).filter((link) => link.idpId === idpId && link.userId === "42").length;
      assert.deepEqual([await linksWith(userId), await linksWith(evil.plain.userId)], [1, 0]);
      assert.equal(await whoIn(""), loginName);
      assert.equal(await trust.throughSession(evil.plain.userId, idpId, provider), "400 identity_intent.other_user");
      assert.equal(await whoIn(evil.organizationId), loginName);
      const told = (await recordedEvents(server)).filter(
        ({ type }) => type === "user.human.externalidp.cascade.removed",
      );
      assert.deepEqual(
        told.map(({ aggregateId }) => aggregateId),
        [evil.plain.userId],
      );
    });
  });
});
