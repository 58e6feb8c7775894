import { hashSecret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import { findIntentOfState, putSealedAnswer } from "./identity-intent.store.ts";
import { intentContext, type KeptAnswer } from "./identity-intent.ts";
import type { IntentDeps } from "./intent-deps.ts";

/**
 * Stores an answer that a provider made the browser post from its own pages (OAuth 2.0 Form Post Response Mode): the
 * browser sends no cookie with that post, but does so a moment later, with the same state. The first answer stays; it
 * is not trusted yet, and nothing is spent. False when no attempt has this state.
 */
export async function keepAnswer(
  deps: Pick<IntentDeps, "database" | "vault">,
  call: Call,
  { state, said }: { readonly state: string; readonly said: KeptAnswer },
): Promise<boolean> {
  const { instanceId } = call;
  const intent = await findIntentOfState(deps.database.read, instanceId, hashSecret(state));
  if (intent === undefined || intent.sealedAnswer !== null) return intent !== undefined;
  const { intentId } = intent;
  const sealedAnswer = deps.vault.encrypt(JSON.stringify(said), intentContext(instanceId, intentId, "answer"));
  await deps.database.touch(call, (tx) => putSealedAnswer(tx, { intentId, sealedAnswer }));
  return true;
}
