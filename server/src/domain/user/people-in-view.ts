import { type Call, requireCaller } from "../../call/index.ts";

/** The people whose names and addresses a caller may see in lists that join users. */
export interface PeopleInView {
  readonly everywhere: boolean;
  /** Where the caller may read users, and the caller's own organization. */
  readonly organizationIds: readonly string[];
  readonly userId: string;
}

/**
 * Returns whose names and addresses the caller may see. A caller who gives a stranger a role, or puts one into a group, knows
 * an id and learns no more by it: personal data belong to the organization of the person. A position on a project or on a
 * grant shows no people either: the other side of a grant hands out such positions as well.
 */
export function peopleInView(call: Call): PeopleInView {
  const { access, userId, organizationId } = requireCaller(call);
  const { everywhere, organizationIds } = access.reach("user.read");
  const own = organizationId === "" ? [] : [organizationId];
  return { everywhere, organizationIds: [...new Set([...organizationIds, ...own])], userId };
}

/** A person in a list, with the organization that the person belongs to. */
export interface ListedPerson {
  readonly userId: string;
  readonly organizationId: string;
}

/** Returns whether a caller may see the name and address of a person in a list. */
export const isInView = (view: PeopleInView, { userId, organizationId }: ListedPerson): boolean =>
  userId === view.userId || isOrganizationInView(view, organizationId);

/** Returns whether a caller may see the names of the people and groups of an organization. */
export const isOrganizationInView = (view: PeopleInView, organizationId: string): boolean =>
  view.everywhere || view.organizationIds.includes(organizationId);
