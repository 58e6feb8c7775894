import type { SetLimitsRequest } from "@doorward/api/service/system/v1/quota_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import type { Database } from "../../../../database/index.ts";
import { type LimitsInput, resetLimits, setLimits, setLimitsOfInstances } from "../../../../domain/instance/index.ts";
import { type Binding, bind, durationInMilliseconds, toObjectDetails, toTimestamp } from "../../../contract/index.ts";

/** SystemService: what the operator limits for instances. */
export const limitsMethods = (deps: { readonly database: Database }): Binding =>
  bind(SystemService, {
    async setLimits(call, request) {
      return { details: toObjectDetails(await setLimits(deps, call, toInput(request))) };
    },
    async bulkSetLimits(call, { limits }) {
      const changed = await setLimitsOfInstances(deps, call, limits.map(toInput));
      // The installation itself has no record that could have a sequence.
      return { details: { changeDate: toTimestamp(call.now) }, targetDetails: changed.map(toObjectDetails) };
    },
    async resetLimits(call, request) {
      const details = await resetLimits(deps, call, request);
      return details === undefined ? {} : { details: toObjectDetails(details) };
    },
  });

const toInput = ({ instanceId, auditLogRetention, block }: SetLimitsRequest): LimitsInput => ({
  instanceId,
  auditLogRetention: auditLogRetention && durationInMilliseconds(auditLogRetention),
  isBlocked: block,
});
