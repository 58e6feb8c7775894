import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { type Details, type Tx, UniqueViolation } from "../../database/index.ts";
import { mayRedeem } from "../contact/index.ts";
import { type FactorDeps, type KeyFactor, putReadyFactor } from "../factor/index.ts";
import { isStoredSecret } from "../one-time-secret/index.ts";
import {
  authorizeUser,
  findUserScope,
  holdAuthorizedUser,
  leaveInitialState,
  recordUserEvent,
  requireHuman,
  writeOwnCredential,
} from "../user/index.ts";
import { completeCredential, findPendingCredential } from "./key-credential.store.ts";
import { type ReadCredential, readNewCredential } from "./read-new-credential.ts";
import type { UntrustedCredential } from "./verify-signature.ts";

export interface VerifyKeyRegistration {
  readonly userId: string;
  readonly credentialId: string;
  readonly kind: KeyFactor;
  /** The result of `navigator.credentials.create()`. */
  readonly credential: UntrustedCredential;
  /** Chosen by the user to recognize the credential. */
  readonly name: string;
}

/**
 * Completes the registration of a passkey or security key with what the authenticator created. The first answer, right
 * or wrong, consumes the challenge. Throws `factor.key_refused` when it is not a valid answer to this registration.
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
  const read = await readNewCredential(deps, call, input, pending);
  if (read === undefined) throw keyRefused();
  return complete(deps, call, input, read);
}

async function complete(
  deps: FactorDeps,
  call: Call,
  { userId, credentialId, kind, name }: VerifyKeyRegistration,
  { made, bound }: ReadCredential,
): Promise<Details> {
  try {
    return await deps.database.change(call, async (tx) => {
      const user = requireHuman(await holdAuthorizedUser(tx, userId, writeOwnCredential(deps)));
      if (!(await isStillOpen(tx, userId, bound))) throw registrationAbsent();
      if (!(await completeCredential(tx, { ...made, credentialId, userId, name }))) throw registrationAbsent();
      await putReadyFactor(tx, user, kind);
      const payload = { credentialId, name, aaguid: made.aaguid };
      const sequence = await recordUserEvent(tx, user, { type: `user.${kind}.verified`, payload });
      await leaveInitialState(tx, user);
      return { ...user.details, sequence, changedAt: tx.now };
    });
  } catch (error) {
    throw toKnown(error);
  }
}

// What ends a code (a new password, another address, a second factor) also ends a registration that it began.
async function isStillOpen(tx: Tx, userId: string, { code }: ReadCredential["bound"]): Promise<boolean> {
  if (code === undefined) return true;
  if (!mayRedeem(await findUserScope(tx, tx.instanceId, userId))) return false;
  const subject = { instanceId: tx.instanceId, kind: "passkey_registration", subjectId: userId } as const;
  return isStoredSecret(tx, subject, code);
}

/** WebAuthn §7.1 step 26: a credential belongs to one user. Every other error is passed on. */
export const toKnown = (error: unknown): unknown =>
  error instanceof UniqueViolation ? new Fault("already_exists", "factor.key_known", { field: "credential" }) : error;

const registrationAbsent = (): Fault =>
  new Fault("failed_precondition", "factor.registration_absent", { field: "credentialId" });
/** The error for an invalid answer to a registration. */
export const keyRefused = (): Fault => new Fault("invalid_argument", "factor.key_refused", { field: "credential" });
