import { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { isCredentialSuspended } from "../administrator-access/index.ts";
import type { FactorUser } from "../factor/index.ts";
import { redeemOneTimeSecret } from "../one-time-secret/index.ts";
import { findUserScope, readAuthorOfCredential, recordUserEvent, type UserScope } from "../user/index.ts";
import { type BrowserAnswer, readBrowserAnswer } from "./client-data.ts";
import { isOneOfTwo } from "./is-one-of-two.ts";
import { advanceSignCount, findOwnerOfCredential, listReadyCredentials } from "./key-credential.store.ts";
import { anyUser, type ReadyCredential, userHandleOf } from "./key-credential.ts";
import { chooseRelyingParty } from "./relying-party.ts";
import { type UntrustedCredential, verifyAssertion } from "./verify-signature.ts";

export interface CheckKeyDeps {
  readonly database: Database;
  /** Port of the configured base URL; empty for the default port. */
  readonly basePort: string;
}

export interface CheckKey {
  /** The user whose passkey or security key must answer; undefined accepts the passkey of any user. */
  readonly user: FactorUser | undefined;
  /** The session that the challenge was made for. */
  readonly sessionId: string;
  /** The result of `navigator.credentials.get()`. */
  readonly credential: UntrustedCredential;
}

/** The result of a check. `refused`: the answer is invalid; which part of it failed is deliberately not disclosed. */
export type KeyCheck =
  | {
      readonly outcome: "correct";
      readonly isUserVerified: boolean;
      /** Whether it is one factor, although it verified the user: a message opened it, and the user has another. */
      readonly isOneFactor: boolean;
      readonly user: FactorUser;
      /** The sign-in epoch of the owner from before the check, where no user was named. */
      readonly signInEpoch?: number | undefined;
      /** Whether it no longer lets its user in by itself (`isCredentialSuspended`): the user counts as not verified. */
      readonly isSuspended: boolean;
      readonly author: string;
    }
  | {
      readonly outcome: "refused";
      /**
       * Id of the credential that answered, as its authenticator names it, when no user has it for this relying party.
       */
      readonly unknownId?: string;
    }
  | { readonly outcome: "unchallenged" };

/**
 * Checks the answer of a passkey or security key to the challenge of a session. The first answer, right or wrong,
 * consumes the challenge, so a failed check needs a new challenge. Signatures are verified outside of any unit of work.
 */
export async function checkKey(deps: CheckKeyDeps, call: Call, input: CheckKey): Promise<KeyCheck> {
  const { sessionId, credential } = input;
  const answer = readBrowserAnswer(credential);
  if (answer === undefined) return { outcome: "refused" };
  const challenge = new Secret(answer.clientData.challenge);
  const secret = { kind: "session_web_auth_n", subjectId: sessionId, secret: challenge } as const;
  const redemption = await deps.database.touch(call, (tx) => redeemOneTimeSecret(tx, secret));
  if (redemption.outcome === "absent") return { outcome: "unchallenged" };
  const challenged = redemption.outcome === "wrong" ? undefined : redemption.bound;
  const { relyingPartyId = "", userVerification } = challenged ?? {};
  const isAny = input.user === undefined && challenged !== undefined;
  const owner = isAny ? await findOwner(deps, call, { answer, relyingPartyId }) : undefined;
  const user = input.user ?? owner;
  if (user === undefined) {
    const isUnknown = challenged !== undefined && (await isUnowned(deps, call, { answer, relyingPartyId }));
    return { outcome: "refused", ...(isUnknown && { unknownId: answer.webauthnId }) };
  }
  if (challenged === undefined) return refuse(deps, call, user, undefined);
  const isUserVerificationRequired = userVerification === "required";
  const domain = { domain: relyingPartyId, field: "checks.webAuthN" };
  const relyingParty = await chooseRelyingParty(deps.database.read, call.instanceId, domain);
  const found = await findAnswering(deps, call, { user, answer, relyingPartyId });
  const isMeant = challenged["userId"] === (input.user?.userId ?? anyUser);
  if (!isMeant || found === undefined) return refuse(deps, call, user, found);
  if (isUserVerificationRequired && found.kind !== "passkey") return refuse(deps, call, user, found);
  const { basePort } = deps;
  const expected = { challenge, relyingParty, basePort, isUserVerificationRequired, key: found };
  const signed = await verifyAssertion(credential, expected);
  if (signed === undefined) return refuse(deps, call, user, found);
  const isAccepted = await deps.database.change(call, async (tx) => {
    if (!(await advanceSignCount(tx, found, signed.signCount))) return false;
    const { credentialId, kind } = found;
    await recordUserEvent(tx, user, { type: `user.${kind}_check.succeeded`, payload: { credentialId } });
    return true;
  });
  if (!isAccepted) return refuse(deps, call, user, found);
  const author = readAuthorOfCredential(found.author, user.organizationId);
  const isOneFactor = await isOneOfTwo(deps.database.read, call.instanceId, found);
  const made = { userId: user.userId, author, madeAt: found.createdAt };
  const isSuspended = await isCredentialSuspended(deps.database.read, call.instanceId, made);
  const isUserVerified = signed.isUserVerified && !isSuspended;
  const checked = { isUserVerified, isOneFactor, isSuspended, author };
  return { outcome: "correct", user, signInEpoch: owner?.signInEpoch, ...checked };
}

/**
 * Finds the owner of the credential that claims to have answered, when no user was named. The user handle must match
 * (WebAuthn §7.2 step 6).
 */
async function findOwner(
  { database: { read } }: CheckKeyDeps,
  { instanceId }: Call,
  { answer, relyingPartyId }: { readonly answer: BrowserAnswer; readonly relyingPartyId: string },
): Promise<UserScope | undefined> {
  const { webauthnId, userHandle } = answer;
  const userId = await findOwnerOfCredential(read, instanceId, { webauthnId, relyingPartyId });
  if (userId === undefined || userHandle !== userHandleOf(userId)) return undefined;
  return findUserScope(read, instanceId, userId);
}

/** Whether no user of the instance has the credential that claims to have answered. */
const isUnowned = async (
  { database: { read } }: CheckKeyDeps,
  { instanceId }: Call,
  { answer: { webauthnId }, relyingPartyId }: { readonly answer: BrowserAnswer; readonly relyingPartyId: string },
): Promise<boolean> => (await findOwnerOfCredential(read, instanceId, { webauthnId, relyingPartyId })) === undefined;

/** Finds the credential that claims to have answered, if it is one of this user and relying party. */
async function findAnswering(
  { database: { read } }: CheckKeyDeps,
  { instanceId }: Call,
  { user, answer, relyingPartyId }: { user: FactorUser; answer: BrowserAnswer; relyingPartyId: string },
): Promise<ReadyCredential | undefined> {
  const { userHandle, webauthnId } = answer;
  // WebAuthn §7.2 step 6: the user handle of a discoverable credential must match its user.
  if (userHandle !== undefined && userHandle !== userHandleOf(user.userId)) return undefined;
  const credentials = await listReadyCredentials(read, instanceId, { userId: user.userId, relyingPartyId });
  return credentials.find((credential) => credential.webauthnId === webauthnId);
}

async function refuse(
  { database }: CheckKeyDeps,
  call: Call,
  user: FactorUser,
  credential: ReadyCredential | undefined,
): Promise<KeyCheck> {
  const { kind = "passkey", credentialId } = credential ?? {};
  await database.change(call, (tx) =>
    recordUserEvent(tx, user, { type: `user.${kind}_check.failed`, payload: { credentialId } }),
  );
  return { outcome: "refused" };
}
