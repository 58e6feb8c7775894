import { Fault } from "../../base/fault.ts";
import { parseDomain } from "../../base/names/host.ts";
import type { Call } from "../../call/index.ts";
import type { Database, Details, Tx } from "../../database/index.ts";
import { holdAuthorizedOrganization } from "./authorize-organization.ts";
import { shareDomains } from "./domain-claim.store.ts";
import {
  findNaming,
  leaveNaming,
  listHalfNamed,
  nextOrganizationSequence,
  updateOrganizationPrimaryDomain,
} from "./organization.store.ts";
import { organizationAggregate } from "./organization.ts";
import { findOrganizationDomain, updatePrimaryDomain } from "./organization-domain.store.ts";

export interface SetPrimaryDomainDeps {
  readonly database: Database;
  /** Step of the user module: changes the login names of an organization's users to another domain. */
  readonly renameLoginNames: (tx: Tx, input: { organizationId: string; primaryDomain: string }) => Promise<void>;
}

/**
 * Makes a proven domain the primary one. The login names of all users of the organization change in the same
 * transaction, which takes its turn, as it reads all of them. Where a request that formed them for another domain did
 * not end, they are formed again also for the domain that is primary already.
 */
export function setPrimaryDomain(
  deps: SetPrimaryDomainDeps,
  call: Call,
  input: { readonly organizationId: string; readonly domain: string },
): Promise<Details> {
  const name = parseDomain(input.domain) ?? "";
  const forming = { organizationId: input.organizationId, isBegun: false };
  const change = deps.database.changeAtLength(call, async (tx) => {
    shareDomains(tx);
    const organization = await holdAuthorizedOrganization(tx, input.organizationId, "org.write");
    const { organizationId } = organization;
    const domain = await findOrganizationDomain(tx, tx.instanceId, organizationId, name);
    if (domain === undefined) throw new Fault("not_found", "organization.domain_not_found", { field: "domain" });
    // Login names are formed of it, and they are unique in the instance.
    if (!domain.isProven) throw new Fault("failed_precondition", "organization.domain_unverified", { field: "domain" });
    const changed =
      (await updateOrganizationPrimaryDomain(tx, organizationId, name)) ??
      ((await findNaming(tx, organization)) === undefined
        ? undefined
        : await nextOrganizationSequence(tx, organizationId));
    if (changed === undefined) return organization.details;
    await updatePrimaryDomain(tx, organizationId, name);
    forming.isBegun = true;
    await deps.renameLoginNames(tx, { organizationId, primaryDomain: name });
    tx.record({
      type: "organization.domain.primary_set",
      ...organizationAggregate(organizationId),
      sequence: changed.details.sequence,
      payload: { domain: name },
    });
    return changed.details;
  });
  return orLeaveNames(deps, call, forming, change);
}

/** A change that may form login names. */
interface Forming {
  /** Whose users'; those of the whole instance when undefined. */
  readonly organizationId: string | undefined;
  /** Whether it has come to that: until then its caller may be refused. */
  readonly isBegun: boolean;
}

/**
 * Awaits a change that forms login names. Where it fails after some batches, such as for lack of a turn, the
 * organization is marked: the next change of its names or domains forms them again, in place of waiting for this one.
 */
export async function orLeaveNames<Result>(
  { database }: { readonly database: Database },
  call: Call,
  forming: Forming,
  change: Promise<Result>,
): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (!forming.isBegun) throw error;
    const { organizationId } = forming;
    const leave = database.touch(call, async (tx) => {
      const concerned = organizationId === undefined ? await listHalfNamed(tx) : [organizationId];
      for (const each of concerned) await leaveNaming(tx, each);
    });
    // A database that does not answer keeps the mark of the request, as a crash does.
    await leave.catch(() => undefined);
    throw error;
  }
}
