import { join, list, type Reader, type Sql, sql } from "../../database/index.ts";
import {
  firstHolders,
  holdersAmong,
  listFirstOfActiveOrganizations,
  type SharedContact,
} from "./contact-order.store.ts";
import type { FoundUser } from "./found-user.ts";
import { isActive } from "./only-one.ts";

/** How many users are looked for, and by which claims. */
export interface NameOptions {
  readonly limit: number;
  /**
   * Whether only claims are listed that count in the whole instance. Of an address these are a code, a word that
   * reaches that far, and what the owner of a proven domain says of its users; of any other name, what is said in the
   * default organization or of an administrator of the instance. What users call themselves is none.
   */
  readonly isWide?: boolean | undefined;
  /** Only these users count who have it as address or number, where users of all organizations are looked for. */
  readonly userIds?: readonly string[] | undefined;
}

/** The id of the default organization, which an instance may be without. */
export const defaultOrganization = (instanceId: string): Sql =>
  sql`(select i.default_organization_id from instances i where i.instance_id = ${instanceId})`;

// Of very many users of different organizations, some of which may be inactive, so many are looked at.
const mostAcross = 200;

/** Reasons of an address or number, which very many users may have. */
const ofContact: ReadonlySet<string> = new Set(["proven_email", "verified_email", "proven", "verified"]);

/**
 * Returns the users who were found with an address or number in all organizations. Where as many were found for a
 * reason as are looked at, and none of them may sign in, the first of each organization who may are read as well: a
 * crowd in an organization that was deactivated hides no other user.
 */
export async function withActive<
  User extends Pick<FoundUser, "state" | "organizationState"> & { readonly rank: string },
>(
  reader: Reader,
  { instanceId, contact, found }: { instanceId: string; contact: SharedContact; found: readonly User[] },
  options: NameOptions,
  read: (options: NameOptions) => Promise<readonly User[]>,
): Promise<User[]> {
  const ofReasons = Map.groupBy(
    found.filter(({ rank }) => ofContact.has(rank)),
    ({ rank }) => rank,
  );
  const isHiding = ofReasons.values().some((users) => users.length >= options.limit && !users.some(isActive));
  if (!isHiding) return [...found];
  const holders = await listFirstOfActiveOrganizations(reader, instanceId, contact);
  const active = await read({ ...options, userIds: holders.map(({ userId }) => userId) });
  return [...found, ...active.filter((user) => ofContact.has(user.rank) && isActive(user))];
}

/** A contact, and the organization of the users who are looked for; of all when undefined. */
interface Held extends SharedContact {
  readonly organization: Sql | undefined;
}

/**
 * Rows of the first users who have an address or number on the word of others, of one organization or of all: those
 * with words for the whole instance, then of the default organization, then of others.
 */
export function holdersByWord(instanceId: string, held: Held, { limit, isWide, userIds }: NameOptions): Sql {
  const { organization } = held;
  const isAnywhere = organization === undefined;
  const isWideAlone = isWide === true && isAnywhere;
  if (isAnywhere && userIds !== undefined) {
    const among = (isWideAlone ? ["wide"] : ["wide", "word"]) as readonly ("wide" | "word")[];
    const users = among.map((standing) => holdersAmong(instanceId, { ...held, standing }, list(userIds)));
    return sql`(${join(users, " union all ")})`;
  }
  const most = isAnywhere ? mostAcross : limit;
  const byDefault = defaultOrganization(instanceId);
  const all = { ...held, standing: "word" } as const;
  const words = isAnywhere
    ? [
        firstHolders(instanceId, { ...all, organization: byDefault }, limit),
        firstHolders(instanceId, { ...all, where: sql`where organization_id is distinct from ${byDefault}` }, most),
      ]
    : [firstHolders(instanceId, all, most)];
  const wide = firstHolders(instanceId, { ...all, standing: "wide" }, most);
  return sql`(${join(isWideAlone ? [wide] : [wide, ...words], " union all ")})`;
}

/** Rows of the first users who proved an address or number by a code. */
export function holdersByCode(instanceId: string, held: Held, { limit, userIds }: NameOptions): Sql {
  const isAnywhere = held.organization === undefined;
  const byCode = { ...held, standing: "code" } as const;
  return isAnywhere && userIds !== undefined
    ? sql`(${holdersAmong(instanceId, byCode, list(userIds))})`
    : sql`(${firstHolders(instanceId, byCode, isAnywhere ? mostAcross : limit)})`;
}
