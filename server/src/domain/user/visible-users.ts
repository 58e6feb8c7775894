import { type Call, requireCaller } from "../../call/index.ts";

/** The users whose names and addresses a caller may see in lists that join users. */
export interface VisibleUsers {
  readonly everywhere: boolean;
  /** Where the caller may read users, and the caller's own organization. */
  readonly organizationIds: readonly string[];
  readonly userId: string;
}

/**
 * Returns whose names and addresses the caller may see. A caller who gives a role to a user of another organization, or
 * adds one to a group, knows an id and learns no more by it: personal data belongs to the user's organization. A role
 * on a project or on a grant shows no users either, because the other side of a grant hands out such roles as well.
 */
export function visibleUsers(call: Call): VisibleUsers {
  const { access, userId, organizationId } = requireCaller(call);
  const { everywhere, organizationIds } = access.reach("user.read");
  const own = organizationId === "" ? [] : [organizationId];
  return { everywhere, organizationIds: [...new Set([...organizationIds, ...own])], userId };
}

/** A user in a list, with the organization that the user belongs to. */
export interface ListedPerson {
  readonly userId: string;
  readonly organizationId: string;
}

/** Returns whether a caller may see the name and address of a user in a list. */
export const isInView = (view: VisibleUsers, { userId, organizationId }: ListedPerson): boolean =>
  userId === view.userId || isOrganizationInView(view, organizationId);

/** Returns whether a caller may see the names of the users and groups of an organization. */
export const isOrganizationInView = (view: VisibleUsers, organizationId: string): boolean =>
  view.everywhere || view.organizationIds.includes(organizationId);
