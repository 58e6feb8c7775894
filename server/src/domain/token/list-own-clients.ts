import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Consent, listConsentsOfUser } from "../consent/index.ts";
import { listUsableFamilies, type UsableFamily } from "./client-access.store.ts";
import { splitWords } from "./token-family.store.ts";

/** A client that has tokens of a user, or could get some without asking again. */
export interface ClientWithAccess {
  readonly clientId: string;
  /** What it may do, of everything that the user consented to. */
  readonly scopes: readonly string[];
  /** When the oldest of its usable authorizations was given, otherwise the consent. */
  readonly since: number;
  /** When it last got a token; undefined when it has no valid one. */
  readonly lastUsedAt: number | undefined;
  /** Whether it stays connected by itself, and not only until its access tokens expire. */
  readonly canRenew: boolean;
}

// More than a user looks through; older entries appear once newer ones are revoked.
const limit = 1000;

/**
 * Lists the clients that can act for the caller, or renew what they act with, now; the one that did so last comes
 * first. After them come those that have nothing now, but to which the caller gave lasting consent.
 */
export async function listOwnClients(
  deps: { readonly database: Database },
  call: Call,
): Promise<readonly ClientWithAccess[]> {
  const { userId } = requireCaller(call);
  const { read } = deps.database;
  const [families, consents] = await Promise.all([
    listUsableFamilies(read, call.instanceId, { userId, now: call.now, limit }),
    listConsentsOfUser(read, call.instanceId, userId),
  ]);
  const byClient = Map.groupBy(families, ({ clientId }) => clientId);
  const connected = [...byClient].map(([clientId, ofClient]) => summarize(clientId, ofClient));
  return [
    ...connected.toSorted((left, right) => right.lastUsedAt - left.lastUsedAt),
    ...consents.filter(({ clientId }) => !byClient.has(clientId)).map(remember),
  ];
}

const remember = ({ clientId, scopes, createdAt }: Consent): ClientWithAccess => ({
  clientId,
  scopes,
  since: createdAt,
  lastUsedAt: undefined,
  canRenew: false,
});

const summarize = (clientId: string, families: readonly UsableFamily[]) => ({
  clientId,
  scopes: [...new Set(families.flatMap(({ scope }) => splitWords(scope)))],
  since: Math.min(...families.map(({ createdAt }) => createdAt)),
  lastUsedAt: Math.max(...families.map(({ refreshedAt, calledAt }) => Math.max(refreshedAt ?? 0, calledAt ?? 0))),
  canRenew: families.some(({ refreshedAt }) => refreshedAt !== null),
});
