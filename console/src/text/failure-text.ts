import { type TextKey, t } from "./catalogue.ts";

const failures: Readonly<Record<string, TextKey>> = {
  unreachable: "automation.failure.unreachable",
  connection_failed: "automation.failure.unreachable",
  name_not_found: "automation.failure.unreachable",
  timed_out: "automation.failure.timedOut",
  timeout: "automation.failure.timedOut",
  no_encryption_key: "automation.failure.noKey",
  encryption_key_expired: "automation.failure.keyExpired",
  tls_failed: "automation.failure.tlsFailed",
  target_refused: "automation.failure.refused",
  address_refused: "automation.failure.refused",
  redirected: "automation.failure.redirected",
  too_large: "automation.failure.tooLarge",
  event_gone: "automation.failure.eventGone",
  authentication_failed: "automation.failure.authentication",
  recipient_refused: "automation.failure.recipient",
  sender_refused: "automation.failure.sender",
  message_refused: "automation.failure.message",
};

/** Returns why a delivery failed, in words. What has no words yet is shown as the server names it. */
export function failureText(failure: string): string {
  const status = /^status_(\d{3})$/.exec(failure)?.[1];
  if (status !== undefined) return t("automation.failure.status", { status });
  const key = Object.hasOwn(failures, failure) ? failures[failure] : undefined;
  return key === undefined ? failure : t(key);
}
