import { spend } from "../../base/budget/spend.ts";
import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { dropOtherAnswers, findIntentOfState, putSealedAnswer } from "./identity-intent.store.ts";
import { intentContext, type KeptAnswer } from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";

/**
 * Stores an answer that a provider made the browser post from its own pages (OAuth 2.0 Form Post Response Mode): the
 * browser sends no cookie with that post, but does so a moment later, with the same state. The first answer stays; it
 * is not trusted yet, and nothing of the attempt is spent. A stranger can have such answers kept, so they are on the
 * account of the source that posts them, each for a few minutes, and one for each browser and request. False when no
 * attempt has this state. Throws the Fault `request.too_many`.
 */
export async function keepAnswer(
  deps: Pick<IntentDeps, "database" | "vault" | "budgets">,
  call: Call,
  { state, said }: { readonly state: string; readonly said: KeptAnswer },
): Promise<boolean> {
  const { instanceId, now, source = "" } = call;
  const intent = await findIntentOfState(deps.database.read, instanceId, hashSecret(state));
  if (intent === undefined || intent.sealedAnswer !== null) return intent !== undefined;
  const { intentId } = intent;
  const sealedAnswer = deps.vault.encrypt(JSON.stringify(said), intentContext(instanceId, intentId, "answer"));
  const bytes = Buffer.byteLength(sealedAnswer);
  spend(deps.budgets, "kept_answer_bytes_of_source", { instanceId, now, source }, bytes);
  const isKept = await deps.database.touch(call, async (tx) => {
    if (!(await putSealedAnswer(tx, { intentId, sealedAnswer }))) return false;
    await dropOtherAnswers(tx, intent);
    return true;
  });
  if (!isKept) deps.budgets.giveBack("kept_answer_bytes_of_source", { instanceId, now, source }, bytes);
  return true;
}
