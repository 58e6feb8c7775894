import { decodeBase64Url, encodeBase64Url } from "../../base/base64url.ts";
import { isRecord } from "../../base/json.ts";
import type { BrowserAnswer } from "./client-data.ts";
import type { KeyMaterial } from "./key-credential.ts";

// The library is loaded with its first use: it weighs megabytes, and most servers never see a passkey.

/**
 * What an answer is compared with. The functions below give the library the answer's own challenge and origin as the
 * expected ones, so its comparison of these two proves nothing. Their callers have checked both: readNewCredential and
 * checkKey redeem the challenge, of which only the hash is stored, and accept origins of the relying party alone
 * (isOriginOf). A new caller must too.
 */
export interface ExpectedAnswer {
  /** Its challenge has been redeemed, its origin accepted. */
  readonly answer: BrowserAnswer;
  readonly relyingPartyId: string;
  readonly isUserVerificationRequired: boolean;
}

/** The unmodified result of a ceremony in the browser: any JSON. */
export type UntrustedCredential = Readonly<Record<string, unknown>>;

/**
 * Returns the credential that an authenticator created, when the answer is valid (WebAuthn §7.1); otherwise undefined.
 */
export async function verifyCreation(
  credential: UntrustedCredential,
  { answer, relyingPartyId, isUserVerificationRequired }: ExpectedAnswer,
): Promise<(KeyMaterial & { readonly aaguid: string }) | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { challenge, origin } = answer.clientData;
  try {
    const response = (await withoutAttestation(credential)) as unknown;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"],
      // Already checked by the caller: see ExpectedAnswer.
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      requireUserVerification: isUserVerificationRequired,
      supportedAlgorithmIDs: [-8, -7, -257],
    });
    const made = registrationInfo?.credential;
    if (registrationInfo === undefined || made === undefined || made.id !== answer.webauthnId) return undefined;
    return {
      webauthnId: made.id,
      publicKey: encodeBase64Url(Buffer.from(made.publicKey)),
      signCount: made.counter,
      transports: answer.transports,
      aaguid: registrationInfo.aaguid,
    };
  } catch {
    // The library throws for every flaw. To the caller all of them are one refusal.
    return undefined;
  }
}

/** Returns what an authenticator signed, when the answer is valid (WebAuthn §7.2); otherwise undefined. */
export async function verifyAssertion(
  credential: UntrustedCredential,
  { answer, relyingPartyId, isUserVerificationRequired, key }: ExpectedAnswer & { readonly key: KeyMaterial },
): Promise<{ readonly signCount: number; readonly isUserVerified: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { challenge, origin } = answer.clientData;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
      // Already checked by the caller: see ExpectedAnswer.
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: relyingPartyId,
      requireUserVerification: isUserVerificationRequired,
      credential: {
        id: key.webauthnId,
        publicKey: new Uint8Array(decodeBase64Url(key.publicKey) ?? []),
        counter: key.signCount,
      },
    });
    if (!verified) return undefined;
    return { signCount: authenticationInfo.newCounter, isUserVerified: authenticationInfo.userVerified };
  } catch {
    return undefined;
  }
}

/**
 * Replaces the attestation of an answer with one of format "none". None was requested, and an unrequested one is not
 * examined: its certificates could name servers that would have to be queried.
 */
async function withoutAttestation(credential: UntrustedCredential): Promise<UntrustedCredential> {
  const { response } = credential;
  if (!isRecord(response) || typeof response["attestationObject"] !== "string") return credential;
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const bytes = decodeBase64Url(response["attestationObject"]);
  if (bytes === undefined) return credential;
  const data = decodeAttestationObject(new Uint8Array(bytes)).get("authData");
  const attestationObject = encodeBase64Url(Buffer.concat([attestationOfNone(data.length), data]));
  return { ...credential, response: { ...response, attestationObject } };
}

// CBOR (RFC 8949) of {"fmt": "none", "attStmt": {}, "authData": bytes}, up to the bytes.
function attestationOfNone(length: number): Buffer {
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  const size = Buffer.alloc(3, 0x59);
  size.writeUInt16BE(length, 1);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text("fmt"),
    text("none"),
    text("attStmt"),
    Buffer.from([0xa0]),
    text("authData"),
    size,
  ]);
}
