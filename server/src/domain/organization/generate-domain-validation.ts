import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Random } from "../../base/random.ts";
import type { Call } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { findOrganizationDomain, updateDomainValidation } from "./organization-domain.store.ts";
import { proofLocation, type ValidationType } from "./organization-domain.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

export interface DomainValidation {
  /** What must be published. */
  readonly token: string;
  /** Where: the URL of a document, or the name of a TXT record. */
  readonly location: string;
}

/** Generates a proof of ownership to publish for a domain; an earlier one is no longer valid. */
export function generateDomainValidation(
  deps: { readonly database: Database; readonly random: Random },
  call: Call,
  input: { readonly organizationId: string; readonly domain: string; readonly type: Exclude<ValidationType, "none"> },
): Promise<DomainValidation> {
  const domain = parseDomain(input.domain) ?? "";
  const token = deps.random(24).toString("base64url");
  return deps.database.change(call, async (tx) => {
    const { organizationId } = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    if ((await findOrganizationDomain(tx, tx.instanceId, organizationId, domain)) === undefined) {
      throw new Fault("not_found", "organization.domain_not_found", { field: "domain" });
    }
    if (!(await updateDomainValidation(tx, { organizationId, domain }, { type: input.type, token }))) {
      throw new Fault("failed_precondition", "organization.domain_verified_already", { field: "domain" });
    }
    await recordOrganizationEvent(tx, organizationId, {
      type: "organization.domain.validation_generated",
      payload: { domain, type: input.type },
    });
    return { token, location: proofLocation(input.type, domain, token) };
  });
}
