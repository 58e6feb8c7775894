import { join, type Sql, sql } from "../../database/index.ts";
import { firstHolders } from "./contact-order.store.ts";
import type { FoundUser } from "./found-user.ts";

/** How many users are looked for, and by which claims. */
export interface NameOptions {
  readonly limit: number;
  /**
   * Whether only claims are listed that count in the whole instance. Of an address these are a code, a word that
   * reaches that far, and what the owner of a proven domain says of its users; of any other name, what is said in the
   * default organization or of an administrator of the instance. What users call themselves is none.
   */
  readonly isWide?: boolean | undefined;
  /** Whether addresses and numbers mean only users who may sign in. */
  readonly isActiveAlone?: boolean | undefined;
}

/** The id of the default organization, which an instance may be without. */
export const defaultOrganization = (instanceId: string): Sql =>
  sql`(select i.default_organization_id from instances i where i.instance_id = ${instanceId})`;

// Of very many users of different organizations, some of which may be inactive, so many are looked at.
const mostAcross = 200;

/** Reasons of an address or number, which very many users may have. */
const ofContact: ReadonlySet<string> = new Set(["proven_email", "verified_email", "proven", "verified"]);

const isActive = ({ state, organizationState }: FoundUser): boolean =>
  state === "active" && organizationState === "active";

/**
 * Returns the users who were found with an address or number. Where as many were found for a reason as are looked at,
 * and none of them may sign in, those who may are read as well: a crowd in an organization that was deactivated hides
 * no other user.
 */
export async function withActive<User extends FoundUser & { readonly rank: string }>(
  found: readonly User[],
  options: NameOptions,
  read: (options: NameOptions) => Promise<readonly User[]>,
): Promise<User[]> {
  const ofReasons = Map.groupBy(
    found.filter(({ rank }) => ofContact.has(rank)),
    ({ rank }) => rank,
  );
  const isHiding = ofReasons.values().some((users) => users.length >= options.limit && !users.some(isActive));
  if (!isHiding) return [...found];
  const active = await read({ ...options, isActiveAlone: true });
  return [...found, ...active.filter((user) => ofContact.has(user.rank) && isActive(user))];
}

/**
 * Rows of the first users who have an address or number on the word of others, of one organization or of all: those
 * with words for the whole instance, then of the default organization, then of others.
 */
export function holdersByWord(
  instanceId: string,
  held: { readonly by: "email" | "phone"; readonly value: string; readonly organization: Sql | undefined },
  { limit, isWide, isActiveAlone }: NameOptions,
): Sql {
  const { organization } = held;
  const most = organization === undefined ? mostAcross : limit;
  const byDefault = defaultOrganization(instanceId);
  const all = { ...held, standing: "word", isActiveAlone } as const;
  const words =
    organization === undefined
      ? [
          firstHolders(instanceId, { ...all, organization: byDefault }, limit),
          firstHolders(instanceId, { ...all, where: sql`where organization_id is distinct from ${byDefault}` }, most),
        ]
      : [firstHolders(instanceId, all, most)];
  const wide = firstHolders(instanceId, { ...all, standing: "wide" }, most);
  const isWideAlone = isWide === true && organization === undefined;
  return sql`(${join(isWideAlone ? [wide] : [wide, ...words], " union all ")})`;
}

/** Rows of the first users who proved an address or number by a code. */
export function holdersByCode(
  instanceId: string,
  held: { readonly by: "email" | "phone"; readonly value: string; readonly organization: Sql | undefined },
  { limit, isActiveAlone }: NameOptions,
): Sql {
  const most = held.organization === undefined ? mostAcross : limit;
  return sql`(${firstHolders(instanceId, { ...held, standing: "code", isActiveAlone }, most)})`;
}
