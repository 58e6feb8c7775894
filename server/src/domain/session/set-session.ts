import { Fault } from "../../base/fault.ts";
import { hashSecret } from "../../base/secret.ts";
import { authorize, type Call, generateToken } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { bindProviderSession } from "../identity-provider-intent/index.ts";
import { isOfLogin, scopedSession } from "./authorize-session.ts";
import { type CheckedFactors, checkFactors, type FactorChecks, userChange } from "./check-factors.ts";
import type { SessionDeps, WrittenSession } from "./create-session.ts";
import { holdSignIn } from "./hold-sign-in.ts";
import { freshFactorsOf } from "./is-signed-in.ts";
import { joinChecks } from "./join-checks.ts";
import { type Challenges, makeChallenges, type WantedChallenges } from "./make-challenges.ts";
import { withPreparations } from "./preparations.ts";
import { recordChecks } from "./record-checks.ts";
import { findSession, holdSession, updateSession } from "./session.store.ts";
import { checksOf, ended, type Session, type SessionUser, sessionAggregate } from "./session.ts";
import { moveSessionClients } from "./session-client.store.ts";
import { type MetadataChange, mergeMetadata, toExpiry } from "./session-input.ts";

export interface SetSession {
  readonly sessionId: string;
  readonly checks: FactorChecks;
  /** What is to be asked from now on. */
  readonly challenges?: WantedChallenges;
  readonly metadata: MetadataChange;
  /** Counts from now; the session keeps its end when absent. */
  readonly lifetimeSeconds?: number | undefined;
}

/**
 * Adds checks and data to a session. Each write creates another token; the same statement invalidates the earlier ones.
 */
export async function setSession(deps: SessionDeps, call: Call, input: SetSession): Promise<WrittenSession> {
  const found = scopedSession(await findSession(deps.database.read, call.instanceId, input.sessionId));
  authorize(call, found, {
    permission: "session.write",
    readPermission: "session.read",
    absent: "session.not_found",
    isOwn: isOfLogin(call, found?.session),
    isBeyondLogin: true,
  });
  const { session } = found;
  refuseEnded(session, call.now);
  const expiresAt = toExpiry(input.lifetimeSeconds, call.now);
  const checked = await checkFactors(deps, call, input.checks, {
    sessionId: session.sessionId,
    user: userOf(session),
    factors: session.factors,
    userAgent: session.userAgent,
  });
  const token = generateToken("sessionToken", deps.random);
  const { written, challenges } = await deps.database.change(call, (tx) =>
    write(tx, deps, { ...input, checked, expiresAt, tokenHash: hashSecret(token) }),
  );
  return { sessionId: written.sessionId, token, challenges, details: written.details };
}

interface Write extends SetSession {
  readonly checked: CheckedFactors;
  readonly expiresAt: number | undefined;
  readonly tokenHash: string;
}

async function write(
  tx: Tx,
  deps: SessionDeps,
  { sessionId, checked, expiresAt, tokenHash, metadata, challenges: wanted = {} }: Write,
): Promise<{ readonly written: Session; readonly challenges: Challenges }> {
  const { user: checkedUser, factors: checkedFactors, signInEpoch } = checked;
  // Before the session, as those who appoint the user hold them.
  if (checkedUser !== undefined && signInEpoch !== undefined) {
    if (!(await holdSignIn(tx, { ...checkedUser, factors: checkedFactors, signInEpoch, usesAnswer: true })))
      throw ended();
  }
  // Locked, because factors and data are merged into what exists: of two concurrent writes neither may be lost.
  const held = await holdSession(tx, sessionId);
  if (held === undefined) throw new Fault("not_found", "session.not_found");
  refuseEnded(held, tx.now);
  const user = checked.user ?? userOf(held);
  const counting = await freshFactorsOf({ database: { read: tx }, settings: deps.settings }, tx.call, held);
  const factors = joinChecks(held.factors, checked.factors, counting);
  const challenges = await makeChallenges(tx, deps, wanted, { sessionId, userId: user?.userId, factors });
  const updated = await updateSession(tx, {
    sessionId,
    tokenHash,
    expiresAt,
    userId: checked.user?.userId,
    organizationId: checked.user?.organizationId,
    factors: withPreparations(held, { ...factors, ...challenges.factors }),
    metadata: mergeMetadata(held.metadata, metadata),
  });
  // Another write came first, and named another user.
  if (updated === undefined) throw userChange();
  bindProviderSession(tx, { intentId: checkedFactors.intentId, sessionId });
  if (expiresAt !== undefined) await moveSessionClients(tx, { sessionId, expiresAt });
  const { userId, details } = updated;
  const asked = challenges.names.length > 0 && { challenges: challenges.names };
  const payload = { userId, ...checksOf(updated.factors), expiresAt: updated.expiresAt, ...asked };
  const { sequence } = details;
  recordChecks(tx, { sessionId, user, userAgent: held.userAgent }, checkedFactors);
  tx.record({ type: "session.updated", ...sessionAggregate(updated, tx.instanceId), sequence, payload });
  return { written: updated, challenges };
}

function refuseEnded({ terminatedAt, expiresAt }: Session, now: number): void {
  if (terminatedAt !== undefined) throw ended();
  if (expiresAt !== undefined && expiresAt <= now) {
    throw new Fault("failed_precondition", "session.expired", { field: "sessionId" });
  }
}

const userOf = ({ userId, organizationId }: Session): SessionUser | undefined =>
  userId === undefined || organizationId === undefined ? undefined : { userId, organizationId };
