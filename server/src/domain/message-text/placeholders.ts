import { Fault } from "../../base/fault.ts";
import type { MessageTextKind, MessageTextPart } from "./message-text.ts";

const ofEveryKind = [
  "UserName",
  "PreferredLoginName",
  "LoginNames",
  "FirstName",
  "LastName",
  "NickName",
  "DisplayName",
  "LastEmail",
  "VerifiedEmail",
  "LastPhone",
  "VerifiedPhone",
  "CreationDate",
  "ChangeDate",
  "ApplicationName",
] as const;
const otp = ["OTP", "Expiry", "Domain"] as const;
const code = ["Code"] as const;

// A text message names the domain that its code is for, so that browsers fill it in only there (`@domain #code`).
const ofKind = {
  init: code,
  password_reset: code,
  verify_email: code,
  verify_phone: code,
  verify_sms_otp: otp,
  verify_email_otp: otp,
  domain_claimed: ["Domain", "TempUsername"],
  passkey_registration: code,
  password_change: [],
  invite_user: code,
} as const satisfies Record<MessageTextKind, readonly string[]>;

// In messages that have built-in texts only.
type OwnPlaceholder = "OrganizationName";

/** Every name that any message may use. */
export type Placeholder = OwnPlaceholder | (typeof ofEveryKind)[number] | (typeof ofKind)[MessageTextKind][number];

/** Returns the names that texts of a kind may use, as `{{.Name}}`. */
export const placeholdersOf = (kind: MessageTextKind): readonly Placeholder[] => [...ofEveryKind, ...ofKind[kind]];

/** A piece of a message: text, or the name of a placeholder. */
export type MessagePiece = { readonly words: string } | { readonly placeholder: string };

const braces = /\{\{\s*\.([A-Za-z]+)\s*\}\}/g;

/** Splits a text at its placeholders, in order. */
export function parseMessage(words: string): MessagePiece[] {
  const pieces: MessagePiece[] = [];
  let end = 0;
  for (const match of words.matchAll(braces)) {
    if (match.index > end) pieces.push({ words: words.slice(end, match.index) });
    pieces.push({ placeholder: match[1] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < words.length) pieces.push({ words: words.slice(end) });
  return pieces;
}

/**
 * Rejects a text with a placeholder that messages of the kind do not have, or with stray braces: recipients would read
 * them in the message.
 */
export function checkPlaceholders(kind: MessageTextKind, part: MessageTextPart, words: string): void {
  const names: readonly string[] = placeholdersOf(kind);
  for (const piece of parseMessage(words)) {
    if ("placeholder" in piece && !names.includes(piece.placeholder)) {
      throw new Fault("invalid_argument", "message_text.placeholder_unknown", {
        field: part,
        values: { placeholder: `{{.${piece.placeholder}}}`, names: names.join(", ") },
      });
    }
    if ("words" in piece && /\{\{|\}\}/.test(piece.words)) {
      const at = piece.words.search(/\{\{|\}\}/);
      throw new Fault("invalid_argument", "message_text.placeholder_malformed", {
        field: part,
        values: { placeholder: piece.words.slice(at, at + 40) },
      });
    }
  }
}
