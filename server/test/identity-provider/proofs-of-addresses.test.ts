import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/database/index.ts";
import { codeTo } from "../login/support/sign-up.ts";
import { startTestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { recordedEvents } from "../support/servers/recorded-events.ts";
import type { RestAnswer } from "../support/servers/server.ts";
import { provenAttempt } from "./attempts.ts";
import { addStaff, bodyAt, createTrust, isIn, linkingOptions } from "./trusted.ts";

eachServer((start) => {
  test("how an address was proven decides how far it is believed (A13)", async (t) => {
    const server = await start(t);
    const provider = await startTestProvider(t, () => server.clock.now);
    const trust = createTrust(server);
    const { organizationId, owner, clerk } = await addStaff(server, "maker");
    const headers = { "x-zitadel-orgid": organizationId };
    const idpId = await trust.addTo("", undefined, bodyAt(provider, linkingOptions));
    let count = 0;
    const fresh = () => `victim-${++count}@bank.example`;
    const must = ({ status, body }: RestAnswer) => {
      assert.ok(status === 200 || status === 201, JSON.stringify(body));
      return body;
    };
    const profile = { givenName: "Vera", familyName: "Victim" };
    /** Makes a user with a password of the maker's choice, as a trap. */
    const make = async (email: object, token: string | undefined, hasPassword = true): Promise<string> =>
      must(
        await server.rest("POST", "/v2/users/human", {
          ...(token && { token }),
          body: {
            organization: { orgId: organizationId },
            username: `trap-${count}`,
            profile,
            email,
            ...(hasPassword && { password: { password: "correct horse battery staple" } }),
          },
        }),
      ).userId;
    const proofOf = async (userId: string) =>
      must(await server.rest("GET", `/v2/users/${userId}`)).user.human.email.proof;
    const comes = (email: string) => {
      provider.user = { ...provider.user, sub: `real-${email}`, email, email_verified: true };
      return trust.throughPages("", idpId, provider);
    };
    /** The owner of the address comes from the provider of the instance; true when they come to use that user. */
    const isLinkedBy = async (email: string, userId: string): Promise<boolean> => {
      const page = await comes(email);
      const links = await trust.links(userId);
      assert.equal(isIn(page), links.length > 0, page.html);
      if (links.length === 0) assert.match(page.html, /This account is not known here/);
      return links.length > 0;
    };
    const ofOrganization = { level: "CONTACT_PROOF_LEVEL_ORGANIZATION", organizationId };

    await t.test(
      "an administrator of an organization who calls it verified is believed there alone (A13)",
      async () => {
        for (const who of [owner, clerk]) {
          const email = fresh();
          const userId = await make({ email, isVerified: true }, who.token);
          assert.deepEqual(await proofOf(userId), { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", ...ofOrganization });
          assert.equal(await isLinkedBy(email, userId), false);
        }
      },
    );

    await t.test("so is one who reads the code instead of its owner (A13)", async () => {
      const email = fresh();
      const made = must(
        await server.rest("POST", "/v2/users/human", {
          token: owner.token,
          body: { organization: { orgId: organizationId }, username: email, profile, email: { email, returnCode: {} } },
        }),
      );
      const { userId, emailCode: verificationCode } = made;
      must(await server.rest("POST", `/v2/users/${userId}/email/verify`, { body: { verificationCode } }));
      assert.deepEqual(await proofOf(userId), { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", ...ofOrganization });
      assert.equal(await isLinkedBy(email, userId), false);

      const other = fresh();
      const invited = await make({ email: other }, owner.token, false);
      const invitation = must(
        await server.rest("POST", `/v2/users/${invited}/invite_code`, { token: owner.token, body: { returnCode: {} } }),
      );
      const accepted = { verificationCode: invitation.inviteCode };
      must(await server.rest("POST", `/v2/users/${invited}/invite_code/verify`, { body: accepted }));
      assert.equal((await proofOf(invited)).method, "CONTACT_PROOF_METHOD_ADMINISTRATOR");
      assert.equal(await isLinkedBy(other, invited), false);
    });

    await t.test("or changes it later, in whatever spelling, or imports the user (A13)", async () => {
      const userId = await make({ email: fresh() }, owner.token);
      for (const spell of [(email: string) => email, (email: string) => email.toUpperCase()]) {
        const email = fresh();
        const body = { email: spell(email), isVerified: true };
        must(await server.rest("POST", `/v2/users/${userId}/email`, { token: owner.token, body }));
        assert.equal(await isLinkedBy(email, userId), false);
        const older = fresh();
        const v1 = { email: spell(older), isEmailVerified: true };
        must(
          await server.rest("PUT", `/management/v1/users/${userId}/email`, { token: owner.token, headers, body: v1 }),
        );
        assert.equal(await isLinkedBy(older, userId), false);
      }
      const email = fresh();
      const imported = must(
        await server.rest("POST", "/management/v1/users/human/_import", {
          token: owner.token,
          headers,
          body: {
            userName: email,
            profile: { firstName: "Vera", lastName: "Victim" },
            email: { email, isEmailVerified: true },
            password: "correct horse battery staple",
          },
        }),
      );
      assert.deepEqual(await proofOf(imported.userId), { method: "CONTACT_PROOF_METHOD_IMPORT", ...ofOrganization });
      assert.equal(await isLinkedBy(email, imported.userId), false);
      const { email: v1 } = must(
        await server.rest("GET", `/management/v1/users/${imported.userId}/email`, { token: owner.token, headers }),
      );
      assert.equal(v1.proof.method, "CONTACT_PROOF_METHOD_IMPORT");
    });

    await t.test("or has a provider of the organization say so (A13)", async () => {
      const theirs = await startTestProvider(t, () => server.clock.now);
      const options = { ...linkingOptions, isAutoCreation: true };
      const own = await trust.addTo(organizationId, owner.token, bodyAt(theirs, options));
      const email = fresh();
      theirs.user = { ...theirs.user, sub: "trap", email, email_verified: true };
      assert.ok(isIn(await trust.throughPages(organizationId, own, theirs)));
      const [user] = must(
        await server.rest("POST", "/v2/users", { body: { queries: [{ emailQuery: { emailAddress: email } }] } }),
      ).result;
      assert.deepEqual(user.human.email.proof, {
        method: "CONTACT_PROOF_METHOD_PROVIDER",
        organizationId,
        idpId: own,
      });
      // The provider of the instance is offered there too, so that nothing else stands in the way.
      await changeSettings(server, "login", { identityProviderIds: [own, idpId] }, organizationId);
      provider.user = { ...provider.user, sub: `real-${email}`, email, email_verified: true };
      assert.match((await trust.throughPages("", idpId, provider)).html, /This account is not known here/);
      assert.equal((await trust.links(user.userId)).length, 1);
    });

    await t.test("or says that the account of another person is a user's (A13)", async () => {
      const [trap, elsewhere] = [
        await make({ email: fresh() }, owner.token),
        await make({ email: fresh() }, undefined),
      ];
      const sub = "public-number-4711";
      assert.equal(await trust.link(trap, idpId, sub, owner.token), "200");
      const imported = must(
        await server.rest("POST", "/management/v1/users/human/_import", {
          token: owner.token,
          headers,
          body: {
            userName: "imported-trap",
            profile: { firstName: "Vera", lastName: "Victim" },
            email: { email: fresh(), isEmailVerified: true },
            idps: [{ configId: idpId, externalUserId: "public-number-4712", displayName: "v" }],
          },
        }),
      ).userId;
      const signIn = async (subject: string, at = "") => {
        provider.user = { ...provider.user, sub: subject, email: "v@provider.example", email_verified: true };
        return trust.throughPages(at, idpId, provider);
      };
      for (const subject of [sub, "public-number-4712"]) {
        assert.match((await signIn(subject)).html, /This account is not known here/);
      }
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const read = () => server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } });
      assert.equal(must(await read()).userId, "", "applications are told of no user either");
      await changeSettings(server, "login", { identityProviderIds: [idpId] }, organizationId);
      assert.ok(isIn(await signIn(sub, organizationId)), "in the organization it counts (control)");
      assert.ok(isIn(await signIn("public-number-4712", organizationId)), "an import as well (control)");
      assert.equal(await trust.link(elsewhere, idpId, "public-number-4713"), "200");
      assert.ok(isIn(await signIn("public-number-4713")), "the word of the instance counts everywhere (control)");

      // It is no way to keep the owner of the account from it.
      assert.equal(await trust.link(trap, idpId, "public-number-4713", owner.token), "409 identity_link.taken");
      assert.equal(await trust.link(elsewhere, idpId, sub), "200");
      assert.ok(isIn(await signIn(sub)));
      assert.deepEqual(await trust.links(trap), []);
      assert.equal((await trust.links(imported)).length, 1);
      const types = (await recordedEvents(server))
        .filter(({ aggregateId }) => aggregateId === trap)
        .map(({ type }) => type);
      assert.ok(types.includes("user.human.externalidp.cascade.removed"));
    });

    await t.test("an address from before proofs were recorded is treated the same (A13)", async () => {
      const email = fresh();
      const userId = await make({ email, isVerified: true }, undefined);
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      const write = (statement: ReturnType<typeof sql>) =>
        database.touch(testCall({ instanceId, now: server.clock.now }), (tx) => tx.run(statement));
      await write(sql`update users set email_proof = null, is_email_proof_wide = 0 where user_id = ${userId}`);
      assert.deepEqual(await proofOf(userId), { method: "CONTACT_PROOF_METHOD_UNSPECIFIED" });
      assert.equal(await isLinkedBy(email, userId), false);

      assert.equal(await trust.link(userId, idpId, `real-${email}`, owner.token), "200");
      assert.match((await comes(email)).html, /This account is not known here/, "a link that the organization asserts");
      // In a domain that the organization claimed without proof it stays so; once the domain is proven, it counts.
      await write(sql`insert into organization_domains (instance_id, organization_id, domain, is_verified, is_primary,
        validation_type, created_at, changed_at) values (${instanceId}, ${organizationId}, 'bank.example', 1, 0, 'none', 1, 1)`);
      assert.match((await comes(email)).html, /This account is not known here/);
      await write(sql`update organization_domains set is_proven = 1 where domain = 'bank.example'`);
      assert.ok(isIn(await comes(email)), "a link that the organization asserts");
      assert.equal((await server.rest("DELETE", `/v2/users/${userId}/links/${idpId}/real-${email}`)).status, 200);
      assert.equal(await isLinkedBy(email, userId), true);
      await write(sql`delete from organization_domains where domain = 'bank.example'`);
    });

    await t.test(
      "a code to it, an administrator of the instance, and the instance's provider count (A13, control)",
      async () => {
        const email = fresh();
        const userId = await make({ email }, owner.token);
        const verificationCode = await codeTo(server, email);
        must(await server.rest("POST", `/v2/users/${userId}/email/verify`, { body: { verificationCode } }));
        assert.deepEqual(await proofOf(userId), { method: "CONTACT_PROOF_METHOD_CODE" });
        assert.equal(await isLinkedBy(email, userId), true);
        const events = (await recordedEvents(server)).filter(({ aggregateId }) => aggregateId === userId);
        assert.match(JSON.stringify(events), /"proof":\{"by":"code"\}/);

        const asserted = fresh();
        const ofInstance = await make({ email: asserted, isVerified: true }, undefined);
        assert.deepEqual(await proofOf(ofInstance), {
          method: "CONTACT_PROOF_METHOD_ADMINISTRATOR",
          level: "CONTACT_PROOF_LEVEL_INSTANCE",
        });
        assert.equal(await isLinkedBy(asserted, ofInstance), true);

        // Of two users with the address, the one who proved it is meant.
        const shared = fresh();
        const real = await make({ email: shared }, owner.token);
        const code = await codeTo(server, shared);
        must(await server.rest("POST", `/v2/users/${real}/email/verify`, { body: { verificationCode: code } }));
        count += 1000;
        await make({ email: shared, isVerified: true }, clerk.token);
        assert.equal(await isLinkedBy(shared, real), true);
      },
    );

    await t.test("the proof of a phone number is kept as well (A13)", async () => {
      const userId = await make({ email: fresh(), isVerified: true }, owner.token);
      const phone = { phone: "+41791234567", isVerified: true };
      must(await server.rest("POST", `/v2/users/${userId}/phone`, { token: owner.token, body: phone }));
      const read = async () => must(await server.rest("GET", `/v2/users/${userId}`)).user.human.phone.proof;
      assert.deepEqual(await read(), { method: "CONTACT_PROOF_METHOD_ADMINISTRATOR", ...ofOrganization });
      const returned = { phone: "+41791234568", returnCode: {} };
      const { verificationCode } = must(await server.rest("POST", `/v2/users/${userId}/phone`, { body: returned }));
      must(await server.rest("POST", `/v2/users/${userId}/phone/verify`, { body: { verificationCode } }));
      assert.equal((await read()).level, "CONTACT_PROOF_LEVEL_INSTANCE");
    });
  });
});
