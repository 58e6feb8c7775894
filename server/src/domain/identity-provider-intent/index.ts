export { beginIntent } from "./begin-intent.ts";
export { checkIntent, type PresentedIntent, spendIntent, type UsedIntent, useIntent } from "./check-intent.ts";
export type { AnswerOutcome } from "./conclude-attempt.ts";
export { enterCredentials } from "./enter-credentials.ts";
export { findCredentialsForm } from "./find-credentials-form.ts";
export { findProviderForm } from "./find-provider-form.ts";
export { findHostedIntent, findWantedLink, setWantsLink } from "./hosted-intent.store.ts";
export {
  deleteIntentsOfProvider,
  deleteIntentsOfUsers,
  expiredIntents,
  moveIntents,
  unreadAnswers,
} from "./identity-intent.store.ts";
export { answeredAt, type IdentityIntent, type KeptAnswer } from "./identity-intent.ts";
export { type IntentDeps, isOpenAt } from "./intent-deps.ts";
export { answerSlack, isAnswerOver } from "./is-answer-over.ts";
export { keepAnswer } from "./keep-answer.ts";
export { openInvitationCode } from "./open-invitation-code.ts";
export { proveByCredentials } from "./prove-by-credentials.ts";
export {
  bindProviderSession,
  deleteProviderSessionsOfUsers,
  deleteSessionsOfProvider,
  endProviderSessions,
  expiredProviderSessions,
  findProviderSession,
  holdIsProviderSessionOver,
  isProviderSessionOver,
  type ProviderSession,
} from "./provider-session.store.ts";
export { type ProviderAnswer, receiveAnswer } from "./receive-answer.ts";
export {
  refuseAnswers,
  refuseAnswersOfBrowser,
  refuseAnswersOfSession,
  refuseUnreadAnswers,
} from "./refuse-answers.ts";
export { refuseIntent } from "./refuse-intent.ts";
export { refuseLinkedIdentity } from "./refuse-linked-identity.ts";
export { type RetrievedIntent, retrieveIntent } from "./retrieve-intent.ts";
export { openIdentity } from "./seal-identity.ts";
export { startHostedIntent } from "./start-intent.ts";
export { takeProof } from "./take-proof.ts";
