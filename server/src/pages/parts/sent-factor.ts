import type { SentFactor } from "../../domain/factor/index.ts";

const kinds: readonly SentFactor[] = ["otp_email", "otp_sms"];

/** Returns the factor with sent codes that an address names; undefined for any other word. */
export const sentFactorOf = (name: string | null): SentFactor | undefined => kinds.find((kind) => kind === name);
