export { activateProvider } from "./activate-provider.ts";
export { findActiveProvider } from "./message-provider.store.ts";
export { type MessageProvider, type ProviderChannel, requireProvider } from "./message-provider.ts";
export type { MessageContext, OutgoingMessage } from "./outgoing-message.ts";
export { SendFailed } from "./send-failed.ts";
export { type SendMessageDeps, sendMessage } from "./send-message.ts";
export { createSmtpTokens, type SmtpTokens } from "./smtp-tokens.ts";
