import { isForeign } from "../../../authority/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import { findOrganization } from "../../../domain/organization/index.ts";
import type { ClientOwner } from "../../parts/client.ts";
import type { Visit } from "../../visit/visit.ts";
import { type AuthorityDeps, authorityOf } from "./authority-of.ts";

/**
 * Returns the organization that answers for an application, seen by a user who is asked for consent. Undefined for an
 * application of a stranger: the organization that it was registered in does not answer for it.
 */
export async function findOwner(
  deps: AuthorityDeps,
  visit: Pick<Visit, "call">,
  client: Client | undefined,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
): Promise<ClientOwner | undefined> {
  if (client === undefined || client.isConsentRequired) return undefined;
  const { instanceId } = visit.call;
  const owner = await findOrganization(deps.database.read, instanceId, client.organizationId);
  const home = await findOrganization(deps.database.read, instanceId, organizationId);
  const isForeignToUser = await isForeign(await authorityOf(deps, visit), { client, userId });
  return owner && { name: owner.name, ...(isForeignToUser && home && { unapprovedBy: home.name }) };
}
