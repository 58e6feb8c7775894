import type { Instant } from "../../base/clock.ts";

/** What a user lets an application do. */
export interface Consent {
  readonly userId: string;
  readonly clientId: string;
  /** As words without spaces: scopes, and other parts of a request with a meaning for users (`oauth/authorize`). */
  readonly scopes: readonly string[];
  /**
   * Those who could have opened the sessions in which the user agreed (`Author`, as it is stored); empty where the user
   * alone could. Null where that is not known.
   */
  readonly author: string | null;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
}

/** The user and the client of a consent. */
export type ConsentKey = Pick<Consent, "userId" | "clientId">;

/** The event aggregate of a consent. Events of a user belong to the user's organization. */
export const consentAggregate = ({ userId, clientId }: ConsentKey, ownerId: string) =>
  ({ aggregateType: "consent", aggregateId: `${userId}:${clientId}`, ownerId }) as const;
