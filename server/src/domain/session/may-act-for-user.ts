import { Fault } from "../../base/fault.ts";
import { type Call, isLoginClient, parseAuthor, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { isAdministrator, mayActFor, mayPrepareFor } from "../administrator-access/index.ts";
import { findContactOrigins } from "../contact/index.ts";
import { isFactorByItself, listReadyFactors } from "../factor/index.ts";
import { findPasswordAuthor } from "../password/index.ts";
import { settingsReaderOf } from "../settings/index.ts";
import { type ActOnUser, freshForChange, readAuthorOfCredential } from "../user/index.ts";
import { listPasskeyAuthors } from "../webauthn-key/index.ts";
import { hasFirstFactor, isMultiFactor } from "./authentication.ts";
import { countingFactors } from "./is-completely-signed-in.ts";
import { isEnough } from "./is-signed-in.ts";
import { withoutReturnedCodes } from "./proven-factors.ts";
import { listSessionsByCreator } from "./session.store.ts";
import { findSignInDemand } from "./sign-in-demand.store.ts";

/**
 * Whether the caller may write the account of a user: administrators by what they hold. A sign-in application
 * (`session.link`) serves every user who signs in, so it may do only what the user proves: by a password or a code that
 * was sent, or in a session of this application within the last minutes. Accounts of administrators need the former, by
 * a message that only they read, and service accounts do not sign in. Throws a Fault that says so.
 */
export async function mayActForUser(reader: Reader, call: Call, userId: string, wanted: ActOnUser): Promise<boolean> {
  const { access } = requireCaller(call);
  const { user, permission, isProven, isWithoutGain, lowersBarrier, isReadByOthers, isOptional } = wanted;
  const isLogin = isLoginClient(access);
  const holdsPermission = !isLogin || withoutLoginClient(access).allows(permission, user);
  if (holdsPermission && (await mayActFor(reader, call, userId, isWithoutGain ? user : undefined, { isOptional }))) {
    if (!isWithoutGain || !lowersBarrier) return true;
    if (
      (await areFirstFactorsGood(reader, call, { userId, organizationId: user.organizationId })) ||
      (await mayActFor(reader, call, userId))
    )
      return true;
  }
  if (!isLogin) return false;
  if (user.kind === "human") {
    if (isProven && !isReadByOthers) return true;
    const isPlain = !(await isAdministrator(reader, call.instanceId, userId));
    if (isProven && isPlain) return true;
    if (isPlain && (await hasProvenThere(reader, call, { userId, permission }))) return true;
  }
  throw new Fault("permission_denied", "user.login_client_unproven", { field: "userId" });
}

// Whether only the user, or administrators who held at least as much, could sign in with the password and the passkeys
// that remain, or with a new password by a code to an address that they named. The code that was entered there once
// does not say whose mailbox it is, and it opens an account without a second factor alone.
async function areFirstFactorsGood(
  reader: Reader,
  { instanceId }: Call,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<boolean> {
  const ofPassword = await findPasswordAuthor(reader, instanceId, userId);
  const { email, sms } = await findContactOrigins(reader, instanceId, userId);
  const authors = [
    ofPassword?.author ?? "",
    ...(await listPasskeyAuthors(reader, instanceId, userId)),
    ...[email, sms].map((origin) =>
      origin === undefined ? "" : readAuthorOfCredential(origin.namedBy, organizationId),
    ),
  ];
  for (const author of new Set(authors)) {
    if (author !== "" && !(await mayPrepareFor(reader, instanceId, parseAuthor(author), userId))) return false;
  }
  return true;
}

// A second factor that the user has must have been checked as well, and so must all that the settings demand: a stolen
// password must not add another. A code that the application itself was given proves no user.
async function hasProvenThere(
  reader: Reader,
  call: Call,
  { userId, permission }: { readonly userId: string; readonly permission: ActOnUser["permission"] },
): Promise<boolean> {
  const { instanceId, now } = call;
  const since = now - freshForChange;
  const creatorId = requireCaller(call).userId;
  const demand = await findSignInDemand(reader, instanceId, userId);
  if (demand === undefined) return false;
  const deps = { database: { read: reader }, settings: settingsReaderOf(reader) };
  const sessions = await listSessionsByCreator(reader, instanceId, { creatorId, userId, now });
  const maySetUp =
    permission === credentialPermission && !(await listReadyFactors(reader, instanceId, userId)).some(isFactorByItself);
  for (const session of sessions) {
    const factors = withoutReturnedCodes(await countingFactors(deps, call, session, since));
    const isComplete = demand.secondFactorSince === null || isMultiFactor({ factors });
    if (!hasFirstFactor({ factors }) || !isComplete) continue;
    // Where two factors are required of users who have one, they set up the other in such a session.
    if (maySetUp || (await isEnough(deps, call, { ...session, factors }, demand))) return true;
  }
  return false;
}

const credentialPermission = "user.credential.write" satisfies ActOnUser["permission"];
