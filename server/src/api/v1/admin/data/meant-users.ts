import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { EntryRefused } from "./entry-refused.ts";
import type { PerformEntry } from "./perform.ts";

/** An organization of a request, with the users that it lists as its own. */
export interface ListedUsers {
  readonly orgId: string;
  readonly humanUsers: readonly { readonly userId: string }[];
  readonly machineUsers: readonly { readonly userId: string }[];
}

/** Users whom entries give rights to. */
export interface MeantUsers {
  /** Whether the user with this id here is the one whom the data of an organization means by it. */
  isMeant(orgId: string, userId: string): Promise<boolean>;
}

/**
 * Data names users by ids alone, and here an id is that of the user for whom it was taken first. So an organization
 * means a user of its own; or, if it has none with the id here and lists none, the user of the only organization of the
 * request that lists the id, if that one has them here. An id that several list means no user of another organization.
 */
export function findMeantUsers(organizations: readonly ListedUsers[], perform: PerformEntry): MeantUsers {
  let homes: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  // An id is given once, so a user who was there is there, or nowhere.
  const known = new Set<string>();
  const isUserOf = async (orgId: string, userId: string): Promise<boolean> => {
    const key = `${orgId}\n${userId}`;
    if (!known.has(key) && (await hasUser(perform, orgId, userId))) known.add(key);
    return known.has(key);
  };
  return {
    isMeant: async (orgId, userId) => {
      if (await isUserOf(orgId, userId)) return true;
      // Many requests are about users alone.
      homes ??= homesOf(organizations);
      const [home, ...others] = homes.get(userId) ?? [];
      return home !== undefined && home !== orgId && others.length === 0 && (await isUserOf(home, userId));
    },
  };
}

/** Returns the organizations that list each user as theirs. */
function homesOf(organizations: readonly ListedUsers[]): ReadonlyMap<string, ReadonlySet<string>> {
  const homes = new Map<string, Set<string>>();
  for (const { orgId, humanUsers, machineUsers } of organizations) {
    for (const { userId } of [...humanUsers, ...machineUsers]) {
      homes.set(userId, (homes.get(userId) ?? new Set()).add(orgId));
    }
  }
  return homes;
}

async function hasUser(perform: PerformEntry, orgId: string, id: string): Promise<boolean> {
  try {
    await perform(ManagementService.method.getUserByID, { id }, orgId);
    return true;
  } catch (error) {
    if (error instanceof EntryRefused && error.refusal.id === "user.not_found") return false;
    throw error;
  }
}
