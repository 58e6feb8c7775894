import { decodeBase64Url, encodeBase64Url } from "../../base/base64url.ts";
import { isRecord } from "../../base/json.ts";
import type { Secret } from "../../base/secret.ts";
import { type BrowserAnswer, readBrowserAnswer } from "./client-data.ts";
import type { KeyMaterial } from "./key-credential.ts";
import { isOriginOf, type RelyingParty } from "./relying-party.ts";

// The library is loaded with its first use: it weighs megabytes, and most servers never see a passkey.

/** What the answer to a ceremony is compared with. None of it comes from the answer without having been checked. */
export interface ExpectedAnswer {
  /** The challenge that the caller redeemed for the ceremony; only its hash is stored. */
  readonly challenge: Secret;
  /** The party whose pages may have asked. */
  readonly relyingParty: RelyingParty;
  /** Port of the configured base URL; empty for the default port. */
  readonly basePort: string;
  readonly isUserVerificationRequired: boolean;
}

/** The unmodified result of a ceremony in the browser: any JSON. */
export type UntrustedCredential = Readonly<Record<string, unknown>>;

/**
 * Returns the credential that an authenticator created, when the answer is valid (WebAuthn §7.1); otherwise undefined.
 */
export async function verifyCreation(
  credential: UntrustedCredential,
  expected: ExpectedAnswer,
): Promise<(KeyMaterial & { readonly aaguid: string }) | undefined> {
  const answer = readAcceptable(credential, expected);
  if (answer === undefined) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const response = (await withoutAttestation(credential)) as unknown;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"],
      ...inWordsOfLibrary(answer, expected),
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
  expected: ExpectedAnswer & { readonly key: KeyMaterial },
): Promise<{ readonly signCount: number; readonly isUserVerified: boolean } | undefined> {
  const answer = readAcceptable(credential, expected);
  if (answer === undefined) return undefined;
  const { key } = expected;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential as unknown as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
      ...inWordsOfLibrary(answer, expected),
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
 * Reads an answer, when a page of the relying party asked for it, in no frame of another site (WebAuthn §7.1 step 9,
 * §7.2 step 13). Which ports a page may have depends on its host, so the library, which knows lists alone, is not asked
 * this.
 */
function readAcceptable(
  credential: UntrustedCredential,
  { relyingParty, basePort }: ExpectedAnswer,
): BrowserAnswer | undefined {
  const answer = readBrowserAnswer(credential);
  if (answer === undefined) return undefined;
  const { isCrossOrigin, origin } = answer.clientData;
  return !isCrossOrigin && isOriginOf(relyingParty, origin, basePort) ? answer : undefined;
}

const inWordsOfLibrary = (
  { clientData }: BrowserAnswer,
  { challenge, relyingParty, isUserVerificationRequired }: ExpectedAnswer,
) => ({
  expectedChallenge: challenge.reveal(),
  // Accepted by `readAcceptable`.
  expectedOrigin: clientData.origin,
  expectedRPID: relyingParty.id,
  requireUserVerification: isUserVerificationRequired,
});

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
