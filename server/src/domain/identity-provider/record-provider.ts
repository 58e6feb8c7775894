import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import type { EventType } from "../../event/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { type ProviderConfiguration, type ProviderKind, rulesOf } from "./provider-kinds.ts";

/** The kinds whose name in events is another one. */
const otherNames = { github_es: "github_enterprise", azure_ad: "azure" } as const satisfies {
  readonly [Kind in ProviderKind]?: string;
};
type OtherNames = typeof otherNames;

/** The name of a kind in events. */
type EventNameOf<Kind extends ProviderKind> = Kind extends keyof OtherNames ? OtherNames[Kind] : Kind;

const eventNameOf = (kind: ProviderKind): EventNameOf<ProviderKind> =>
  kind in otherNames ? otherNames[kind as keyof OtherNames] : (kind as Exclude<ProviderKind, keyof OtherNames>);

/** A change of a provider. */
export type ProviderChange = "added" | "changed" | "migrated" | "deactivated" | "reactivated" | "removed";

/**
 * Step: records a change of a provider with its new values, except for its secret. The event takes the next sequence of
 * its owner.
 */
export function recordProviderEvent(
  tx: Tx,
  { identityProviderId: id, ownerOrganizationId, name, options, configuration }: Omit<IdentityProvider, "details">,
  change: ProviderChange,
): Promise<Details> {
  const what = nameChange(configuration.kind, change);
  const payload =
    change === "removed" ? { id, name } : { id, name, ...options, configuration: recordedOf(configuration) };
  return ownerOrganizationId === ""
    ? recordInstanceEvent(tx, { type: `instance.idp.${what}` satisfies EventType, payload })
    : recordOrganizationEvent(tx, ownerOrganizationId, {
        type: `organization.idp.${what}` satisfies EventType,
        payload,
      });
}

const recordedOf = (configuration: ProviderConfiguration): object =>
  rulesOf(configuration).recorded?.(configuration) ?? configuration;

function nameChange(kind: ProviderKind, change: ProviderChange) {
  switch (change) {
    case "added":
    case "changed":
      return `${eventNameOf(kind)}.${change}` as const;
    case "deactivated":
    case "reactivated":
      return `config.${change}` as const;
    case "migrated":
      return "oidc.migrated";
    case "removed":
      return "removed";
    default:
      return change satisfies never;
  }
}

/** The error for a provider that does not exist, or not for the caller. */
export const providerAbsent = (field = "id"): Fault => new Fault("not_found", "identity_provider.not_found", { field });
