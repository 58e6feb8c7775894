import type { Instant } from "../../base/clock.ts";

/**
 * How the client got in: registered by a caller with the permission, registered without one, or by the document at its
 * client id.
 */
export type RegistrationKind = "token" | "open" | "document";

/** Metadata that is kept for others to read, under the names of RFC 7591 §2, and that decides nothing here. */
export type InertMetadata = Readonly<Record<string, unknown>>;

/** What a client that registered itself has beside its application. */
export interface Registration {
  readonly clientId: string;
  readonly applicationId: string;
  readonly organizationId: string;
  readonly kind: RegistrationKind;
  readonly clientName: string | undefined;
  readonly metadata: InertMetadata;
  readonly createdAt: Instant;
}

/** Returns the event aggregate of a registration. */
export function registrationAggregate(registration: Pick<Registration, "clientId" | "organizationId">) {
  return {
    aggregateType: "registration",
    aggregateId: registration.clientId,
    ownerId: registration.organizationId,
  } as const;
}

/** Returns the payload for events of a registration. */
export function registrationPayload({ applicationId, kind, clientName, metadata }: Registration) {
  return { applicationId, kind, clientName: clientName ?? null, metadata };
}
