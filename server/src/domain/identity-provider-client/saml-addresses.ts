/** Our addresses at a SAML provider. Each provider has its own, so that none can answer in the name of another. */
export interface SamlAddresses {
  /** Our entity id, which is the address of our metadata. */
  readonly entityId: string;
  /** The assertion consumer service: where answers are posted. */
  readonly consumer: string;
  readonly logout: string;
}

/** Returns our addresses at a provider. `origin` is the public origin of our instance. */
export function samlAddressesOf(origin: string, identityProviderId: string): SamlAddresses {
  const base = `${origin}/idps/${encodeURIComponent(identityProviderId)}/saml`;
  return { entityId: `${base}/metadata`, consumer: `${base}/acs`, logout: `${base}/slo` };
}
