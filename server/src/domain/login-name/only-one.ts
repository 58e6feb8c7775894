import type { FoundUser } from "./found-user.ts";

/** Of more users than this with a name for one reason, only the first are looked at. */
export const mostCandidates = 20;

/** A user who has a name for some reason. */
export interface Claim extends FoundUser {
  /** How far it counts that the user has it, `Reach`; no further than the user's organization from 0 on downwards. */
  readonly reach: number;
  /** Since when. */
  readonly since: number;
}

/**
 * Returns the one user of a list; of several who proved an address or a number by a code, the active one who did so
 * first: a later proof takes nothing from an earlier one, however it came about. None where two proved it in the same
 * instant.
 */
export function chooseOne<User extends Claim>(found: readonly User[]): User | undefined {
  const candidates = [...new Map(found.map((user) => [user.userId, user])).values()];
  if (candidates.length <= 1) return candidates[0];
  const [first, second] = candidates.filter(isActive).toSorted((a, b) => a.since - b.since);
  return first?.since === second?.since ? undefined : first;
}

/**
 * Returns the user with the best claim among users of one organization, or with claims of one reach: an active one
 * before the others, then by reach, then the first; none for none.
 */
export function bestOf<User extends Claim>(found: readonly User[]): readonly User[] {
  const [best] = found.toSorted(
    (a, b) => Number(isActive(b)) - Number(isActive(a)) || b.reach - a.reach || a.since - b.since,
  );
  return best === undefined ? [] : [best];
}

/**
 * Returns the users among whom an address or a number is decided: those who may sign in, if it is that of any of them,
 * whatever the reach of the proofs. Otherwise a user who was deactivated or locked would keep it from the next.
 */
export function activeFirst<User extends FoundUser>(
  found: readonly User[],
  isContact: (user: User) => boolean,
): readonly User[] {
  return found.some((user) => isContact(user) && isActive(user)) ? found.filter(isActive) : found;
}

/** Among which users a name is decided: those with the claims that count, or all of an organization. */
export type Holders<User extends Claim> =
  | { readonly by: "reach"; readonly users: readonly User[] }
  | { readonly by: "organization"; readonly organizationId: string; readonly isContested: boolean };

/**
 * Decides between organizations, for a name without a proven domain: the claims that reach furthest count, above all
 * others. If every claim is only an organization's assertion, the organization with the earliest claim has the name,
 * whatever the states of its users, apart from what `activeFirst` leaves out. An organization cannot get ahead of an
 * earlier claim, so none can take a name from users elsewhere or make it ambiguous. Undefined without any claim.
 */
export function findHolders<User extends Claim>(claims: readonly User[]): Holders<User> | undefined {
  const [first] = claims.toSorted((a, b) => b.reach - a.reach || a.since - b.since || compareIds(a, b));
  if (first === undefined) return undefined;
  if (first.reach > 0) return { by: "reach", users: claims.filter(({ reach }) => reach === first.reach) };
  const { organizationId } = first;
  const isContested = claims.some((claim) => claim.organizationId !== organizationId);
  return { by: "organization", organizationId, isContested };
}

const compareIds = (a: FoundUser, b: FoundUser): number => (a.userId < b.userId ? -1 : 1);

/** Whether a user may sign in, as far as states show. */
export const isActive = ({ state, organizationState }: Pick<FoundUser, "state" | "organizationState">): boolean =>
  state === "active" && organizationState === "active";
