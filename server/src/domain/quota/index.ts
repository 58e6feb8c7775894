export { addQuota, type QuotaDeps, type QuotaInput } from "./add-quota.ts";
export { claimQuotaCall, type QuotaQueueDeps } from "./claim-quota-call.ts";
export type { QuotaCall } from "./notification.ts";
export { piecesOf, type QuotaUnit } from "./quota.ts";
export { createQuotaMeter, type QuotaMeter } from "./quota-meter.ts";
export { removeQuota } from "./remove-quota.ts";
export { setQuota } from "./set-quota.ts";
export { settleQuotaCall } from "./settle-quota-call.ts";
