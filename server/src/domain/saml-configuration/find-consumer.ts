import type { AssertionConsumer, SamlPartner } from "./saml-configuration.ts";

/** The address that a request names, by itself or by its number in the metadata; neither for the default. */
export interface WantedConsumer {
  readonly location?: string | undefined;
  readonly index?: number | undefined;
}

/**
 * Returns the address for the response to a request (SAML Core §3.4.1). Undefined when the metadata does not have it:
 * addresses are compared exactly, also those of signed requests, so that no request decides where assertions go.
 */
export function findConsumer({ consumers }: SamlPartner, wanted: WantedConsumer): AssertionConsumer | undefined {
  const { location, index } = wanted;
  // A request must not have both; each of them would have to be right.
  return consumers.find(
    (consumer) =>
      (location === undefined || consumer.location === location) && (index === undefined || consumer.index === index),
  );
}

/** Whether the metadata has an address for assertions. */
export const hasConsumer = ({ consumers }: SamlPartner, location: string): boolean =>
  consumers.some((consumer) => consumer.location === location);
