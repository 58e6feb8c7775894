import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Secret } from "../../src/base/secret.ts";
import { verifyAssertion, verifyCreation } from "../../src/domain/webauthn-key/verify-signature.ts";
import { createAuthenticator, type Misbehaviour } from "../support/sign-in/authenticator.ts";

const challenge = "Y2hhbGxlbmdl";
const expected = {
  challenge: new Secret(challenge),
  relyingParty: { id: "id.example", hosts: ["id.example", "login.id.example"] },
  basePort: "",
  isUserVerificationRequired: true,
};

const creation = {
  publicKey: {
    challenge,
    rp: { id: "id.example" },
    user: { id: "dXNlcg" },
    authenticatorSelection: { userVerification: "required" },
  },
};

/** Answers that only what the caller expects can refuse: each is signed by the right key. */
const refused: Readonly<Record<string, Misbehaviour>> = {
  "another challenge": { challenge: "b3RoZXI" },
  "a page of another site": { origin: "https://evil.example" },
  "a page without TLS": { origin: "http://id.example" },
  "another port": { origin: "https://id.example:8443" },
  "a frame of another site": { crossOrigin: true },
};

describe("the answer of an authenticator is compared with what the caller expects (S10)", () => {
  const device = createAuthenticator({ origin: "https://login.id.example" });

  test("registration", async () => {
    const made = await verifyCreation({ ...device.create(creation) }, expected);
    assert.ok(made);
    for (const [what, given] of Object.entries(refused)) {
      const answer = await verifyCreation({ ...device.create(creation, given) }, expected);
      assert.equal(answer, undefined, what);
    }
  });

  test("sign-in", async () => {
    const key = await verifyCreation({ ...device.create(creation) }, expected);
    assert.ok(key);
    const { webauthnId: id } = key;
    const publicKey = { challenge, rpId: "id.example", userVerification: "required", allowCredentials: [{ id }] };
    const verify = (given?: Misbehaviour) =>
      verifyAssertion({ ...device.get({ publicKey }, given) }, { ...expected, key });
    assert.deepEqual(await verify(), { signCount: 2, isUserVerified: true });
    for (const [what, given] of Object.entries(refused)) assert.equal(await verify(given), undefined, what);
  });
});
