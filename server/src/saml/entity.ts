import { endpointPaths } from "../web/index.ts";

/** Returns our entity id: the address of our metadata (SAML Core §8.3.6). */
export const entityIdOf = (origin: string): string => origin + endpointPaths.samlMetadata;

/** Whether a message is for an endpoint of ours (SAML Core §3.2.1). Some service providers name no destination. */
export const isDestination = (destination: string | undefined, address: string): boolean =>
  destination === undefined || destination === "" || destination === address;
