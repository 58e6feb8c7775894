import { type Access, type Author, createAccess } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import { answeredPermissions, credentialPermission, type IdentityProvider } from "../identity-provider/index.ts";
import { listRolesHeldAt, listScopedRoles, type ScopedRole } from "./access.store.ts";
import { holdsAllRoles } from "./may-appoint.ts";
import { isAssignable, permissionsOf, permissionsOfAll, roleNames } from "./roles.ts";

type Vouching = Pick<IdentityProvider, "ownerOrganizationId" | "answeredBy">;

interface VouchedFor {
  readonly userId: string;
  readonly organizationId: string;
}

/**
 * Whether a provider may sign a user in, in whichever way. A provider of an organization vouches for users of that
 * organization only. The administrators who answer for a provider control what it says, so they must hold at least
 * the permissions of every administrative position of the user: otherwise they would gain them by the provider.
 */
export async function mayVouchFor(
  reader: Reader,
  instanceId: string,
  provider: Vouching,
  { userId, organizationId }: VouchedFor,
): Promise<boolean> {
  const { ownerOrganizationId } = provider;
  if (ownerOrganizationId !== "" && ownerOrganizationId !== organizationId) return false;
  return carriesRoles(reader, instanceId, provider, await listScopedRoles(reader, instanceId, userId));
}

/** Whether those who answer for a provider hold at least the permissions of all these roles. */
async function carriesRoles(
  reader: Reader,
  instanceId: string,
  provider: Vouching,
  held: readonly ScopedRole[],
): Promise<boolean> {
  if (held.length === 0) return true;
  const answering = await listAnswering(reader, instanceId, provider);
  return answering.every((access) => holdsAllRoles(access, held));
}

/**
 * Whether a provider may link an account to a user by itself: it must be able to vouch for the user, and those who
 * answer for it must be allowed to write the user's credentials.
 */
export async function mayLinkByItself(
  reader: Reader,
  instanceId: string,
  provider: Vouching,
  user: VouchedFor,
): Promise<boolean> {
  if (!(await mayVouchFor(reader, instanceId, provider, user))) return false;
  const scope = { organizationId: user.organizationId };
  const answering = await listAnswering(reader, instanceId, provider);
  return answering.every((access) => access.allows(credentialPermission, scope));
}

/**
 * Returns what all who answer for a provider may do at its owner now, as the author of what the provider says: those
 * who answer for it later do not make it better.
 */
export async function authorOfProvider(reader: Reader, instanceId: string, provider: Vouching): Promise<Author> {
  const answering = await listAnswering(reader, instanceId, provider);
  const held = answering.map(({ positions }) => new Set(positions.flatMap(({ permissions }) => [...permissions])));
  const [first = new Set<string>(), ...others] = held;
  const permissions = [...others.reduce((common, each) => common.intersection(each), first)].toSorted();
  const { ownerOrganizationId: resourceId } = provider;
  return [{ level: resourceId === "" ? "instance" : "organization", resourceId, permissions }];
}

const writersAt = (level: "instance" | "organization", permission: string): readonly string[] =>
  roleNames.filter((role) => isAssignable(role, level) && permissionsOf(role).includes(permission));

/** The roles with the permission to change providers, by the level of the owner. */
const writersOf = {
  instance: writersAt("instance", "iam.idp.write"),
  organization: writersAt("organization", "org.idp.write"),
};

/**
 * Returns what those who answer for a provider may do at its owner. Where that is not known, the administrators who may
 * change the provider now: any of them may have done so.
 */
async function listAnswering(
  reader: Reader,
  instanceId: string,
  { ownerOrganizationId, answeredBy }: Vouching,
): Promise<readonly Access[]> {
  const accessOf = (permissions: Iterable<string>): Access =>
    createAccess([
      ownerOrganizationId === ""
        ? { level: "instance", resourceId: "", permissions: new Set(permissions) }
        : { level: "organization", resourceId: ownerOrganizationId, permissions: new Set(permissions) },
    ]);
  if (answeredBy !== undefined) {
    const deps = { permissionsOfRoles: permissionsOfAll };
    return [accessOf(answeredPermissions(deps, { ownerOrganizationId }, answeredBy))];
  }
  if (ownerOrganizationId === "") return writersOf.instance.map((role) => accessOf(permissionsOf(role)));
  const writers = { organizationId: ownerOrganizationId, roles: writersOf.organization };
  const roles = new Set(["ORG_OWNER", ...(await listRolesHeldAt(reader, instanceId, writers))]);
  return [...roles].map((role) => accessOf(permissionsOf(role)));
}
