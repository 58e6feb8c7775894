import type { Instant } from "../../base/clock.ts";

/** What proves to a provider that it is our client there (RFC 7523 §2.2). */
export interface ClientAssertion {
  readonly instanceId: string;
  readonly now: Instant;
  readonly clientId: string;
  /** The issuer of the provider. */
  readonly audience: string;
  /** What the provider verifies; RS256 when it does not say. */
  readonly algorithms: readonly string[] | undefined;
}

/** Signs one with a key that the instance publishes. Throws `ProviderRefused` when there is none that the provider takes. Answered by a later module. */
export type SignClientAssertion = (assertion: ClientAssertion) => Promise<string>;
