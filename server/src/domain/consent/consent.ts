import type { Instant } from "../../base/clock.ts";

/** What somebody lets an application do. */
export interface Consent {
  readonly userId: string;
  readonly clientId: string;
  /** As words without spaces: scopes, and what else of a request has a meaning for people (`oauth/authorize`). */
  readonly scopes: readonly string[];
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/** Whose consent to what. */
export type ConsentKey = Pick<Consent, "userId" | "clientId">;

/** The event aggregate of a consent. Events of a person belong to his organization. */
export const consentAggregate = ({ userId, clientId }: ConsentKey, ownerId: string) =>
  ({ aggregateType: "consent", aggregateId: `${userId}:${clientId}`, ownerId }) as const;
