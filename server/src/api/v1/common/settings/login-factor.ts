import type { MultiFactorType, SecondFactorType } from "@doorward/api/service/policy/v1/policy_pb";
import type { Call } from "../../../../call/index.ts";
import {
  getSettings,
  type LoginSettings,
  type SettingsDeps,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import { toListDetailsV1, toObjectDetails } from "../../../contract/index.ts";
import { nameOf } from "../../../settings/kinds.ts";
import { multiFactorTypes, secondFactorTypes } from "../../../settings/login-fields.ts";

/** Methods on factors of the login settings, one factor at a time. The organization id is empty for the instance. */
export function methodsOfFactors(deps: SettingsDeps) {
  const read = async (call: Call, organizationId: string) =>
    (await getSettings(deps, call, { kind: "login", ...(organizationId !== "" && { organizationId }) })).settings;
  const write = async (call: Call, organizationId: string, change: (current: LoginSettings) => LoginSettings) => ({
    details: toObjectDetails(
      await updateSettings(deps, call, { kind: "login", ...(organizationId !== "" && { organizationId }), change }),
    ),
  });
  return {
    listSecond: async (call: Call, organizationId: string) => {
      const result = (await read(call, organizationId)).secondFactors.map((factor) => secondFactorTypes[factor]);
      return { details: toListDetailsV1(result.length, call.now), result };
    },
    addSecond: (call: Call, organizationId: string, type: SecondFactorType) =>
      write(call, organizationId, (current) => ({
        ...current,
        secondFactors: withOne(current.secondFactors, nameOf(secondFactorTypes, type)),
      })),
    removeSecond: (call: Call, organizationId: string, type: SecondFactorType) =>
      write(call, organizationId, (current) => ({
        ...current,
        secondFactors: current.secondFactors.filter((factor) => factor !== nameOf(secondFactorTypes, type)),
      })),
    listMulti: async (call: Call, organizationId: string) => {
      const result = (await read(call, organizationId)).multiFactors.map((factor) => multiFactorTypes[factor]);
      return { details: toListDetailsV1(result.length, call.now), result };
    },
    addMulti: (call: Call, organizationId: string, type: MultiFactorType) =>
      write(call, organizationId, (current) => ({
        ...current,
        multiFactors: withOne(current.multiFactors, nameOf(multiFactorTypes, type)),
      })),
    removeMulti: (call: Call, organizationId: string, type: MultiFactorType) =>
      write(call, organizationId, (current) => ({
        ...current,
        multiFactors: current.multiFactors.filter((factor) => factor !== nameOf(multiFactorTypes, type)),
      })),
  };
}

const withOne = <Factor>(factors: readonly Factor[], added: Factor | undefined): readonly Factor[] =>
  added === undefined || factors.includes(added) ? factors : [...factors, added];
