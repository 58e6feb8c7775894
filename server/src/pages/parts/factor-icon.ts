import type { SecondFactorKind } from "../../domain/sign-in/index.ts";
import { type Html, type IconName, withIcon } from "../../html/index.ts";

const icons = {
  key: "key",
  totp: "device",
  otp_sms: "message",
  otp_email: "mail",
  recovery_codes: "list",
} as const satisfies Record<SecondFactorKind, IconName>;

/** Renders what a button says about a second factor after the icon of its kind. */
export const withFactorIcon = (kind: SecondFactorKind, words: string): Html => withIcon(icons[kind], words);
