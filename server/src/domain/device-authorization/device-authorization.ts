import type { Instant } from "../../base/clock.ts";

/** `approved`: the device may fetch its tokens. `redeemed`: it has. */
type DeviceAuthorizationState = "pending" | "approved" | "denied" | "redeemed";

/** A device that asked for authorization. */
export interface DeviceAuthorization {
  readonly deviceAuthorizationId: string;
  readonly clientId: string;
  readonly applicationId: string;
  /** The user code, encrypted under the master key. */
  readonly userCodeSealed: string;
  /** As the client spelled it. */
  readonly scope: string;
  /** Resources for which tokens are requested (RFC 8707). */
  readonly resources: readonly string[];
  readonly state: DeviceAuthorizationState;
  /** Address from which the device asked. */
  readonly requestedFrom: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** The user who approved a device, and how the user had authenticated. */
export interface Approval {
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Instant;
  readonly authenticationMethods: readonly string[];
}

export const deviceAuthorizationAggregate = (id: string, ownerId: string) =>
  ({ aggregateType: "device_authorization", aggregateId: id, ownerId }) as const;
