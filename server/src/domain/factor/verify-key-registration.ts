import { Fault } from "../../base/fault.ts";
import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { type Details, UniqueViolation } from "../../database/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import {
  authorizeUser,
  holdAuthorizedUser,
  leaveInitialState,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { readBrowserAnswer } from "./client-data.ts";
import { insertReadyFactor } from "./factor.store.ts";
import type { KeyFactor } from "./factor.ts";
import type { FactorDeps } from "./factor-deps.ts";
import { completeCredential, findPendingCredential } from "./key-credential.store.ts";
import type { KeyCredential } from "./key-credential.ts";
import { chooseRelyingParty, isOriginOf } from "./relying-party.ts";
import { type UntrustedCredential, verifyCreation } from "./verify-signature.ts";

export interface VerifyKeyRegistration {
  readonly userId: string;
  readonly credentialId: string;
  readonly kind: KeyFactor;
  /** What `navigator.credentials.create()` gave back. */
  readonly credential: UntrustedCredential;
  /** By which the person will recognise it. */
  readonly name: string;
}

/**
 * Completes the registration of a passkey or security key with what the authenticator made. The challenge is used up by the first answer to it,
 * right or wrong. Throws `factor.key_refused` for whatever is not a sound answer to this registration.
 */
export async function verifyKeyRegistration(
  deps: FactorDeps & { readonly basePort: string },
  call: Call,
  input: VerifyKeyRegistration,
): Promise<Details> {
  const wanted = writeOwnCredential(deps);
  await authorizeUser(deps.database.read, call, input.userId, wanted);
  const pending = await findPendingCredential(deps.database.read, call.instanceId, input);
  if (pending === undefined) throw registrationAbsent();
  const made = await readMaterial(deps, call, input, pending);
  if (made === undefined) throw refused();
  return complete(deps, call, input, made);
}

async function readMaterial(
  deps: FactorDeps & { readonly basePort: string },
  call: Call,
  { credential, kind }: VerifyKeyRegistration,
  { credentialId, relyingPartyId }: KeyCredential,
) {
  const answer = readBrowserAnswer(credential);
  if (answer === undefined) return undefined;
  const { challenge, origin, isCrossOrigin } = answer.clientData;
  const secret = { kind: "key_registration", subjectId: credentialId, secret: new Secret(challenge) } as const;
  const redemption = await deps.database.touch(call, (tx) => redeemOneTimeSecret(tx, secret));
  const place = { domain: relyingPartyId, field: "credential" };
  const relyingParty = await chooseRelyingParty(deps.database.read, call.instanceId, place);
  if (redemption.outcome !== "redeemed" || isCrossOrigin || !isOriginOf(relyingParty, origin, deps.basePort)) {
    return undefined;
  }
  const isUserVerificationRequired = kind === "passkey";
  return verifyCreation(credential, { answer, relyingPartyId, isUserVerificationRequired });
}

async function complete(
  deps: FactorDeps,
  call: Call,
  { userId, credentialId, kind, name }: VerifyKeyRegistration,
  made: NonNullable<Awaited<ReturnType<typeof verifyCreation>>>,
): Promise<Details> {
  try {
    return await deps.database.change(call, async (tx) => {
      const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
      if (!(await completeCredential(tx, { ...made, credentialId, userId, name }))) throw registrationAbsent();
      await insertReadyFactor(tx, userId, kind);
      const payload = { credentialId, name, aaguid: made.aaguid };
      const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.verified`, payload });
      await leaveInitialState(tx, user);
      return { ...user.details, sequence, changedAt: tx.now };
    });
  } catch (error) {
    // WebAuthn §7.1 step 26: a credential is of one person.
    if (error instanceof UniqueViolation)
      throw new Fault("already_exists", "factor.key_known", { field: "credential" });
    throw error;
  }
}

const registrationAbsent = (): Fault =>
  new Fault("failed_precondition", "factor.registration_absent", { field: "credentialId" });
const refused = (): Fault => new Fault("invalid_argument", "factor.key_refused", { field: "credential" });
