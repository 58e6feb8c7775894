import { Fault } from "../../base/fault.ts";
import type { Tx } from "../../database/index.ts";
import {
  findOwnerOfDomain,
  findOwnersOfDomains,
  holdOrganization,
  type Organization,
  shareNaming,
  shareNamingIn,
} from "../organization/index.ts";
import { readSettings } from "../settings/index.ts";
import type { Identifier } from "./identifier.ts";
import { isLoginNameElsewhere, listLoginNamesElsewhere } from "./login-name.store.ts";
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
  // No organization proves the domain until the user is there, and is found by its claim or by a change of the rule.
  shareNaming(tx, domainOf(username));
  return holdOrganization(tx, organizationId);
}

/**
 * Step: returns the names of a user of an organization, which stays held, as the settings require. Refuses a username
 * that looks like the address of another user.
 */
export async function formNames(tx: Tx, organizationId: string, wanted: WantedName) {
  const { username } = wanted;
  const domain = domainOf(username);
  const organization = await holdForNames(tx, organizationId, username);
  if (organization === undefined) throw organizationNotFound();
  const owner = domain === undefined ? undefined : await findOwnerOfDomain(tx, tx.instanceId, domain);
  if (!isAllowed(wanted, organizationId, owner)) throw isAddressOfAnother();
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = mayBeBare(settings, organizationId, owner);
  const isTaken = isBare && domain !== undefined && (await isLoginNameElsewhere(tx, organizationId, username.key));
  return toNames(username, organization.primaryDomain, isBare && !isTaken);
}

/**
 * Step: the same for several users of one organization. The names of those whom `formNames` would refuse are undefined.
 */
export async function formNamesTogether(
  tx: Tx,
  organizationId: string,
  wanted: readonly WantedName[],
): Promise<(ReturnType<typeof toNames> | undefined)[]> {
  const domains = [...new Set(wanted.map(({ username }) => domainOf(username)))].filter((each) => each !== undefined);
  shareNamingIn(tx, domains);
  const organization = await holdOrganization(tx, organizationId);
  if (organization === undefined) throw organizationNotFound();
  const owners = await findOwnersOfDomains(tx, tx.instanceId, domains);
  const ownerOf = ({ username }: WantedName) => owners.get(domainOf(username) ?? "");
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = (each: WantedName): boolean => mayBeBare(settings, organizationId, ownerOf(each));
  const bareAddresses = wanted.filter((each) => domainOf(each.username) !== undefined && isBare(each));
  const keys = bareAddresses.map(({ username }) => username.key);
  const taken = new Set(keys.length === 0 ? [] : await listLoginNamesElsewhere(tx, organizationId, keys));
  return wanted.map((each) =>
    isAllowed(each, organizationId, ownerOf(each))
      ? toNames(each.username, organization.primaryDomain, isBare(each) && !taken.has(each.username.key))
      : undefined,
  );
}

function domainOf({ key }: Identifier): string | undefined {
  const at = key.lastIndexOf("@");
  return at < 0 ? undefined : key.slice(at + 1);
}

/**
 * Whether a login name may be the username alone: by the settings, and where the name is in no domain of another
 * organization, because it means a user of that organization only.
 *
 * An address that users of other organizations have as their name must not keep its owner from an account. So callers
 * look whether it is one: the owner gets a longer login name then, and signs in by the verified address.
 */
const mayBeBare = (
  settings: { readonly loginNameIncludesDomain: boolean },
  organizationId: string,
  owner: string | undefined,
): boolean => !settings.loginNameIncludesDomain && (owner === undefined || owner === organizationId);

// The name would otherwise stand for the owner of the address: at sign-in, in lists and in what applications show.
function isAllowed(wanted: WantedName, organizationId: string, owner: string | undefined): boolean {
  const { username, email, isSelf = false } = wanted;
  if (domainOf(username) === undefined || owner === organizationId) return true;
  return email?.key === username.key && (email.isVerified || !isSelf);
}

const isAddressOfAnother = (): Fault =>
  new Fault("invalid_argument", "user.username_is_address", { field: "username" });

const organizationNotFound = (): Fault => new Fault("not_found", "organization.not_found", { field: "organizationId" });
