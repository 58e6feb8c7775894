import type { Instant } from "../../base/clock.ts";

/** `approved`: the device may take its tokens. `redeemed`: it has. */
export type DeviceAuthorizationState = "pending" | "approved" | "denied" | "redeemed";

/** A device that asked to be let in. */
export interface DeviceAuthorization {
  readonly deviceAuthorizationId: string;
  readonly clientId: string;
  readonly applicationId: string;
  /** The code that people type, sealed under the master key. */
  readonly userCodeSealed: string;
  /** As the client spelled it. */
  readonly scope: string;
  readonly state: DeviceAuthorizationState;
  /** Address that the device asked from. */
  readonly requestedFrom: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** Who let a device in, and how they had proven themselves. */
export interface Approval {
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Instant;
  readonly authenticationMethods: readonly string[];
}

export const deviceAuthorizationAggregate = (id: string, ownerId: string) =>
  ({ aggregateType: "device_authorization", aggregateId: id, ownerId }) as const;
