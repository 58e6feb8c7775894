import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type Consent, listConsentsOfUser } from "../consent/index.ts";
import { listUsableFamilies, type UsableFamily } from "./client-access.store.ts";
import { splitWords } from "./token-family.store.ts";

/** A client that has tokens of a person, or could have some without asking again. */
export interface ClientWithAccess {
  readonly clientId: string;
  /** What it may do, of all that the person let it do. */
  readonly scopes: readonly string[];
  /** When the person let it in for the first time, of what is of use. */
  readonly since: number;
  /** When it last got a token; undefined when it has none that is good. */
  readonly lastUsedAt: number | undefined;
  /** Whether it stays connected by itself, and not only until its access tokens expire. */
  readonly canRenew: boolean;
}

// More than anybody looks through; what is older is shown when newer ones were revoked.
const limit = 1000;

/**
 * The clients that can call for the caller, or renew what they call with, at this moment; the one that did so last comes first. Behind them those
 * that have nothing now, but to which he consented once and for all.
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
  ...{ clientId, scopes, since: createdAt, lastUsedAt: undefined, canRenew: false },
});

const summarize = (clientId: string, families: readonly UsableFamily[]) => ({
  clientId,
  scopes: [...new Set(families.flatMap(({ scope }) => splitWords(scope)))],
  since: Math.min(...families.map(({ createdAt }) => createdAt)),
  lastUsedAt: Math.max(...families.map(({ refreshedAt, calledAt }) => Math.max(refreshedAt ?? 0, calledAt ?? 0))),
  canRenew: families.some(({ refreshedAt }) => refreshedAt !== null),
});
