import type { Notification } from "@doorward/api/service/quota/v1/quota_pb";
import { Unit } from "@doorward/api/service/quota/v1/quota_pb";
import type { AddQuotaRequest, SetQuotaRequest } from "@doorward/api/service/system/v1/quota_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { Fault } from "../../../../base/fault.ts";
import {
  addQuota,
  type QuotaDeps,
  type QuotaInput,
  type QuotaUnit,
  removeQuota,
  setQuota,
} from "../../../../domain/quota/index.ts";
import { type Binding, bind, durationInMilliseconds, fromTimestamp, toObjectDetails } from "../../../contract/index.ts";

/** SystemService: how much an instance may use in a period. */
export const quotaMethods = (deps: QuotaDeps): Binding =>
  bind(SystemService, {
    async addQuota(call, request) {
      return { details: toObjectDetails(await addQuota(deps, call, toInput(request))) };
    },
    async setQuota(call, request) {
      return { details: toObjectDetails(await setQuota(deps, call, toInput(request))) };
    },
    async removeQuota(call, { instanceId, unit }) {
      return { details: toObjectDetails(await removeQuota(deps, call, { instanceId, unit: toUnit(unit) })) };
    },
  });

function toInput(request: AddQuotaRequest | SetQuotaRequest): QuotaInput {
  const { instanceId, unit, from, resetInterval, amount, limit, notifications } = request;
  return {
    instanceId,
    unit: toUnit(unit),
    beginsAt: fromTimestamp(from ?? missing("from")),
    resetInterval: durationInMilliseconds(resetInterval ?? missing("reset_interval")),
    amount: Number(amount),
    isLimited: limit,
    notifications: notifications.map(({ percent, repeat, callUrl }: Notification) => ({
      percent,
      isRepeated: repeat,
      callUrl,
    })),
  };
}

const units: Readonly<Partial<Record<Unit, QuotaUnit>>> = {
  [Unit.REQUESTS_ALL_AUTHENTICATED]: "requests.all.authenticated",
  [Unit.ACTIONS_ALL_RUN_SECONDS]: "actions.all.runs.seconds",
};

const toUnit = (unit: Unit): QuotaUnit => units[unit] ?? missing("unit");

function missing(field: string): never {
  throw new Fault("invalid_argument", "field.required", { field, values: { field } });
}
