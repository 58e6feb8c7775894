import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { sql } from "../../src/database/index.ts";
import { setUpOidc } from "../support/oidc/oidc.ts";
import { addPerson, appoint, sessionOf } from "../support/people/people.ts";
import { eachServer } from "../support/servers/each-server.ts";
import { trustHost } from "../support/servers/trust-host.ts";
import { createAuthenticator, type Misbehaviour } from "../support/sign-in/authenticator.ts";
import { keysAt } from "./key-support.ts";
import { addFace, callUser, eventsOf, inboxOf, readSession, refusalOf, slugOf } from "./support.ts";

eachServer((start) => {
  test("passkeys and security keys are registered", async (t) => {
    const server = await start(t);
    const { origin } = server;
    const oidc = await setUpOidc(server);
    const { begin, finish, register, challenge, answer, sessionFor, isAccepted } = keysAt(server);

    await t.test(
      "a passkey is registered by what the authenticator makes, and signs in alone, as two factors",
      async () => {
        const { userId, loginName } = await addPerson(server, { username: "key" });
        const device = createAuthenticator({ origin });
        const begun = await begin(userId, "Passkey", { authenticator: "PASSKEY_AUTHENTICATOR_PLATFORM" });
        const options = begun.publicKeyCredentialCreationOptions.publicKey;
        assert.deepEqual(options.rp, { id: "localhost", name: "localhost" });
        const user = { id: Buffer.from(userId).toString("base64url"), name: loginName, displayName: "key Example" };
        assert.deepEqual(options.user, user);
        assert.deepEqual(options.authenticatorSelection, {
          authenticatorAttachment: "platform",
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        });
        assert.deepEqual([options.attestation, options.excludeCredentials], ["none", []]);
        assert.equal(Buffer.from(options.challenge, "base64url").length, 32);
        const passkeys = async () => (await callUser(server, "ListPasskeys", { userId })).result ?? [];
        assert.deepEqual(await passkeys(), [{ id: begun.passkeyId, state: "AUTH_FACTOR_STATE_NOT_READY" }]);
        const made = device.create(begun.publicKeyCredentialCreationOptions);
        const { method, body } = finish(userId, begun, made, "Phone");
        await callUser(server, method, body);
        assert.equal(await refusalOf(server, method, body), "factor.registration_absent");
        assert.deepEqual(await passkeys(), [{ id: begun.passkeyId, state: "AUTH_FACTOR_STATE_READY", name: "Phone" }]);
        const types = await callUser(server, "ListAuthenticationMethodTypes", { userId });
        assert.deepEqual(types.authMethodTypes, [
          "AUTHENTICATION_METHOD_TYPE_PASSWORD",
          "AUTHENTICATION_METHOD_TYPE_PASSKEY",
        ]);
        const elsewhere = { userId, domainQuery: { domain: "login.example" } };
        const there = await callUser(server, "ListAuthenticationMethodTypes", elsewhere);
        assert.deepEqual(there.authMethodTypes, ["AUTHENTICATION_METHOD_TYPE_PASSWORD"]);
        const second = (await begin(userId, "Passkey")).publicKeyCredentialCreationOptions.publicKey;
        assert.deepEqual(second.excludeCredentials, [
          { type: "public-key", id: made.id, transports: ["internal", "hybrid"] },
        ]);

        const sessionId = await sessionFor(userId);
        const asked = await challenge(sessionId);
        assert.deepEqual([asked.publicKey.rpId, asked.publicKey.userVerification], ["localhost", "required"]);
        assert.deepEqual(asked.publicKey.allowCredentials, second.excludeCredentials);
        const signed = device.get(asked);
        const accepted = await answer(sessionId, signed);
        assert.equal(slugOf(accepted), "done");
        assert.equal(slugOf(await answer(sessionId, signed)), "factor.challenge_absent", "a replay");
        const { factors } = await readSession(server, sessionId);
        assert.deepEqual(
          [Date.parse(factors.webAuthN.verifiedAt), factors.webAuthN.userVerified],
          [server.clock.now, true],
        );
        assert.ok(await isAccepted(accepted.body.sessionToken));
        const session = { sessionId, sessionToken: accepted.body.sessionToken };
        assert.deepEqual(decodeJwt((await oidc.tokens({ session }))["id_token"] ?? "")["amr"], ["user", "mfa"]);
        const other = await sessionFor(userId);
        assert.equal(slugOf(await answer(other, signed)), "factor.challenge_absent", "for another session");

        await callUser(server, "RemovePasskey", { userId, passkeyId: begun.passkeyId });
        await callUser(server, "RemovePasskey", { userId, passkeyId: begun.passkeyId });
        assert.ok(await isAccepted(accepted.body.sessionToken), "removing it ends nothing");
        assert.equal(await challenge(sessionId), "factor.absent");
        const events = await eventsOf(server, userId, "user.passkey");
        assert.deepEqual(events, [
          "user.passkey.added",
          "user.passkey.added",
          "user.passkey.removed",
          "user.passkey.verified",
          "user.passkey_check.succeeded",
        ]);
      },
    );

    await t.test("invalid responses to a registration are refused and consume the challenge", async () => {
      const { userId } = await addFace(server, "bad");
      const device = createAuthenticator({ origin });
      const unsound: Record<string, Misbehaviour> = {
        "another origin": { origin: "https://evil.example" },
        "an origin that ends like it": { origin: `http://evil-localhost:${server.port}` },
        "the origin with a path": { origin: `${origin}/` },
        "another relying party": { rpId: "login.example" },
        "another challenge": { challenge: Buffer.alloc(32).toString("base64url") },
        "no challenge": { challenge: "" },
        "an answer to a sign-in": { type: "webauthn.get" },
        "from a frame of another site": { crossOrigin: true },
        "nobody there": { isPresent: false },
        "nobody verified": { isVerified: false },
        "another id": { id: Buffer.alloc(32, 1).toString("base64url") },
        "an algorithm that was not asked for": { algorithm: -65535 },
      };
      for (const [name, given] of Object.entries(unsound)) {
        const begun = await begin(userId, "Passkey");
        const options = begun.publicKeyCredentialCreationOptions;
        const { method, body } = finish(userId, begun, device.create(options, given));
        assert.equal(await refusalOf(server, method, body), "factor.key_refused", name);
        if ("challenge" in given) continue;
        const right = finish(userId, begun, device.create(options));
        assert.equal(
          await refusalOf(server, right.method, right.body),
          "factor.key_refused",
          `${name}, then a right one`,
        );
      }
      const begun = await begin(userId, "Passkey");
      const made = device.create(begun.publicKeyCredentialCreationOptions);
      const { response } = made;
      const deep = JSON.parse(`${"[".repeat(50)}${"]".repeat(50)}`);
      const malformed: object[] = [
        {},
        { ...made, id: "" },
        { ...made, rawId: "x" },
        { ...made, type: "password" },
        { ...made, response: null },
        { ...made, response: {} },
        { ...made, response: { ...response, clientDataJSON: "%%%" } },
        ...["", "bnVsbA", "W10", "eyJ0eXBlIjoxfQ"].map((clientDataJSON) => ({
          ...made,
          response: { ...response, clientDataJSON },
        })),
        { ...made, response: deep },
        { ...made, id: "A".repeat(5000), rawId: "A".repeat(5000) },
      ];
      for (const credential of malformed) {
        const { method, body } = finish(userId, begun, credential);
        assert.equal(
          await refusalOf(server, method, body),
          "factor.key_refused",
          JSON.stringify(credential).slice(0, 100),
        );
      }
      for (const attestationObject of ["", "oA", "o2NmbXRkbm9uZQ", Buffer.alloc(3000, 0x9f).toString("base64url"), 7]) {
        const next = await begin(userId, "Passkey");
        const whole = device.create(next.publicKeyCredentialCreationOptions);
        const { method, body } = finish(userId, next, { ...whole, response: { ...whole.response, attestationObject } });
        assert.equal(await refusalOf(server, method, body), "factor.key_refused");
      }
      const late = await begin(userId, "Passkey");
      server.clock.now += 300_000;
      const { method, body } = finish(userId, late, device.create(late.publicKeyCredentialCreationOptions));
      assert.equal(await refusalOf(server, method, body), "factor.key_refused", "too late");
      const types = await callUser(server, "ListAuthenticationMethodTypes", { userId });
      assert.equal(types.authMethodTypes, undefined);
    });

    await t.test("a credential belongs to one user; unsolicited attestations are ignored", async () => {
      const ada = await addFace(server, "first");
      const bob = await addFace(server, "second");
      const device = createAuthenticator({ origin });
      const [one, two] = [await begin(ada.userId, "Passkey"), await begin(bob.userId, "Passkey")];
      const made = device.create(one.publicKeyCredentialCreationOptions, {
        attestation: { format: "apple", statement: new Map([["x5c", [Buffer.from("no certificate")]]]) },
      });
      const swapped = finish(bob.userId, { passkeyId: one.passkeyId }, made);
      assert.equal(
        await refusalOf(server, swapped.method, swapped.body),
        "factor.registration_absent",
        "of somebody else",
      );
      const right = finish(ada.userId, one, made);
      await callUser(server, right.method, right.body);
      const { challenge: hers } = two.publicKeyCredentialCreationOptions.publicKey;
      const clientData = { type: "webauthn.create", challenge: hers, origin, crossOrigin: false };
      const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString("base64url");
      const again = finish(bob.userId, two, { ...made, response: { ...made.response, clientDataJSON } });
      assert.equal(await refusalOf(server, again.method, again.body), "factor.key_known");
    });

    await t.test("a code adds one passkey within an hour, for users who may not add one otherwise", async () => {
      const person = await addPerson(server, { username: "invited" });
      const helper = await addPerson(server, { username: "helper" });
      const { token } = await sessionOf(server, helper);
      const { userId } = person;
      const issue = async () =>
        (await callUser(server, "CreatePasskeyRegistrationLink", { userId, returnCode: {} })).code;
      const redeem = (code: object, by: string | undefined = token, of = userId) =>
        refusalOf(server, "RegisterPasskey", { userId: of, code }, by);
      assert.equal(await refusalOf(server, "RegisterPasskey", { userId }, token), "user.not_found");
      const first = await issue();
      assert.match(first.code, /^[A-HJ-NP-Z2-9]{12}$/);
      const code = await issue();
      assert.equal(await redeem(first), "user.code_invalid", "a newer one took its place");
      assert.equal(await redeem({ ...code, id: first.id }), "user.code_invalid");
      assert.equal(await redeem(code, token, helper.userId), "user.code_invalid", "for somebody else");
      const outcomes = await Promise.all([redeem(code), redeem(code), redeem(code)]);
      assert.deepEqual(outcomes.toSorted(), ["done", "user.code_invalid", "user.code_invalid"]);
      const late = await issue();
      server.clock.now += 3_600_000;
      assert.equal(await redeem(late), "user.code_invalid");
      const guessed = await issue();
      for (let guess = 0; guess < 5; guess++)
        assert.equal(await redeem({ id: guessed.id, code: "A".repeat(12) }), "user.code_invalid");
      assert.equal(await redeem(guessed), "user.code_invalid");

      const self = await sessionOf(server, person);
      const own = { userId, returnCode: {} };
      assert.equal(await refusalOf(server, "CreatePasskeyRegistrationLink", own, self.token), "permission.missing");
      const manager = await addPerson(server, { username: "manager" });
      await appoint(server, manager, { organizationId: manager.organizationId }, ["ORG_OWNER"]);
      const { token: theirs } = await sessionOf(server, manager);
      assert.equal(await refusalOf(server, "CreatePasskeyRegistrationLink", own, theirs), "done");
      await appoint(server, person, { instance: true }, ["IAM_OWNER"]);
      assert.equal(await refusalOf(server, "CreatePasskeyRegistrationLink", own, theirs), "user.administers_more");

      await trustHost(server, "login.example");
      const urlTemplate = "https://login.example/passkey?i={{.CodeID}}&c={{.Code}}&u={{.UserID}}&o={{.OrgID}}";
      await callUser(server, "CreatePasskeyRegistrationLink", { userId, sendLink: { urlTemplate } });
      const [mail] = await inboxOf(server, "invited@mail.example");
      assert.equal(mail?.kind, "passkey_registration");
      const link = new URL(mail?.link ?? "").searchParams;
      assert.deepEqual([link.get("u"), link.get("o")], [userId, person.organizationId]);
      assert.equal(await redeem({ id: link.get("i"), code: link.get("c") }), "done");
    });

    await t.test("abandoned registrations expire, and deleting a user deletes their keys", async () => {
      const { userId } = await addFace(server, "gone");
      const count = async () =>
        (await server.app.domain.database.read.all(sql`select 1 from webauthn_credentials where user_id = ${userId}`))
          .length;
      await register(userId, createAuthenticator({ origin }), "Passkey");
      await begin(userId, "U2F");
      assert.equal(await count(), 2);
      server.clock.now += 86_400_000 + 360_000;
      await server.app.jobs.tick();
      assert.equal(await count(), 1);
      await callUser(server, "DeleteUser", { userId });
      assert.equal(await count(), 0);
    });
  });
});
