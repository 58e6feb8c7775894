import type { SecretFormat } from "../one-time-secret/index.ts";

// Capital letters and digits without those that look alike (0 and O, 1 and I): 30 bits in six characters.
const legible = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const hour = 3600;

/** How the codes are made that people get by mail or phone. */
export const codeFormats = {
  email_verification: { length: 6, alphabet: legible, lifetimeSeconds: hour },
  phone_verification: { length: 6, alphabet: legible, lifetimeSeconds: hour },
  password_reset: { length: 6, alphabet: legible, lifetimeSeconds: hour },
  initialization: { length: 6, alphabet: legible, lifetimeSeconds: 72 * hour },
  invitation: { length: 6, alphabet: legible, lifetimeSeconds: 72 * hour },
} as const satisfies Record<string, SecretFormat>;

export type CodeKind = keyof typeof codeFormats;
