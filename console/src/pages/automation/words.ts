import { type Delivery, DeliveryState } from "@doorward/api/service/action/v2/delivery_pb";
import type { BadgeLook } from "../../parts/badge.tsx";
import { type TextKey, t } from "../../text/catalogue.ts";

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
