import { type Call, Refusal } from "./api.ts";
import type { Visit } from "./http.ts";
import type { Attempt } from "./jar.ts";
import type { SecondFactor } from "./login-settings.ts";
import { problemOf } from "./sentences.ts";
import { prove } from "./sessions.ts";

/** Has a code sent, for factors that need one. The link in the mail leads here. */
export async function sendCode(call: Call, visit: Visit, attempt: Attempt, kind: SecondFactor["kind"]): Promise<void> {
  if (kind !== "otpEmail" && kind !== "otpSms") return;
  const challenges = kind === "otpSms" ? { otpSms: {} } : { otpEmail: { sendCode: {} } };
  try {
    await prove(call, visit, attempt, { challenges });
    attempt.sent = kind;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    attempt.problem = problemOf(error);
  }
}
