import type { Instant } from "../../base/clock.ts";

/** The content of the assertion that authenticates our client at a provider (RFC 7523 §2.2). */
interface ClientAssertion {
  readonly instanceId: string;
  readonly now: Instant;
  readonly clientId: string;
  /** The issuer of the provider. */
  readonly audience: string;
  /** Algorithms that the provider verifies; RS256 when it does not say. */
  readonly algorithms: readonly string[] | undefined;
}

/**
 * Signs an assertion with a key that the instance publishes. Throws `ProviderRefused` when there is no key that the
 * provider accepts. Implemented by a later module.
 */
export type SignClientAssertion = (assertion: ClientAssertion) => Promise<string>;
