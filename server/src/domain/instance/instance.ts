import type { Details } from "../../database/index.ts";

/** An isolated installation, found by host. */
export interface Instance {
  readonly instanceId: string;
  readonly name: string;
  /** BCP 47 tag of a supported language. */
  readonly defaultLanguage: string;
  readonly defaultOrganizationId: string;
  /** The built-in project; its id is the audience of our own APIs. */
  readonly systemProjectId: string;
  /** Host of the issuer and of links. */
  readonly primaryHost: string;
  /** When the first administrator was created; null before. */
  readonly setupCompletedAt: number | null;
  /** Whether the operator blocked it: only the System API answers. */
  readonly isBlocked: boolean;
  readonly details: Details;
}

/** A host that belongs to an instance. */
export interface InstanceDomain {
  readonly instanceId: string;
  readonly domain: string;
  /** Whether the issuer and links use it. */
  readonly isPrimary: boolean;
  /** Whether the installation generated it; then it stays as long as the instance. */
  readonly isGenerated: boolean;
  readonly createdAt: number;
}

/** The event aggregate of an instance. */
export function instanceAggregate(instanceId: string) {
  return { aggregateType: "instance", aggregateId: instanceId, ownerId: instanceId } as const;
}
