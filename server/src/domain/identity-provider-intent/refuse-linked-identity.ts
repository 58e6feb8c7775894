import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import type { AnswerOutcome } from "./conclude-attempt.ts";
import { refuseIntent } from "./refuse-intent.ts";

/** Ends an attempt to link an account that is linked already, to whichever user. */
export async function refuseLinkedIdentity(
  { database }: { readonly database: Database },
  call: Call,
  answer: Exclude<AnswerOutcome, { readonly outcome: "stale" }>,
): Promise<void> {
  if (answer.outcome !== "succeeded" || !answer.isTaken) return;
  await database.change(call, (tx) => refuseIntent(tx, answer.intent.intentId, "identity_link.taken"));
}
