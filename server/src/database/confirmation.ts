import type { Call } from "../call/index.ts";
import type { RunUnit } from "./portions.ts";
import type { Kind, Work } from "./unit-of-work.ts";

// Milliseconds after which the rights of a caller may have ended.
const longest = 100;

type Confirm = NonNullable<Call["confirm"]>;

/** Until when the rights of the caller of a call are known to have held. All units of the call share it. */
export class Confirmation {
  readonly #confirm: Confirm;
  #heldAt: number;

  constructor(confirm: Confirm, heldAt: number) {
    this.#confirm = confirm;
    this.#heldAt = heldAt;
  }

  /** Whether that is so long ago that they have to be read again. */
  get isDue(): boolean {
    return performance.now() - this.#heldAt > longest;
  }

  /** Throws when the caller may no longer do what they could. */
  async perform(): Promise<void> {
    const asked = performance.now();
    await this.#confirm();
    this.#heldAt = asked;
  }
}

const confirmations = new WeakMap<Confirm, Confirmation>();

/** Returns what confirms the caller; undefined where no token was presented. */
export function confirmationOf({
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

/**
 * Returns what runs the units of a change with the confirmation that each needs. A change that has done a batch which
 * may have ended the rights of its own caller goes on to its end.
 */
export function confirmedRun(
  call: Call,
  run: <Each>(kind: Kind, work: Work<Each>, confirmation: Confirmation | undefined) => Promise<Each>,
): RunUnit {
  const confirmation = confirmationOf(call);
  let mayHaveEnded = false;
  return (kind, work, sparesCaller) => {
    if (!sparesCaller) mayHaveEnded = true;
    return run(kind, work, mayHaveEnded ? undefined : confirmation);
  };
}
