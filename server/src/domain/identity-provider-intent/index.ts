export { checkIntent, type PresentedIntent, useIntent } from "./check-intent.ts";
export {
  deleteExpiredIntents,
  deleteIntentsOfProvider,
  deleteIntentsOfUser,
  moveIntents,
} from "./identity-intent.store.ts";
export { type IdentityIntent, providerUnusable } from "./identity-intent.ts";
export type { IntentDeps } from "./intent-deps.ts";
export {
  type AnswerOutcome,
  type IntentFailure,
  type ProviderAnswer,
  receiveAnswer,
} from "./receive-answer.ts";
export { type StartedIntent, type StartIntent, startIntent } from "./start-intent.ts";
export { takeProof } from "./take-proof.ts";
