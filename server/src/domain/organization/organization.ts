import { Fault } from "../../base/fault.ts";
import { isName } from "../../base/names/name.ts";
import type { Details } from "../../database/index.ts";

export type OrganizationState = "active" | "inactive";

/** Owns users and projects inside an instance. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
  readonly state: OrganizationState;
  /** An administrator of the instance deactivated it, so that its own administrators cannot activate it. */
  readonly isDeactivatedByInstance: boolean;
  readonly primaryDomain: string;
  readonly details: Details;
}

/** The event aggregate of an organization. */
export function organizationAggregate(organizationId: string) {
  return { aggregateType: "organization", aggregateId: organizationId, ownerId: organizationId } as const;
}

/** Normalizes a name for display: 1 to 200 visible characters. */
export function parseOrganizationName(name: string): string {
  const trimmed = name.trim();
  if (!isName(trimmed)) {
    throw new Fault("invalid_argument", "organization.name_invalid", { field: "name" });
  }
  return trimmed;
}
