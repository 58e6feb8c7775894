import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { type AuthorizeDeps, findUnblockable, holdAuthorizedUser, writeOthersData } from "./authorize-user.ts";
import { recordUserEvent, type UserEventType } from "./record-user.ts";
import type { User, UserState } from "./user.ts";
import { isBlocked, updateUserState } from "./user-state.store.ts";

interface Transition {
  readonly from: readonly UserState[];
  readonly to: UserState;
  readonly event: UserEventType;
  /** Slug of the refusal in any other state. */
  readonly refusal: string;
}

/** The lifecycle of a user: every transition. Deleting is possible from each state. */
const userTransitions = {
  deactivate: {
    from: ["active", "locked"],
    to: "inactive",
    event: "user.deactivated",
    refusal: "user.not_deactivatable",
  },
  reactivate: { from: ["inactive"], to: "active", event: "user.activated", refusal: "user.not_inactive" },
  lock: { from: ["active", "initial"], to: "locked", event: "user.locked", refusal: "user.not_lockable" },
  unlock: { from: ["locked"], to: "active", event: "user.unlocked", refusal: "user.not_locked" },
} as const satisfies Record<string, Transition>;

export type UserMove = keyof typeof userTransitions;

interface Move {
  readonly userId: string;
  readonly move: UserMove;
}

export interface ChangeStateDeps extends AuthorizeDeps {
  readonly database: Database;
  /** Step of a later module (`membership`): refuses to take the last owner from the instance. */
  readonly refuseLossOfOwner: (tx: Tx, userId: string) => Promise<void>;
  /** Step of a later module (`sign-out`): ends every session of the user, and everything that was issued for them. */
  readonly endAccessOfUser: (tx: Tx, userId: string) => Promise<void>;
}

/**
 * Moves a user to another state. Unlocking also unblocks a password and factors that were blocked by wrong guesses, for
 * callers who gain nothing by more guesses at each; for others it ends the lock alone.
 */
export async function changeUserState(deps: ChangeStateDeps, call: Call, input: Move): Promise<Details> {
  try {
    return await move(deps, call, input);
  } catch (error) {
    // Where only unblocking the password rested on what the caller lost meanwhile, the rest does without it.
    const isWorthRepeating = input.move === "unlock" && error instanceof Fault && error.id === "request.too_many";
    if (!isWorthRepeating) throw error;
    return move(deps, call, input);
  }
}

function move(deps: ChangeStateDeps, call: Call, input: Move): Promise<Details> {
  const transition: Transition = userTransitions[input.move];
  return deps.database.change(call, async (tx) => {
    const user = await holdAuthorizedUser(tx, input.userId, writeOthersData(deps));
    if (transition.to !== "active") await deps.refuseLossOfOwner(tx, input.userId);
    const unblocked = input.move === "unlock" ? await findUnblockable(tx, deps, user) : "nothing";
    const isChanged = await updateUserState(tx, input.userId, { ...transition, unblocked });
    if (!isChanged && input.move === "unlock" && (await isBlocked(tx, input.userId))) {
      throw new Fault("permission_denied", "user.administers_more", { field: "userId" });
    }
    if (!isChanged) throw new Fault("failed_precondition", transition.refusal, { field: "userId" });
    // A reactivated user has to sign in again, and clients are notified of the sign-out. What was issued in the moment
    // of the deactivation ends when the user comes back.
    if (transition.to !== "active" || user.state !== "active") await deps.endAccessOfUser(tx, input.userId);
    const sequence = await recordUserEvent(tx, user, { type: transition.event });
    return { ...user.details, sequence, changedAt: tx.now };
  });
}

/** Step: locks a held user who is about to be deleted, unless the user cannot act anyway. Callers end their access. */
export async function lockUser(tx: Tx, user: User): Promise<void> {
  const { from, to, event } = userTransitions.lock;
  const isChanged = await updateUserState(tx, user.userId, { from, to, unblocked: "nothing" });
  if (isChanged) await recordUserEvent(tx, user, { type: event });
}
