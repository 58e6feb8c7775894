import { Fault } from "../../base/fault.ts";
import {
  accessOfAuthor,
  authorOf,
  type Call,
  formatAuthor,
  type PermissionsOfRoles,
  type Positions,
  type Scope,
} from "../../call/index.ts";
import type { RefuseLockout } from "../organization/index.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/** Dependencies for deciding who answers for a provider. */
export interface AnsweringDeps {
  readonly permissionsOfRoles: PermissionsOfRoles;
}

/** Dependencies of everything that changes a provider. */
export interface ProviderChangeDeps extends AnsweringDeps {
  readonly refuseLockout: RefuseLockout;
}

type Owned = Pick<IdentityProvider, "ownerOrganizationId">;
type Answered = Owned & Pick<IdentityProvider, "options" | "answeredBy">;

// Each set of roles counts once, so that there are few; more are kept as what all of them may do now.
const mostAnswering = 16;

/**
 * Returns the caller as one who answers for a provider: by what they hold over its owner. What the provider says of
 * users counts no further than that.
 */
export const answeringOf = (call: Call, { ownerOrganizationId }: Owned): Positions =>
  authorOf(call).filter(
    ({ level, resourceId }) =>
      level === "system" || level === "instance" || (level === "organization" && resourceId === ownerOrganizationId),
  );

/** Returns what all who answer for a provider may do at its owner, with the permissions that their roles have now. */
export function answeredPermissions(
  { permissionsOfRoles }: AnsweringDeps,
  { ownerOrganizationId }: Owned,
  answering: readonly Positions[],
): ReadonlySet<string> {
  const scope: Scope = ownerOrganizationId === "" ? {} : { organizationId: ownerOrganizationId };
  const held = answering.map((author) => {
    const access = accessOfAuthor(author, permissionsOfRoles);
    const named = access.positions.flatMap(({ permissions }) => [...permissions]);
    return new Set(named.filter((permission) => access.allows(permission, scope)));
  });
  const [first = new Set<string>(), ...others] = held;
  return others.reduce((common, permissions) => common.intersection(permissions), first);
}

/**
 * Returns who answers for a provider after a change by the caller. A new speaker is the caller's alone; for any other
 * change the former administrators and the caller answer together, so that it never raises what counts.
 */
export function answeredAfterChange(
  deps: AnsweringDeps,
  call: Call,
  provider: Answered,
  isNewSpeaker: boolean,
): readonly Positions[] | undefined {
  const own = answeringOf(call, provider);
  const { answeredBy: former } = provider;
  if (isNewSpeaker) return [own];
  // Stays unknown: a caller who may write credentials cannot lower it, and must not raise it as a side effect.
  if (former === undefined) return mayLink(deps, provider, [own]) ? undefined : [own];
  if (former.some((author) => formatAuthor(author) === formatAuthor(own))) return former;
  const together = [...former, own];
  return together.length > mostAnswering ? [asOne(deps, provider, together)] : together;
}

function asOne(deps: AnsweringDeps, owned: Owned, answering: readonly Positions[]): Positions {
  const { ownerOrganizationId: resourceId } = owned;
  const permissions = [...answeredPermissions(deps, owned, answering)].toSorted();
  return [{ level: resourceId === "" ? "instance" : "organization", resourceId, permissions }];
}

/**
 * Returns who answers for a provider after the caller activated it: the caller, when they may do at least as much as
 * the former ones. Activating a provider that one has seen means answering for it as it is.
 */
export function answeredAfterActivation(
  deps: AnsweringDeps,
  call: Call,
  provider: Answered,
): readonly Positions[] | undefined {
  const own = answeringOf(call, provider);
  const { answeredBy: former } = provider;
  const isEnough =
    former === undefined ||
    answeredPermissions(deps, provider, former).isSubsetOf(answeredPermissions(deps, provider, [own]));
  return isEnough && mayLink(deps, provider, [own]) ? [own] : former;
}

/** The permission to write credentials of users: a provider that links accounts by itself does just that. */
export const credentialPermission = "user.credential.write";

const mayLink = (deps: AnsweringDeps, owned: Owned, answering: readonly Positions[]): boolean =>
  answeredPermissions(deps, owned, answering).has(credentialPermission);

/** Rejects a provider that links accounts by itself, from a caller who may not write credentials of its users. */
export function refuseUnansweredLinking(deps: AnsweringDeps, provider: Answered): void {
  const { options, answeredBy } = provider;
  if (options.autoLinking === "none" || answeredBy === undefined || mayLink(deps, provider, answeredBy)) return;
  const values = { permission: credentialPermission };
  throw new Fault("permission_denied", "permission.missing", { field: "providerOptions.autoLinking", values });
}
