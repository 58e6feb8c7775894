import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { KeyFactor } from "../factor/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import { readBrowserAnswer } from "./client-data.ts";
import type { KeyMaterial } from "./key-credential.ts";
import { chooseRelyingParty } from "./relying-party.ts";
import { type UntrustedCredential, verifyCreation } from "./verify-signature.ts";

/** What an authenticator created. */
export type NewCredential = KeyMaterial & { readonly aaguid: string };

export interface NewCredentialDeps {
  readonly database: Database;
  readonly basePort: string;
}

/** What was read, with what the challenge was bound to. */
export interface ReadCredential {
  readonly made: NewCredential;
  readonly bound: Readonly<Record<string, string>>;
}

/**
 * Reads what the authenticator created for a registration. The first answer, right or wrong, consumes the challenge.
 * Undefined when it is not a valid answer to this registration (WebAuthn §7.1).
 */
export async function readNewCredential(
  deps: NewCredentialDeps,
  call: Call,
  { credential, kind }: { readonly credential: UntrustedCredential; readonly kind: KeyFactor },
  { credentialId, relyingPartyId }: { readonly credentialId: string; readonly relyingPartyId: string },
): Promise<ReadCredential | undefined> {
  const answer = readBrowserAnswer(credential);
  if (answer === undefined) return undefined;
  const challenge = new Secret(answer.clientData.challenge);
  const secret = { kind: "key_registration", subjectId: credentialId, secret: challenge } as const;
  const redemption = await deps.database.touch(call, (tx) => redeemOneTimeSecret(tx, secret));
  const wanted = { domain: relyingPartyId, field: "credential" };
  const relyingParty = await chooseRelyingParty(deps.database.read, call.instanceId, wanted);
  if (redemption.outcome !== "redeemed") return undefined;
  const { basePort } = deps;
  const isUserVerificationRequired = kind === "passkey";
  const expected = { challenge, relyingParty, basePort, isUserVerificationRequired };
  const made = await verifyCreation(credential, expected);
  return made && { made, bound: redemption.bound };
}
