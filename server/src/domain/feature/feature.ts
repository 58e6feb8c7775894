import { Fault } from "../../base/fault.ts";
import { parseWebAddress } from "../../base/names/web-address.ts";

/** Levels at which flags can be set; an instance inherits from the system. */
export type FeatureLevel = "system" | "instance";

/** Flags that are on or off. */
export const switches = [
  "loginDefaultOrg",
  "userSchema",
  "oidcTokenExchange",
  "debugOidcParentError",
  "oidcSingleV1SessionTermination",
  "enableBackChannelLogout",
  "permissionCheckV2",
  "consoleUseV2UserApi",
  "enableRelationalTables",
] as const;

export type Switch = (typeof switches)[number];

/** The flags that are set. */
export type Features = { readonly [Name in Switch]?: boolean } & {
  /** Numbers of the parts with improved performance. */
  readonly improvedPerformance?: readonly number[];
  readonly loginV2?: { readonly required: boolean; readonly baseUri?: string };
};

/** The values where no level sets a flag: what this server actually does. */
export const builtInFeatures = {
  loginDefaultOrg: false,
  userSchema: false,
  oidcTokenExchange: true,
  debugOidcParentError: false,
  oidcSingleV1SessionTermination: false,
  enableBackChannelLogout: true,
  permissionCheckV2: true,
  consoleUseV2UserApi: false,
  enableRelationalTables: true,
  improvedPerformance: [],
  loginV2: { required: false },
} as const satisfies Features;

/** Rejects a login address to which no browser could be sent. */
export function checkFeatures({ loginV2 }: Features): void {
  if (loginV2?.baseUri === undefined || loginV2.baseUri === "") return;
  if (parseWebAddress(loginV2.baseUri) === undefined) {
    throw new Fault("invalid_argument", "feature.base_uri_invalid", { field: "loginV2.baseUri" });
  }
}

/** The event aggregate of the flags of a level. */
export function featureAggregate(level: FeatureLevel, instanceId: string) {
  const id = level === "system" ? "system" : instanceId;
  return { aggregateType: "feature", aggregateId: id, ownerId: id } as const;
}
