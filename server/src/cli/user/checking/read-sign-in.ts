import { type Loss, type SourceUser, UserRefused } from "../sources/source.ts";
import type { HashVerdict, Rules } from "./rules.ts";

// What the field of the API takes.
const longestHash = 200;

const reasons: Readonly<Record<Exclude<HashVerdict, "supported">, string>> = {
  unsupported: "passwords with this kind of hash cannot be checked; the user sets a new one",
  too_costly: "checking this hash would take too long; the user sets a new password",
};

/** Returns the hash of the password, if it can be checked here. */
export function readPassword({ passwordHash }: SourceUser, rules: Rules, losses: Loss[]): string | undefined {
  if (passwordHash === "") return undefined;
  const support = passwordHash.length > longestHash ? "unsupported" : rules.judgeHash(passwordHash);
  if (support === "supported") return passwordHash;
  losses.push({ field: "password", what: "lost", why: reasons[support] });
  return undefined;
}

/** Returns the secret of the authenticator app: base32 of 10 to 128 bytes. */
export function readTotp({ totpSecret }: SourceUser, losses: Loss[]): string | undefined {
  if (totpSecret === "") return undefined;
  const digits = totpSecret.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  const size = Math.floor((digits.length * 5) / 8);
  if (/^[A-Z2-7]+$/.test(digits) && size >= 10 && digits.length <= 200) return digits;
  losses.push({ field: "totp", what: "lost", why: "the secret is not base32 with at least 10 bytes" });
  return undefined;
}

/** Returns the phone number in E.164. */
export function readPhone({ phone }: SourceUser, rules: Rules, losses: Loss[]): string | undefined {
  if (phone === "") return undefined;
  try {
    return rules.parsePhone(phone);
  } catch (error) {
    if (!(error instanceof UserRefused)) throw error;
    losses.push({ field: "phone", what: "lost", why: "it is not a number with country code" });
    return undefined;
  }
}
