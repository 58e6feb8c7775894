import { isRecord } from "../../base/json.ts";
import type { Frame, ReadValues } from "./organization-entries.ts";
import type { StreamedMember } from "./organization-members.ts";

/** The organizations that list a user as their own, by their numbers in the file. */
export type UserHomes = ReadonlyMap<string, readonly number[]>;

const lists: ReadonlySet<string> = new Set<StreamedMember>(["humanUsers", "machineUsers"]);

/** Reads whose the users of a file are. Nothing needs to be read of a single organization. */
export async function readHomes(read: ReadValues, frames: readonly Frame[]): Promise<UserHomes> {
  const homes = new Map<string, readonly number[]>();
  if (frames.length < 2) return homes;
  // Shared by all users of an organization.
  const alone = frames.map((_, index) => [index] as const);
  for await (const { organization, value } of read((member) => lists.has(member))) {
    const userId = userIdOf(value);
    const known = homes.get(userId);
    if (known?.includes(organization) === true) continue;
    homes.set(userId, known === undefined ? (alone[organization] ?? []) : [...known, organization]);
  }
  return homes;
}

/**
 * Returns the organizations that the server has to know of, to decide whom an organization means by the id in an entry:
 * none if it alone lists the id, or nothing does.
 */
export function homesToSend(homes: UserHomes, organization: number, entry: unknown): readonly number[] {
  const found = homes.get(userIdOf(entry)) ?? [];
  return found.every((home) => home === organization) ? [] : found;
}

export const userIdOf = (entry: unknown): string =>
  isRecord(entry) && typeof entry["userId"] === "string" ? entry["userId"] : "";
