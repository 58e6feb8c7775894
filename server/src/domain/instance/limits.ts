import type { Details } from "../../database/index.ts";

/** What the operator limits for an instance; what is undefined is not limited. */
export interface Limits {
  /** Milliseconds after which lists no longer show an event. */
  readonly auditLogRetention?: number | undefined;
  /** Whether requests of the instance are refused, except those of the System API. */
  readonly isBlocked?: boolean | undefined;
}

/** The limits of an instance as they are stored. */
export interface StoredLimits extends Limits {
  readonly details: Details;
}

/** The event aggregate of an instance's limits. */
export const limitsAggregate = (instanceId: string) =>
  ({ aggregateType: "limits", aggregateId: instanceId, ownerId: instanceId }) as const;
