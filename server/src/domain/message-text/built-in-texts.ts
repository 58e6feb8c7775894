import type { Language } from "../../base/language.ts";
import { type Catalogue, loadMessageCatalogue } from "../../text/index.ts";
import { accountNotices, type BuiltInTextKind, type MessageText } from "./message-text.ts";

/** The texts that come with the program. */
export interface BuiltInTexts {
  get(language: Language, kind: BuiltInTextKind): MessageText;
  /** Text of the text message with a code for a new password; the other texts of that kind are for mail. */
  passwordResetSms(language: Language): string;
  /**
   * Text with the placeholders `LoginName` and `Organization` that says which account a mail is about. Organizations
   * cannot change it: one of them may have made the account with another person's address.
   */
  account(language: Language): string;
}

// These report an event or answer a request that was made on a page, so the footer with the reason is unnecessary.
const withoutFooter: ReadonlySet<BuiltInTextKind> = new Set(["domain_claimed", "password_change"]);
const notices: ReadonlySet<BuiltInTextKind> = new Set(accountNotices);
const textMessages: ReadonlySet<BuiltInTextKind> = new Set(["verify_phone", "verify_sms_otp"]);

/** Returns the texts of the catalogues; each language is read when it is first needed. */
export function createBuiltInTexts(load: (language: Language) => Catalogue = loadMessageCatalogue): BuiltInTexts {
  const catalogues = new Map<Language, Catalogue>();
  const find = (language: Language, key: string): string => {
    const catalogue = catalogues.get(language) ?? load(language);
    catalogues.set(language, catalogue);
    return catalogue.get(key) ?? "";
  };
  return {
    get(language, kind) {
      const text = find(language, `${kind}.text`);
      if (textMessages.has(kind)) return { ...nothing, text };
      if (notices.has(kind)) return noticeText((key) => find(language, key), kind, text);
      const title = find(language, `${kind}.title`);
      return {
        title,
        preHeader: find(language, `${kind}.preHeader`),
        subject: title,
        greeting: find(language, "greeting"),
        text,
        buttonText: find(language, `${kind}.buttonText`),
        footerText: withoutFooter.has(kind) ? "" : find(language, "footer"),
      };
    },
    passwordResetSms: (language) => find(language, "password_reset.sms"),
    account: (language) => find(language, "account"),
  };
}

/** A notice of a change says what has changed, and what to do about it. One of something else has its own title. */
function noticeText(find: (key: string) => string, kind: BuiltInTextKind, text: string): MessageText {
  const ownTitle = find(`${kind}.title`);
  const title = ownTitle === "" ? find("account_change.title") : ownTitle;
  return {
    ...nothing,
    title,
    preHeader: text,
    subject: title,
    greeting: find("greeting"),
    text: ownTitle === "" ? `${text} ${find("account_change.advice")}` : text,
    buttonText: find("password_change.buttonText"),
  };
}

const nothing: MessageText = {
  title: "",
  preHeader: "",
  subject: "",
  greeting: "",
  text: "",
  buttonText: "",
  footerText: "",
};
