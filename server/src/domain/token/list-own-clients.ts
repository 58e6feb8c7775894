import { type Call, requireCaller } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { listUsableFamilies, type UsableFamily } from "./client-access.store.ts";
import { splitWords } from "./token-family.store.ts";

/** A client that has tokens of a person. */
export interface ClientWithAccess {
  readonly clientId: string;
  /** What it may do, of all that the person let it do. */
  readonly scopes: readonly string[];
  /** When the person let it in for the first time, of what is of use. */
  readonly since: number;
  /** When it last got a token. */
  readonly lastUsedAt: number;
  /** Whether it stays connected by itself, and not only until its access tokens expire. */
  readonly canRenew: boolean;
}

// More than anybody looks through; what is older is shown when newer ones were revoked.
const limit = 1000;

/** The clients that can call for the caller, or renew what they call with, at this moment; the one that did so last comes first. */
export async function listOwnClients(
  deps: { readonly database: Database },
  call: Call,
): Promise<readonly ClientWithAccess[]> {
  const { userId } = requireCaller(call);
  const families = await listUsableFamilies(deps.database.read, call.instanceId, { userId, now: call.now, limit });
  const byClient = Map.groupBy(families, ({ clientId }) => clientId);
  return [...byClient]
    .map(([clientId, ofClient]) => summarize(clientId, ofClient))
    .toSorted((left, right) => right.lastUsedAt - left.lastUsedAt);
}

const summarize = (clientId: string, families: readonly UsableFamily[]): ClientWithAccess => ({
  clientId,
  scopes: [...new Set(families.flatMap(({ scope }) => splitWords(scope)))],
  since: Math.min(...families.map(({ createdAt }) => createdAt)),
  lastUsedAt: Math.max(...families.map(({ refreshedAt, calledAt }) => Math.max(refreshedAt ?? 0, calledAt ?? 0))),
  canRenew: families.some(({ refreshedAt }) => refreshedAt !== null),
});
