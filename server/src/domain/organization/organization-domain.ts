/** How an organization proves that it owns a domain; `none` when no proof was requested. */
export type ValidationType = "none" | "http" | "dns";

/**
 * A domain of an organization. Verified without proof, as settings may allow, it counts inside of this organization
 * alone. A proven domain belongs to one organization of the instance, forms login names and leads users to it.
 */
export interface OrganizationDomain {
  readonly organizationId: string;
  readonly domain: string;
  readonly isVerified: boolean;
  /** By a published proof, by the server that formed it, or asserted by an administrator of the instance. */
  readonly isProven: boolean;
  readonly isPrimary: boolean;
  readonly validationType: ValidationType;
  /** What the organization must publish; public by nature. */
  readonly validationToken: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}

/**
 * Looks for a proof that an organization published. Returns false when there is none; a failed lookup proves nothing.
 * Throws the Fault `request.too_many` where a lookup has to wait for too long for others.
 */
export interface DomainProofs {
  /** Runs the search for a proof of an organization when the turn of the organization comes. */
  inTurn<Result>(of: { instanceId: string; organizationId: string }, search: () => Promise<Result>): Promise<Result>;
  /** Whether a TXT record of the name has the value. */
  hasTextRecord(name: string, value: string): Promise<boolean>;
  /** Whether the document at the URL equals the value, apart from surrounding white space. */
  hasDocument(url: string, value: string): Promise<boolean>;
}

/** Returns the TXT record that proves a domain; undefined while no such proof was asked for. */
export function recordOfDomain({
  domain,
  validationType,
  validationToken,
}: OrganizationDomain): { readonly name: string; readonly value: string } | undefined {
  if (validationType !== "dns" || validationToken === null) return undefined;
  return { name: proofLocation("dns", domain, validationToken), value: validationToken };
}

/** Returns where the proof of a domain is looked for: the name of a TXT record, or a URL. */
export function proofLocation(type: Exclude<ValidationType, "none">, domain: string, token: string): string {
  return type === "dns"
    ? `_doorward-challenge.${domain}`
    : `https://${domain}/.well-known/doorward-challenge/${token}.txt`;
}
