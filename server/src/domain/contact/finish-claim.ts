import type { Clock } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Tx } from "../../database/index.ts";
import { isCollision, listNamesInDomain } from "../login-name/index.ts";
import type { QueueDeps } from "../notification/index.ts";
import {
  type DomainClaim,
  deleteUnfinishedClaim,
  holdUnfinishedClaim,
  putUnfinishedClaim,
} from "../organization/index.ts";
import { usersAtOnce } from "./claim-domain.ts";
import { takeNames } from "./take-names.ts";

export interface ClaimDeps extends QueueDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** How the next users are handled. */
interface Batch {
  readonly size: number;
  readonly apart?: string;
}

/**
 * Goes on with a claim that was too much for one unit of work: batch by batch, each a unit of its own that takes its
 * turn, from where the last one ended. Returns when nothing is left, the organization lost the domain, or at the
 * signal.
 */
export async function finishClaim(
  deps: ClaimDeps,
  call: Call,
  claim: DomainClaim,
  signal?: AbortSignal,
): Promise<void> {
  let isMore = true;
  while (isMore && !signal?.aborted) isMore = await handleNext(deps, call, claim);
}

/**
 * Handles a batch. If two users would have the same login name, one user is handled instead, and the one whose name it
 * is gets a name with a new text: it cannot stay in the domain, and their organization does not keep the owner waiting.
 */
async function handleNext(deps: ClaimDeps, call: Call, claim: DomainClaim): Promise<boolean> {
  const handle = (batch: Batch): Promise<boolean> =>
    deps.database.touchAtLength({ ...call, now: deps.clock() }, (tx) => handleBatch(tx, deps, claim, batch));
  try {
    return await handle({ size: usersAtOnce });
  } catch (error) {
    if (!isCollision(error)) throw error;
  }
  try {
    return await handle({ size: 1 });
  } catch (error) {
    if (!isCollision(error)) throw error;
  }
  return handle({ size: 1, apart: deps.newId() });
}

/** Handles the next users, and returns whether there may be more. */
async function handleBatch(tx: Tx, deps: QueueDeps, claim: DomainClaim, { size, apart }: Batch): Promise<boolean> {
  const progress = await holdUnfinishedClaim(tx, claim);
  if (progress === undefined) return false;
  const { after, until = tx.now } = progress;
  const { users, next } = await listNamesInDomain(tx, claim, { after, until, limit: size });
  await takeNames(tx, deps, { domain: claim.domain, users, apart });
  if (next === undefined) {
    await deleteUnfinishedClaim(tx, claim);
    return false;
  }
  await putUnfinishedClaim(tx, claim, { at: tx.now, after: next, until });
  return true;
}
