import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import { nextOrganizationSequence } from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";

/**
 * Step: counts and records a change of something that belongs to an organization (a domain, metadata, settings…) and
 * shares its sequence. Throws when there is no such organization.
 */
export async function recordOrganizationEvent(
  tx: Tx,
  organizationId: string,
  event: { readonly type: string; readonly payload?: Readonly<Record<string, unknown>> },
): Promise<Details> {
  const organization = await nextOrganizationSequence(tx, organizationId);
  if (organization === undefined) throw new Fault("not_found", "organization.not_found");
  tx.record({ ...organizationAggregate(organizationId), sequence: organization.details.sequence, ...event });
  return organization.details;
}
