export { type BuiltInTexts, createBuiltInTexts } from "./built-in-texts.ts";
export { findMessageText } from "./find-message-text.ts";
export {
  type GetMessageText,
  getDefaultMessageText,
  getMessageText,
  type MessageTextDeps,
  type ShownMessageText,
} from "./get-message-text.ts";
export { deleteMessageTextsOfOrganization } from "./message-text.store.ts";
export {
  type BuiltInTextKind,
  type EffectiveMessageText,
  type MessageText,
  type MessageTextKind,
  type MessageTextPart,
  messageTextKinds,
  messageTextParts,
  type OwnMessageText,
  ownMessageTextKinds,
} from "./message-text.ts";
export { type MessagePiece, type Placeholder, parseMessage, placeholdersOf } from "./placeholders.ts";
export { chooseMessageLanguage } from "./requested-language.ts";
export { resetMessageText } from "./reset-message-text.ts";
export { type SetMessageText, setMessageText } from "./set-message-text.ts";
