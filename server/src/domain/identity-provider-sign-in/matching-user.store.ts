import { join, type Reader, type Sql, sql } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import {
  firstHolders,
  holdersByCode,
  holdersByWord,
  listFirstOfActiveOrganizations,
  type NameOptions,
  withActive,
} from "../login-name/index.ts";
import type { UserState } from "../user/index.ts";

/** A user with a given verified address. */
export interface MatchingUser {
  readonly userId: string;
  readonly organizationId: string;
  readonly usernameKey: string;
  /** How the address was proven. */
  readonly emailProof: string | null;
  /** When it was proven by a code; null where it was not. */
  readonly emailProvenAt: number | null;
}

interface Row extends MatchingUser {
  readonly state: UserState;
  readonly organizationState: "active" | "inactive";
  readonly rank: "proven_email" | "verified_email" | "owner";
}

interface Matching {
  readonly emailKey: string;
  readonly organizationId: string | undefined;
  readonly provider: Pick<IdentityProvider, "ownerOrganizationId">;
}

// Of more users than these for one reason, only the first are looked at.
const most = 21;

/**
 * Lists active users whose verified address means the same person as that address at a provider, of one organization if
 * one is given. Administrators of an organization can call any address verified, so their assertion counts for their
 * own provider and in their own proven domains only. Otherwise they could make a user with the address of another
 * person beforehand, and that person would come to use it. Their words are left out here, so that no number of them
 * hides a user. Those who proved it by a code come first, in the order of their proofs. Few share one; the first are
 * enough, of each reason.
 */
export async function listUsersByProvenEmail(
  reader: Reader,
  instanceId: string,
  matching: Matching,
): Promise<MatchingUser[]> {
  const options = { limit: most, isWide: true };
  const read = (one: NameOptions): Promise<Row[]> => reader.all<Row>(matchingUsers(instanceId, matching, one));
  const first = await read(options);
  const anywhere = { instanceId, contact: { by: "email", value: matching.emailKey }, found: first } as const;
  const found = matching.organizationId === undefined ? await withActive(reader, anywhere, options, read) : first;
  const active = found.filter(({ state, organizationState }) => state === "active" && organizationState === "active");
  const users = new Map(active.map(({ rank: _, state: __, organizationState: ___, ...user }) => [user.userId, user]));
  const provenAt = (user: MatchingUser): number => user.emailProvenAt ?? Number.MAX_SAFE_INTEGER;
  const byProof = users.values().toArray();
  return byProof.toSorted((a, b) => provenAt(a) - provenAt(b) || (a.userId < b.userId ? -1 : 1)).slice(0, most);
}

/** The statement of the first users with an address that counts, for each reason; not only of those who are active. */
function matchingUsers(instanceId: string, matching: Matching, options: NameOptions): Sql {
  const { emailKey, organizationId, provider } = matching;
  const owner = sql`${provider.ownerOrganizationId}`;
  const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
  const ownerOfDomain = sql`(select d.organization_id from organization_domains d
    where d.instance_id = ${instanceId} and d.domain = ${domain} and d.is_verified = 1 and d.is_proven = 1)`;
  const organization = organizationId === undefined ? undefined : sql`${organizationId}`;
  const held = { by: "email", value: emailKey, organization } as const;
  const having = (rank: Sql, from: Sql): Sql => sql`select * from (select u.user_id as "userId",
      u.organization_id as "organizationId", u.username_key as "usernameKey", u.email_proof as "emailProof",
      u.email_proven_at as "emailProvenAt", u.state, o.state as "organizationState", ${rank} as "rank"
    from ${from} u join organizations o on o.instance_id = ${instanceId} and o.organization_id = u.organization_id
    where u.instance_id = ${instanceId} and u.kind = 'human' and case when u.is_email_proof_wide = 1 then 1
      when u.organization_id = ${owner} or u.organization_id = ${ownerOfDomain} then 1 else 0 end = 1
    order by case when u.state = 'active' and o.state = 'active' then 0 else 1 end, coalesce(u.email_proven_at, 0), u.user_id
    limit ${options.limit}) x`;
  const ofWord = (of: Sql): Sql =>
    having(
      sql`'owner'`,
      sql`(${firstHolders(instanceId, { ...held, standing: "word", organization: of }, options.limit)})`,
    );
  return join(
    [
      having(sql`'proven_email'`, holdersByCode(instanceId, held, options)),
      having(sql`'verified_email'`, holdersByWord(instanceId, held, options)),
      // Within an organization its words are among those above.
      ...(organization === undefined ? [ofWord(owner), ofWord(ownerOfDomain)] : []),
    ],
    " union all ",
  );
}

/** Whether an active user of another organization has this verified address, on whatever word. */
export async function isVerifiedElsewhere(
  reader: Reader,
  instanceId: string,
  { emailKey, organizationId }: { readonly emailKey: string; readonly organizationId: string },
): Promise<boolean> {
  const holders = await listFirstOfActiveOrganizations(reader, instanceId, { by: "email", value: emailKey });
  return holders.some((holder) => holder.organizationId !== organizationId);
}
