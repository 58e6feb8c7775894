import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import { type Database, type Details, UniqueViolation } from "../../database/index.ts";
import { authorizeOrganization, holdAuthorizedOrganization } from "./authorize-organization.ts";
import { takeDomainAlone } from "./domain-claim.store.ts";
import type { DomainClaims } from "./domain-claims.ts";
import { findOrganizationDomain, updateDomainVerified } from "./organization-domain.store.ts";
import { type DomainProofs, type OrganizationDomain, proofLocation } from "./organization-domain.ts";
import { recordOrganizationEvent } from "./record-organization.ts";

/**
 * Verifies a domain by the proof that its owner published. From then on the domain belongs to this organization alone,
 * also if others claimed it before. A proven domain stays as it is, and so does a verified one for which no proof was
 * asked.
 */
export async function verifyOrganizationDomain(
  deps: { readonly database: Database; readonly domainProofs: DomainProofs; readonly domainClaims?: DomainClaims },
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<Details> {
  const organization = await authorizeOrganization(deps.database.read, call, input.organizationId, "org.write");
  const { organizationId } = organization;
  const claimed = parseDomain(input.domain) ?? "";
  const domain = await findOrganizationDomain(deps.database.read, call.instanceId, organizationId, claimed);
  if (domain === undefined) throw new Fault("not_found", "organization.domain_not_found", { field: "domain" });
  const isDone = domain.isProven || (domain.isVerified && domain.validationType === "none");
  if (isDone) return organization.details;
  const token = await requireProof(deps.domainProofs, call.instanceId, domain);
  const claim = { organizationId, domain: domain.domain };
  const details = await deps.database
    .changeAtLength(call, async (tx) => {
      // Before the organization, which those who form names hold afterwards.
      takeDomainAlone(tx, domain.domain);
      await holdAuthorizedOrganization(tx, organizationId, "org.write");
      if (!(await updateDomainVerified(tx, domain, token))) {
        throw new Fault("aborted", "organization.domain_changed", { field: "domain" });
      }
      await deps.domainClaims?.begin(tx, claim);
      return recordOrganizationEvent(tx, organizationId, {
        type: "organization.domain.verified",
        payload: { domain: domain.domain },
      });
    })
    .catch(refuseTaken);
  await deps.domainClaims?.finish(call, claim);
  return details;
}

// Outside of the transaction, because the server that answers may be slow.
async function requireProof(proofs: DomainProofs, instanceId: string, domain: OrganizationDomain): Promise<string> {
  const { organizationId, validationType: type, validationToken: token } = domain;
  if (type === "none" || token === null) {
    throw new Fault("failed_precondition", "organization.domain_no_validation", { field: "domain" });
  }
  const location = proofLocation(type, domain.domain, token);
  const isProven = await proofs.inTurn({ instanceId, organizationId }, () =>
    type === "dns" ? proofs.hasTextRecord(location, token) : proofs.hasDocument(location, token),
  );
  if (!isProven) {
    throw new Fault("failed_precondition", "organization.domain_unproven", { field: "domain", values: { location } });
  }
  return token;
}

function refuseTaken(error: unknown): never {
  if (error instanceof UniqueViolation) {
    throw new Fault("already_exists", "organization.domain_taken", { field: "domain", cause: error });
  }
  throw error;
}
