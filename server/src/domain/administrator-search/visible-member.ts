import { isInView, isOrganizationInView, type ListedPerson, type VisibleUsers } from "../user/index.ts";

/** An administrator in a list, with the organization of the resource and when the position was accepted, if it was. */
export interface ListedMember extends ListedPerson {
  readonly ownerId: string;
  readonly acceptedAt: number | null;
}

/**
 * Returns whether a caller may see the name of an administrator: users in view, and users of other organizations who
 * accepted the position, for the organization that offered it.
 */
export const isVisibleMember = (view: VisibleUsers, member: ListedMember): boolean =>
  isInView(view, member) || (member.acceptedAt !== null && isOrganizationInView(view, member.ownerId));
