import type { ClaimDeps } from "../domain/contact/index.ts";
import type { PurgeDeps } from "../domain/deletion/index.ts";
import type { ReencryptDeps } from "../domain/reencryption/index.ts";
import type { SamlKeyDeps } from "../domain/saml-key/index.ts";
import { type ClearBulkJobsDeps, clearBulkJobs } from "./clear-bulk-jobs.ts";
import { type CountEventsDeps, countEventsRegularly } from "./count-events.ts";
import { type DeliverActionsDeps, deliverActions } from "./deliver-actions.ts";
import { type DeliverLogoutsDeps, deliverLogouts } from "./deliver-logouts.ts";
import { type DeliverNotificationsDeps, deliverNotifications } from "./deliver-notifications.ts";
import { type ExpireDeps, expire } from "./expire.ts";
import { expireRegistrations } from "./expire-registrations.ts";
import { expireSessions } from "./expire-sessions.ts";
import { finishDeletionsOfOrganizations } from "./finish-deletions.ts";
import { foldCounts } from "./fold-counts.ts";
import { limitLogouts } from "./limit-logouts.ts";
import { deliverQuotaNotifications, foldQuotas, type MeterQuotasDeps } from "./meter-quotas.ts";
import { noteUseOfRegistrations } from "./note-use-of-registrations.ts";
import { purgeInstances } from "./purge-instances.ts";
import { reencrypt } from "./reencrypt.ts";
import { type RefreshSamlMetadataDeps, refreshSamlMetadata } from "./refresh-saml-metadata.ts";
import { type RotateKeysDeps, rotateKeys } from "./rotate-keys.ts";
import { rotateSamlKeys } from "./rotate-saml-keys.ts";
import { type RunBulkJobsDeps, runBulkJobs } from "./run-bulk-jobs.ts";
import { createSchedule, type Schedule, type ScheduleDeps } from "./schedule.ts";

export type JobsDeps = ScheduleDeps &
  CountEventsDeps &
  DeliverActionsDeps &
  DeliverLogoutsDeps &
  DeliverNotificationsDeps &
  ExpireDeps &
  MeterQuotasDeps &
  RotateKeysDeps &
  SamlKeyDeps &
  RefreshSamlMetadataDeps &
  PurgeDeps &
  RunBulkJobsDeps &
  ClearBulkJobsDeps &
  ClaimDeps &
  ReencryptDeps;

/** Creates all background jobs; `start` starts them. */
export function createJobs(deps: JobsDeps): Schedule {
  return createSchedule(deps, [
    deliverActions(deps),
    deliverLogouts(deps),
    limitLogouts(deps),
    expireSessions(deps),
    deliverNotifications(deps),
    rotateKeys(deps),
    rotateSamlKeys(deps),
    refreshSamlMetadata(deps),
    expire(deps),
    noteUseOfRegistrations(deps),
    expireRegistrations(deps),
    foldCounts(deps),
    countEventsRegularly(deps),
    foldQuotas(deps),
    deliverQuotaNotifications(deps),
    purgeInstances(deps),
    finishDeletionsOfOrganizations(deps),
    reencrypt(deps),
    runBulkJobs(deps),
    clearBulkJobs(deps),
  ]);
}
