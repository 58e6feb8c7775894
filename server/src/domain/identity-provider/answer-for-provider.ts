import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, type Scope } from "../../call/index.ts";
import type { IdentityProvider } from "./identity-provider.ts";

type Answered = Pick<IdentityProvider, "ownerOrganizationId" | "options" | "answeredWith">;

/**
 * Returns the permissions with which the caller answers for a provider at its owner. What the provider says of users
 * counts no further than that.
 */
export function permissionsAt(call: Call, ownerOrganizationId: string): readonly string[] {
  const { access } = requireCaller(call);
  const scope: Scope = ownerOrganizationId === "" ? {} : { organizationId: ownerOrganizationId };
  const named = new Set(access.positions.flatMap(({ permissions }) => [...permissions]));
  return [...named].filter((permission) => access.allows(permission, scope)).toSorted();
}

/**
 * Returns with which permissions a provider is answered for after a change by the caller. A new speaker is the caller's
 * alone; any other change is the former administrator's and the caller's together, so that it never raises them.
 */
export function answeredAfterChange(
  call: Call,
  provider: Answered,
  isNewSpeaker: boolean,
): readonly string[] | undefined {
  const own = permissionsAt(call, provider.ownerOrganizationId);
  const { answeredWith: former } = provider;
  if (isNewSpeaker) return own;
  // Still unknown: a caller who may write credentials cannot make it worse, and must not make it better by the way.
  if (former === undefined) return mayLink(own) ? undefined : own;
  return own.filter((permission) => former.includes(permission));
}

/**
 * Returns with which permissions a provider is answered for after the caller activated it: the caller's, when they are
 * at least the former ones. Activating a provider means answering for it as it is.
 */
export function answeredAfterActivation(call: Call, provider: Answered): readonly string[] | undefined {
  const own = permissionsAt(call, provider.ownerOrganizationId);
  const { answeredWith: former } = provider;
  return (former ?? own).every((permission) => own.includes(permission)) && mayLink(own) ? own : former;
}

/** The permission to write credentials of users: a provider that links accounts by itself does just that. */
export const credentialPermission = "user.credential.write";

const mayLink = (permissions: readonly string[]): boolean => permissions.includes(credentialPermission);

/** Rejects a provider that links accounts by itself, from a caller who may not write credentials of its users. */
export function refuseUnansweredLinking({ options, answeredWith }: Answered): void {
  if (options.autoLinking === "none" || answeredWith === undefined || mayLink(answeredWith)) return;
  const values = { permission: credentialPermission };
  throw new Fault("permission_denied", "permission.missing", { field: "providerOptions.autoLinking", values });
}
