import { type LoginV2, Source } from "@doorward/api/service/feature/v2/feature_pb";
import { FeatureService } from "@doorward/api/service/feature/v2/feature_service_pb";
import type { Call } from "../../../call/index.ts";
import type { Database } from "../../../database/index.ts";
import {
  authorizeOrganizationFeatures,
  authorizeUserFeatures,
  type EffectiveFeatures,
  type FeatureLevel,
  type Features,
  featureAggregate,
  getFeatures,
  resetFeatures,
  type StoredFeatures,
  type Switch,
  setFeatures,
  switches,
} from "../../../domain/feature/index.ts";
import { type Binding, bind, defined, toDetails } from "../../contract/index.ts";

/**
 * FeatureService. Organizations and users are levels without flags: for authorized callers, setting them has no effect.
 */
export function featureMethods(deps: { readonly database: Database }): Binding {
  const set = async (call: Call, level: FeatureLevel, request: FeaturesRequest) =>
    answer(call, level, await setFeatures(deps, call, { level, flags: fromRequest(request) }));
  const reset = async (call: Call, level: FeatureLevel) =>
    answer(call, level, await resetFeatures(deps, call, { level }));
  const ofOrganization = async (call: Call, organizationId: string, verb: "read" | "write" | "delete") => {
    await authorizeOrganizationFeatures(deps, call, { organizationId, verb });
    return { details: { resourceOwner: organizationId } };
  };
  const ofUser = async (call: Call, userId: string, verb: "read" | "write" | "delete") => {
    const { organizationId } = await authorizeUserFeatures(deps, call, { userId, verb });
    return { details: { resourceOwner: organizationId } };
  };
  return bind(FeatureService, {
    setSystemFeatures: (call, request) => set(call, "system", request),
    resetSystemFeatures: (call) => reset(call, "system"),
    getSystemFeatures: async (call) =>
      toMessage(await getFeatures(deps, call, { level: "system", inheritance: false })),
    setInstanceFeatures: (call, request) => set(call, "instance", request),
    resetInstanceFeatures: (call) => reset(call, "instance"),
    getInstanceFeatures: async (call, { inheritance }) =>
      toMessage(await getFeatures(deps, call, { level: "instance", inheritance })),
    setOrganizationFeatures: (call, { organizationId }) => ofOrganization(call, organizationId, "write"),
    resetOrganizationFeatures: (call, { organizationId }) => ofOrganization(call, organizationId, "delete"),
    getOrganizationFeatures: (call, { organizationId }) => ofOrganization(call, organizationId, "read"),
    setUserFeatures: (call, { userId }) => ofUser(call, userId, "write"),
    resetUserFeatures: (call, { userId }) => ofUser(call, userId, "delete"),
    getUserFeatures: (call, { userId }) => ofUser(call, userId, "read"),
  });
}

type FeaturesRequest = { readonly [Name in Switch]?: boolean | undefined } & {
  readonly improvedPerformance: readonly number[];
  readonly loginV2?: LoginV2 | undefined;
};

// A list cannot be told to be absent, so an empty one counts as absent.
function fromRequest(request: FeaturesRequest): Features {
  const { improvedPerformance, loginV2 } = request;
  return {
    ...defined(Object.fromEntries(switches.map((name) => [name, request[name]])) as Pick<FeaturesRequest, Switch>),
    ...(improvedPerformance.length > 0 && { improvedPerformance: [...improvedPerformance].sort((a, b) => a - b) }),
    ...(loginV2 !== undefined && {
      loginV2: { required: loginV2.required, ...defined({ baseUri: loginV2.baseUri }) },
    }),
  };
}

function answer(call: Call, level: FeatureLevel, stored: StoredFeatures | undefined) {
  const { ownerId } = featureAggregate(level, call.instanceId);
  return { details: stored === undefined ? { resourceOwner: ownerId } : toDetails({ ...stored.details, ownerId }) };
}

const sources = { system: Source.SYSTEM, instance: Source.INSTANCE } as const satisfies Record<FeatureLevel, Source>;

// The message of the system lacks flags that only an instance has; these are omitted from it.
function toMessage({ flags, sourceOf, details }: EffectiveFeatures) {
  const source = (flag: keyof Features): Source => {
    const level = sourceOf(flag);
    return level === undefined ? Source.UNSPECIFIED : sources[level];
  };
  const flag = (name: Switch) => ({ enabled: flags[name], source: source(name) });
  return {
    ...(details !== undefined && { details: toDetails(details) }),
    loginDefaultOrg: flag("loginDefaultOrg"),
    userSchema: flag("userSchema"),
    oidcTokenExchange: flag("oidcTokenExchange"),
    debugOidcParentError: flag("debugOidcParentError"),
    oidcSingleV1SessionTermination: flag("oidcSingleV1SessionTermination"),
    enableBackChannelLogout: flag("enableBackChannelLogout"),
    permissionCheckV2: flag("permissionCheckV2"),
    consoleUseV2UserApi: flag("consoleUseV2UserApi"),
    enableRelationalTables: flag("enableRelationalTables"),
    improvedPerformance: { executionPaths: [...flags.improvedPerformance], source: source("improvedPerformance") },
    loginV2: { ...flags.loginV2, source: source("loginV2") },
  };
}
