import type { Language } from "../base/language.ts";
import type { MessageText } from "../domain/message-text/index.ts";
import { fillMessage, type MessageValues, showsCode } from "./message-values.ts";

/** A mail with all values filled in, before it becomes HTML or text. Every member is plain text. */
export interface Mail {
  readonly language: Language;
  readonly subject: string;
  /** Preview text that mail programs show beside the subject. */
  readonly preHeader: string;
  readonly title: string;
  readonly greeting: string;
  readonly text: string;
  /** Shown separately; undefined when there is none, or when the text refers to the link instead. */
  readonly code: string | undefined;
  /** Whether the text already contains the code. */
  readonly isCodeInText: boolean;
  readonly button: { readonly text: string; readonly link: string } | undefined;
  readonly footer: string;
  /** Says which account the mail is about; undefined for a recipient without one. */
  readonly account: string | undefined;
}

/** Composes a mail from its texts and values. */
export function composeMail(
  language: Language,
  words: MessageText,
  values: MessageValues,
  { link, account }: { readonly link: string | undefined; readonly account: string | undefined },
): Mail {
  const fill = (part: string): string => fillMessage(part, values);
  const buttonText = fill(words.buttonText).trim();
  const isCodeInText = [words.greeting, words.text, words.footerText].some(showsCode);
  return {
    language,
    subject: oneLine(fill(words.subject)) || oneLine(fill(words.title)),
    preHeader: oneLine(fill(words.preHeader)),
    title: oneLine(fill(words.title)),
    greeting: fill(words.greeting),
    text: fill(words.text),
    // Custom texts that only mention a button are complete as long as there is a button.
    code: values.Code !== "" && (isCodeInText || link === undefined) ? values.Code : undefined,
    isCodeInText,
    button: link === undefined ? undefined : { text: buttonText || link, link },
    footer: fill(words.footerText),
    account,
  };
}

// Subjects are headers: a line break would start another header.
const oneLine = (words: string): string => words.replace(/[\p{Cc}\s]+/gu, " ").trim();
