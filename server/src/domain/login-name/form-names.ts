import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import { findOwnerOfDomain, holdOrganization, type Organization, shareNaming } from "../organization/index.ts";
import { readSettings } from "../settings/index.ts";
import type { Identifier } from "./identifier.ts";
import { isLoginNameElsewhere } from "./login-name.store.ts";
import { toNames } from "./login-name.ts";

/** The address of the user whose names are formed, as addresses are compared. */
export interface OwnAddress {
  readonly key: string;
  readonly isVerified: boolean;
}

interface WantedName {
  readonly username: Identifier;
  /** Undefined for service accounts. */
  readonly email: OwnAddress | undefined;
  /** Whether users name themselves: an address that they merely entered is no name for them. */
  readonly isSelf?: boolean;
}

/**
 * Step: holds what names are formed with, the domain and the organization. Units that hold the user whose names they
 * form do this before, in the order of all others. Returns the organization.
 */
export function holdForNames(tx: Tx, organizationId: string, username: Identifier): Promise<Organization | undefined> {
  const at = username.key.lastIndexOf("@");
  // No organization proves the domain until the user is there, and is found by its claim or by a change of the rule.
  shareNaming(tx, at < 0 ? undefined : username.key.slice(at + 1));
  return holdOrganization(tx, organizationId);
}

/**
 * Step: returns the names of a user of an organization, which stays held, as the settings require. Refuses a username
 * that looks like the address of another user.
 */
export async function formNames(tx: Tx, organizationId: string, wanted: WantedName) {
  const { username } = wanted;
  const at = username.key.lastIndexOf("@");
  const organization = await holdForNames(tx, organizationId, username);
  if (organization === undefined) throw new Fault("not_found", "organization.not_found", { field: "organizationId" });
  const owner = at < 0 ? undefined : await findOwnerOfDomain(tx, tx.instanceId, username.key.slice(at + 1));
  if (at >= 0 && owner !== organizationId) requireOwnAddress(wanted);
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  // A name in the domain of an organization means a user of that organization only, so it is not a login name
  // elsewhere.
  const isOfAnother = owner !== undefined && owner !== organizationId;
  const isBare = !settings.loginNameIncludesDomain && !isOfAnother;
  // An address that users of other organizations have as their name must not keep its owner from an account: the owner
  // gets a longer login name, and signs in by the verified address.
  const isTaken = isBare && at >= 0 && (await isLoginNameElsewhere(tx, organizationId, username.key));
  return toNames(username, organization.primaryDomain, isBare && !isTaken);
}

// The name would otherwise stand for the owner of the address: at sign-in, in lists and in what applications show.
function requireOwnAddress({ username, email, isSelf = false }: WantedName): void {
  if (email?.key === username.key && (email.isVerified || !isSelf)) return;
  throw new Fault("invalid_argument", "user.username_is_address", { field: "username" });
}
