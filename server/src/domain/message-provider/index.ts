export { activateProvider } from "./activate-provider.ts";
export { type AddHttpProviderDeps, addHttpProvider } from "./add-http-provider.ts";
export { addProvider } from "./add-provider.ts";
export { deactivateProvider } from "./deactivate-provider.ts";
export { findClosedMailServers } from "./find-closed-mail-servers.ts";
export { getActiveProvider, getProvider } from "./get-provider.ts";
export { listProviders } from "./list-providers.ts";
export { createMessageBudgets, type MessageBudgets } from "./message-budgets.ts";
export { findActiveProvider } from "./message-provider.store.ts";
export {
  type MessageProvider,
  type ProviderChannel,
  type ProviderKind,
  requireProvider,
  type SmtpAuthentication,
  type SmtpConfiguration,
} from "./message-provider.ts";
export type { OutgoingMessage } from "./outgoing-message.ts";
export { removeProvider } from "./remove-provider.ts";
export { SendFailed } from "./send-failed.ts";
export { type SendMessageDeps, sendMessage } from "./send-message.ts";
export { type SendTestMailDeps, sendTestMail, testSmtpConfiguration } from "./send-test-mail.ts";
export { type SendToCallerDeps, sendToCaller } from "./send-to-caller.ts";
export { setProviderSecret } from "./set-provider-secret.ts";
export { shownSigningKey } from "./shown-signing-key.ts";
export { createSmtpTokens, type SmtpTokens } from "./smtp-tokens.ts";
export { type TakenMessage, takeMessage, takeOrWait, tooManyMessages } from "./take-message.ts";
export { updateHttpProvider } from "./update-http-provider.ts";
export { updateProvider } from "./update-provider.ts";
