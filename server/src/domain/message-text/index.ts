export { type BuiltInTexts, createBuiltInTexts } from "./built-in-texts.ts";
export { findMessageText, findMessageTextFor } from "./find-message-text.ts";
export {
  getDefaultMessageText,
  getOwnMessageText,
  type MessageTextDeps,
  type ShownMessageText,
} from "./get-message-text.ts";
export { deleteMessageTextsOfOrganization } from "./message-text.store.ts";
export {
  type AccountNotice,
  accountNotices,
  type BuiltInTextKind,
  type MessageText,
  type MessageTextKind,
  messageTextKinds,
  messageTextParts,
  type OwnMessageText,
  ownMessageTextKinds,
} from "./message-text.ts";
export { type MessagePiece, type Placeholder, parseMessage, placeholdersOf } from "./placeholders.ts";
export { chooseMessageLanguage } from "./requested-language.ts";
export { resetMessageText } from "./reset-message-text.ts";
export { parseMessageParts, setMessageText } from "./set-message-text.ts";
