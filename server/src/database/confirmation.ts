import { type Call, type EndedOfCaller, nothingEnded } from "../call/index.ts";
import type { Tx } from "./database.ts";
import { type Confirm, endedByUnit, joinEnded } from "./ended-rights.ts";
import type { RunUnit } from "./portions.ts";
import type { Kind, Work } from "./unit-of-work.ts";

// Milliseconds after which the rights of a caller may have ended.
const longest = 100;

/** Until when the rights of the caller of a call are known to have held. All units of the call share it. */
export class Confirmation {
  readonly #confirm: Confirm;
  #heldAt: number;
  /** What committed units of the call ended of its caller. */
  #ended = nothingEnded;

  constructor(confirm: Confirm, heldAt: number) {
    this.#confirm = confirm;
    this.#heldAt = heldAt;
  }

  /** Whether that is so long ago that they have to be read again. */
  get isDue(): boolean {
    return performance.now() - this.#heldAt > longest;
  }

  /** Throws when the caller may no longer do what they could, apart from what the call itself ended. */
  async perform(): Promise<void> {
    if (this.#ended.isGone) return;
    const asked = performance.now();
    await this.#confirm(this.#ended);
    this.#heldAt = asked;
  }

  /** Notes what a unit of the call ended, which is committed. */
  note(ended: EndedOfCaller): void {
    this.#ended = joinEnded(this.#ended, ended);
  }
}

const confirmations = new WeakMap<Confirm, Confirmation>();

/** Returns what confirms the caller; undefined where no token was presented. */
function confirmationOf({
  confirm,
  admittedAt = performance.now(),
}: Pick<Call, "confirm" | "admittedAt">): Confirmation | undefined {
  if (confirm === undefined) return undefined;
  let confirmation = confirmations.get(confirm);
  if (confirmation === undefined) {
    confirmation = new Confirmation(confirm, admittedAt);
    confirmations.set(confirm, confirmation);
  }
  return confirmation;
}

/** Runs the units of one change. */
export interface ConfirmedRun {
  readonly run: RunUnit;
  /** Confirms the caller before a unit whose turn came late. */
  readonly confirm: () => Promise<void>;
}

/**
 * Returns what runs the units of a change, each with the confirmation that it needs; batches need the same as the last
 * unit. What a batch ended of its own caller (`noteEnded`) is not asked for in the rest.
 */
export function confirmedRun(
  call: Call,
  run: <Each>(kind: Kind, work: Work<Each>, confirmation: Confirmation | undefined) => Promise<Each>,
): ConfirmedRun {
  const confirmation = confirmationOf(call);
  return {
    confirm: async () => confirmation?.perform(),
    run: async (kind, work) => {
      let last: Tx | undefined;
      const noting: typeof work = (tx) => {
        last = tx;
        return work(tx);
      };
      const result = await run(kind, noting, confirmation);
      if (last !== undefined) confirmation?.note(endedByUnit(last));
      return result;
    },
  };
}
