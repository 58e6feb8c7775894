import type { SentFactor } from "../../domain/factor/index.ts";

const kinds: readonly SentFactor[] = ["otp_email", "otp_sms"];

/** The factor whose codes are sent, as an address names it; undefined for every other word. */
export const sentFactorOf = (name: string | null): SentFactor | undefined => kinds.find((kind) => kind === name);
