import { type Delivery, DeliveryState } from "@doorward/api/service/action/v2/delivery_pb";
import type { BadgeLook } from "../../parts/badge.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";

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

/** Returns the word for the state of a delivery. */
export function deliveryWord({ state, failure }: Pick<Delivery, "state" | "failure">): {
  readonly text: string;
  readonly look: BadgeLook;
} {
  if (state === DeliveryState.DELIVERED) return { text: t("automation.delivery.delivered"), look: "good" };
  if (state === DeliveryState.FAILED) return { text: t("automation.delivery.failed"), look: "bad" };
  return failure === ""
    ? { text: t("automation.delivery.pending"), look: "neutral" }
    : { text: t("automation.delivery.retried"), look: "warning" };
}

const jobs: Readonly<Record<string, TextKey>> = {
  actions: "automation.job.actions",
  deliver_actions: "automation.job.deliverActions",
  deliver_logouts: "automation.job.deliverLogouts",
  deliver_notifications: "automation.job.deliverNotifications",
  deliver_quota_notifications: "automation.job.deliverQuotaNotifications",
  expire: "automation.job.expire",
  expire_registrations: "automation.job.expireRegistrations",
  expire_sessions: "automation.job.expireSessions",
  finish_deletions: "automation.job.finishDeletions",
  fold_counts: "automation.job.foldCounts",
  fold_quotas: "automation.job.foldQuotas",
  note_use_of_registrations: "automation.job.noteUse",
  purge_instances: "automation.job.purgeInstances",
  reencrypt: "automation.job.reencrypt",
  refresh_saml_metadata: "automation.job.refreshSamlMetadata",
  rotate_keys: "automation.job.rotateKeys",
  rotate_saml_keys: "automation.job.rotateSamlKeys",
};

/** Returns what a job of the server does; its name where there are no words. */
export function jobText(name: string): string {
  const key = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  return key === undefined ? name : t(key);
}
