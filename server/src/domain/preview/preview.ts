import type { Language } from "../../base/language.ts";
import type { WantedLook } from "../branding/index.ts";
import type { LoginPage } from "../login-text/index.ts";
import type { MessageTextKind, OwnMessageText } from "../message-text/index.ts";

/** A page with invented data. */
export interface PreviewedPage {
  readonly kind: "page";
  readonly page: LoginPage;
  /** As it answers a mistake of the user. */
  readonly hasErrors: boolean;
  /** Texts by key that replace those of the level; an empty one is inherited. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A message with invented data. */
export interface PreviewedMessage {
  readonly kind: "message";
  readonly message: MessageTextKind;
  /** What the level would set itself; absent for what it has set. */
  readonly parts?: OwnMessageText | undefined;
}

/** What is shown, and how. */
export interface Preview extends WantedLook {
  readonly language: Language;
  readonly subject: PreviewedPage | PreviewedMessage;
}

/** A preview that was asked for. */
export interface OpenedPreview extends Preview {
  /** The user who asked for it. */
  readonly userId: string;
}
