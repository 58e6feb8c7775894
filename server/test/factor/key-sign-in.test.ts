import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { eachServer } from "../support/servers/each-server.ts";
import { type Authenticator, createAuthenticator, type Misbehaviour } from "../support/sign-in/authenticator.ts";
import { keysAt } from "./key-support.ts";
import { addFace, addMember, callUser, createSession, readSession, refusalOf, slugOf } from "./support.ts";

const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

eachServer((start) => {
  test("passkeys and security keys sign in", async (t) => {
    const server = await start(t);
    const { origin } = server;
    const trust = await server.connect("service.instance.v2.InstanceService/AddTrustedDomain", {
      trustedDomain: "login.example",
    });
    assert.equal(trust.status, 200, JSON.stringify(trust.body));
    const { register, challenge, answer, sessionFor, isAccepted } = keysAt(server);

    await t.test("invalid responses to a sign-in are refused and consume the challenge", async () => {
      const { userId } = await addFace(server, "careful");
      const bob = await addFace(server, "other");
      const [device, foreign] = [createAuthenticator({ origin }), createAuthenticator({ origin })];
      await register(userId, device, "Passkey");
      await register(bob.userId, foreign, "Passkey");
      const sessionId = await sessionFor(userId);
      const unsound: Record<string, Misbehaviour> = {
        "another origin": { origin: "https://evil.example" },
        "the host with TLS left out, from outside": { origin: "http://login.example" },
        "another relying party": { rpId: "login.example" },
        "an answer to a registration": { type: "webauthn.create" },
        "from a frame of another site": { crossOrigin: true },
        "nobody there": { isPresent: false },
        "nobody verified": { isVerified: false },
        "another key": { key: stranger },
        "another id": { id: Buffer.alloc(32, 1).toString("base64url") },
        "the user handle of somebody else": { userHandle: Buffer.from(bob.userId).toString("base64url") },
      };
      for (const [name, given] of Object.entries(unsound)) {
        const asked = await challenge(sessionId);
        assert.equal(slugOf(await answer(sessionId, device.get(asked, given))), "factor.key_refused", name);
        assert.equal(
          slugOf(await answer(sessionId, device.get(asked))),
          "factor.challenge_absent",
          `${name}, then a right one`,
        );
      }
      const asked = await challenge(sessionId);
      assert.equal(
        slugOf(await answer(sessionId, foreign.get(asked))),
        "factor.key_refused",
        "the key of somebody else",
      );
      const guessed = await challenge(sessionId);
      const wrong = device.get(guessed, { challenge: Buffer.alloc(32).toString("base64url") });
      assert.equal(slugOf(await answer(sessionId, wrong)), "factor.key_refused", "another challenge");
      for (const part of [{ signature: "AA" }, { signature: 7 }, { authenticatorData: "" }, { clientDataJSON: "AA" }]) {
        const next = device.get(await challenge(sessionId));
        const broken = { ...next, response: { ...next.response, ...part } };
        assert.equal(slugOf(await answer(sessionId, broken)), "factor.key_refused", JSON.stringify(part));
      }
      const late = await challenge(sessionId);
      server.clock.now += 300_000;
      assert.equal(slugOf(await answer(sessionId, device.get(late))), "factor.challenge_absent", "too late");
      const [old, newer] = [await challenge(sessionId), await challenge(sessionId)];
      assert.equal(
        slugOf(await answer(sessionId, device.get(old))),
        "factor.key_refused",
        "a newer one took its place",
      );
      const once = device.get(newer, { userHandle: null });
      const outcomes = await Promise.all([answer(sessionId, once), answer(sessionId, once), answer(sessionId, once)]);
      assert.deepEqual(outcomes.map(slugOf).toSorted(), ["done", "factor.challenge_absent", "factor.challenge_absent"]);
      assert.equal(
        slugOf(
          await createSession(server, { checks: { user: { userId }, webAuthN: { credentialAssertionData: once } } }),
        ),
        "factor.challenge_absent",
      );
      const nobody = {
        webAuthN: { domain: "localhost", userVerificationRequirement: "USER_VERIFICATION_REQUIREMENT_REQUIRED" },
      };
      assert.equal(slugOf(await createSession(server, { challenges: nobody })), "session.user_missing");
      await callUser(server, "DeactivateUser", { userId });
      assert.equal(slugOf(await answer(sessionId, device.get(newer))), "session.terminated");
    });

    await t.test(
      "an authenticator's counter reveals a clone; authenticators that do not count are accepted",
      async () => {
        const { userId } = await addFace(server, "counted");
        const device = createAuthenticator({ origin });
        await register(userId, device, "Passkey");
        const sessionId = await sessionFor(userId);
        const copy = device.clone();
        const use = async (by: Authenticator) => slugOf(await answer(sessionId, by.get(await challenge(sessionId))));
        assert.deepEqual(
          [await use(device), await use(device), await use(copy)],
          ["done", "done", "factor.key_refused"],
        );
        const silent = createAuthenticator({ origin, counts: false });
        const { userId: other } = await addFace(server, "uncounted");
        await register(other, silent, "Passkey");
        const theirs = await sessionFor(other);
        for (let round = 0; round < 2; round++) {
          assert.equal(slugOf(await answer(theirs, silent.get(await challenge(theirs)))), "done");
        }
      },
    );

    await t.test(
      "a security key is a second factor, and asked for where user verification is not required",
      async () => {
        const { userId, password } = await addMember(server, { username: "guarded" });
        const device = createAuthenticator({ origin });
        const u2fId = await register(userId, device, "U2F");
        server.clock.now += 60_000;
        const listed = await callUser(server, "ListAuthenticationFactors", { userId });
        assert.deepEqual(listed.result, [{ state: "AUTH_FACTOR_STATE_READY", u2f: { id: u2fId, name: "My key" } }]);
        const { body } = await createSession(server, { checks: { user: { userId }, password: { password } } });
        assert.equal(await isAccepted(body.sessionToken), false);
        assert.equal(await challenge(body.sessionId, "REQUIRED"), "factor.absent");
        const asked = await challenge(body.sessionId, "DISCOURAGED");
        const accepted = await answer(body.sessionId, device.get(asked));
        assert.equal(slugOf(accepted), "done");
        assert.ok(await isAccepted(accepted.body.sessionToken));
        const { factors } = await readSession(server, body.sessionId);
        assert.ok(!factors.webAuthN.userVerified);
        assert.equal(
          await refusalOf(server, "RemovePasskey", { userId, passkeyId: u2fId }),
          "done",
          "not a passkey: nothing happens",
        );
        assert.notEqual(await challenge(body.sessionId, "PREFERRED"), "factor.absent");
        await callUser(server, "RemoveU2F", { userId, u2fId });
        assert.equal(await challenge(body.sessionId, "PREFERRED"), "factor.absent");
      },
    );

    await t.test("a credential works for its domain; a domain is one of the instance", async () => {
      const { userId } = await addFace(server, "abroad");
      for (const domain of [
        "evil.example",
        "example",
        "ocalhost",
        "login.example.",
        "login.example:1",
        "http://localhost",
        "*",
      ]) {
        const expected = domain === "login.example." ? "done" : "factor.domain_foreign";
        assert.equal(await refusalOf(server, "RegisterPasskey", { userId, domain }), expected, domain);
      }
      const device = createAuthenticator({ origin: "https://login.example" });
      await register(userId, device, "Passkey", "login.example");
      const sessionId = await sessionFor(userId);
      assert.equal(await challenge(sessionId), "factor.absent", "for localhost there is none");
      assert.equal(await challenge(sessionId, "REQUIRED", "evil.example"), "factor.domain_foreign");
      const asked = await challenge(sessionId, "REQUIRED", "login.example");
      assert.equal(slugOf(await answer(sessionId, device.get(asked))), "done");
      const port = await challenge(sessionId, "REQUIRED", "login.example");
      assert.equal(
        slugOf(await answer(sessionId, device.get(port, { origin: "https://login.example:9999" }))),
        "factor.key_refused",
      );
    });
  });
});
