import type { Client } from "../domain/application/index.ts";
import { isProjectAtHome } from "../domain/authorization/index.ts";
import type { AuthorityContext } from "./context.ts";

/** A user and a client that wants something of them. */
export interface ClientOfUser {
  readonly client: Client;
  readonly userId: string;
  /** Organization of the user, where it is known. */
  readonly organizationId?: string | undefined;
}

/**
 * Whether a client belongs to an organization that the user's own organization does not trust. An administrator vouches
 * for an application to the users of their organization, and to those of organizations that were granted the project
 * and recognized the grant. No administrator vouches for a client that needs the user's consent. An application of the
 * default organization, or one that an administrator of the instance trusts with our own APIs, is foreign to no user.
 * False where the instance does not ask across organizations.
 */
export async function isForeign(
  { reader, instance, consent }: Pick<AuthorityContext, "reader" | "instance" | "consent">,
  { client, userId, organizationId }: ClientOfUser,
): Promise<boolean> {
  if (vouchingOrganizationOf(client) === undefined) return true;
  if (consent.isSkippedAcrossOrganizations || isVouchedForAtHome(client, organizationId)) return false;
  if (client.organizationId === consent.defaultOrganizationId) return false;
  return !(await isProjectAtHome(reader, instance.instanceId, { userId, project: client }));
}

/**
 * Whether the client itself shows that an administrator vouches for it to the users of an organization: the instance
 * trusts it, or it is the organization's own. False where the organization is not known.
 */
export const isVouchedForAtHome = (client: Client, organizationId: string | undefined): boolean =>
  client.isTrustedForApi || (organizationId !== undefined && vouchingOrganizationOf(client) === organizationId);

/**
 * Returns the organization whose administrators vouch for a client. Undefined for a client that needs the user's
 * consent: self-registered clients are stored in a project of the default organization, which does not vouch for them.
 */
const vouchingOrganizationOf = (client: Client): string | undefined =>
  client.isConsentRequired && !client.isTrustedForApi ? undefined : client.organizationId;

/**
 * Returns the organization in whose name a client reads; the empty text, which is not an organization's id, without
 * one.
 */
export const readingOrganizationOf = (client: Client): string => vouchingOrganizationOf(client) ?? "";
