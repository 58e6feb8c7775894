export { findClosedMailServers } from "./find-closed-mail-servers.ts";
export { createMessageBudgets, type MessageBudgets } from "./message-budgets.ts";
export { findActiveProvider } from "./message-provider.store.ts";
export type { OutgoingMessage } from "./outgoing-message.ts";
export { SendFailed } from "./send-failed.ts";
export { type SendMessageDeps, sendMessage } from "./send-message.ts";
export { createSmtpTokens, type SmtpTokens } from "./smtp-tokens.ts";
export { type TakenMessage, takeMessage, takeOrWait } from "./take-message.ts";
