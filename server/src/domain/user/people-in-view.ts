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
 * an id and learns no more by it: personal data belong to the organization of the person.
 */
export function peopleInView(call: Call): PeopleInView {
  const { access, userId, organizationId } = requireCaller(call);
  const { everywhere, organizationIds } = access.reach("user.read");
  const own = organizationId === "" ? [] : [organizationId];
  return { everywhere, organizationIds: [...new Set([...organizationIds, ...own])], userId };
}

/** A person in a list; `ownerId` is the organization that the listed object belongs to, which knows its own people. */
export interface ListedPerson {
  readonly userId: string;
  readonly organizationId: string;
  readonly ownerId: string;
}

/** Returns whether a caller may see the name and address of a person in a list. */
export const isInView = (view: PeopleInView, { userId, organizationId, ownerId }: ListedPerson): boolean =>
  view.everywhere ||
  userId === view.userId ||
  organizationId === ownerId ||
  view.organizationIds.includes(organizationId);
