import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { type Call, generateToken, requireCaller } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import type { ContactProofDeps } from "../contact/index.ts";
import { bindProviderSession } from "../identity-provider-intent/index.ts";
import type { OriginOf } from "../instance/index.ts";
import type { MessageBudgets } from "../message-provider/index.ts";
import { requireSessionWriter } from "./authorize-session.ts";
import { type CheckFactorsDeps, checkFactors, type FactorChecks } from "./check-factors.ts";
import { holdSignIn } from "./hold-sign-in.ts";
import { type Challenges, makeChallenges, type WantedChallenges } from "./make-challenges.ts";
import { recordChecks } from "./record-checks.ts";
import { insertSession } from "./session.store.ts";
import { checksOf, ended, sessionAggregate, type UserAgent } from "./session.ts";
import { checkUserAgent, type MetadataChange, mergeMetadata, toExpiry } from "./session-input.ts";

export interface SessionDeps extends CheckFactorsDeps, ContactProofDeps {
  readonly newId: IdGenerator;
  readonly random: Random;
  readonly messageBudgets: MessageBudgets;
  readonly originOf: OriginOf;
}

export interface NewSession {
  readonly checks: FactorChecks;
  /** What is to be asked of the user. */
  readonly challenges?: WantedChallenges;
  readonly metadata: MetadataChange;
  readonly userAgent: UserAgent;
  /** Never expires when absent. */
  readonly lifetimeSeconds?: number | undefined;
}

/** A session that was written: its token is valid until the next write, and shown only here. */
export interface WrittenSession {
  readonly sessionId: string;
  readonly token: Secret;
  readonly challenges: Challenges;
  readonly details: Details;
}

/** Creates a session with what is checked. When a check fails no session is created, but the failure counts. */
export async function createSession(deps: SessionDeps, call: Call, input: NewSession): Promise<WrittenSession> {
  requireSessionWriter(call);
  const metadata = mergeMetadata({}, input.metadata);
  const userAgent = checkUserAgent(input.userAgent);
  const expiresAt = toExpiry(input.lifetimeSeconds, call.now);
  const { user, factors, signInEpoch } = await checkFactors(deps, call, input.checks, {
    sessionId: undefined,
    user: undefined,
    factors: {},
    userAgent,
  });
  const token = generateToken("sessionToken", deps.random);
  const session = {
    sessionId: deps.newId(),
    tokenHash: hashSecret(token),
    browserHash: undefined,
    userId: user?.userId,
    organizationId: user?.organizationId,
    creatorId: requireCaller(call).userId,
    factors,
    metadata,
    userAgent,
    expiresAt,
  };
  const challenges = await deps.database.change(call, async (tx) => {
    const { userId, creatorId } = session;
    if (user !== undefined && signInEpoch !== undefined) {
      if (!(await holdSignIn(tx, { ...user, factors, signInEpoch, usesAnswer: true }))) throw ended();
    }
    const made = await makeChallenges(tx, deps, input.challenges ?? {}, session);
    bindProviderSession(tx, { intentId: factors.intentId, sessionId: session.sessionId });
    insertSession(tx, { ...session, factors: { ...factors, ...made.factors } });
    const payload = {
      userId,
      creatorId,
      ...checksOf(factors),
      expiresAt,
      ...(made.names.length > 0 && { challenges: made.names }),
    };
    recordChecks(tx, { ...session, user }, factors);
    tx.record({ type: "session.created", ...sessionAggregate(session, tx.instanceId), sequence: 1, payload });
    return made;
  });
  const ownerId = session.organizationId ?? call.instanceId;
  const details = { sequence: 1, createdAt: call.now, changedAt: call.now, ownerId };
  return { sessionId: session.sessionId, token, challenges, details };
}
