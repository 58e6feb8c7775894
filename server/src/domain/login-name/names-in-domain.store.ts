import { list, type Sql, sql, type Tx, text } from "../../database/index.ts";
import { domainOfName, hasAt } from "./domain-of-name.store.ts";

/** A user whose username or login name ends in a domain that another organization owns. */
export interface NameInDomain {
  readonly userId: string;
  readonly organizationId: string;
}

/** Users who have been found, and the last one that was looked at; undefined where there are no more. */
export interface NamesInDomain {
  readonly users: readonly NameInDomain[];
  readonly next: string | undefined;
}

// How many names of each kind are looked at in one unit of work: very many may be the owner's, or of users who were
// told.
const mostNames = 1000;

type Row = NameInDomain & { readonly kind: "username" | "login_name"; readonly isConcerned: number };

/**
 * Lists users of other organizations with something to do after an organization proved a domain, after the given one;
 * at most `limit`. Their login name ends in it, and is formed again; even if the username does not, as where it was
 * formed before their organization lost the domain. Or the username ends in it, and they are to be told: who was told
 * before is not, unless the login name changes, nor who got the username after `until`.
 */
export async function listNamesInDomain(
  tx: Tx,
  claim: { readonly organizationId: string; readonly domain: string },
  page: { readonly after: string; readonly until?: number | undefined; readonly limit: number },
): Promise<NamesInDomain> {
  const { organizationId, domain } = claim;
  const [username, loginName] = [text("username_key"), text("login_name_key")];
  const isOld = page.until === undefined ? sql`` : sql`and username_set_at <= ${page.until}`;
  const isConcerned = sql`case when organization_id <> ${organizationId} and (${domainOfName(loginName)} = ${domain}
    or (${domainOfName(username)} = ${domain} and kind = 'human' and is_email_verified = 1
      and coalesce(told_of_domain, '') <> ${domain} ${isOld})) then 1 else 0 end`;
  const having = (kind: Sql, condition: Sql): Sql => sql`select * from (select user_id as "userId",
      organization_id as "organizationId", ${kind} as "kind", ${isConcerned} as "isConcerned" from users
    where instance_id = ${tx.instanceId} and ${condition} and user_id > ${page.after}
    order by user_id limit ${mostNames}) named`;
  const rows =
    await tx.all<Row>(sql`${having(sql`'username'`, sql`${hasAt(username)} and ${domainOfName(username)} = ${domain}`)}
    union all ${having(sql`'login_name'`, sql`login_name_key <> username_key and ${domainOfName(loginName)} = ${domain}`)}
    order by 1`);
  return firstOf(rows, page.limit);
}

/** Goes through names in the order of their users, as far as both kinds were read and no more than a number concern. */
function firstOf(rows: readonly Row[], limit: number): NamesInDomain {
  const users: NameInDomain[] = [];
  const left = { username: mostNames, login_name: mostNames };
  for (const [index, { kind, isConcerned, userId, organizationId }] of rows.entries()) {
    if (isConcerned === 1 && users.at(-1)?.userId !== userId) users.push({ userId, organizationId });
    left[kind]--;
    const isLast = left[kind] === 0 || (users.length === limit && index < rows.length - 1);
    if (isLast) return { users, next: userId };
  }
  return { users, next: undefined };
}

/** Notes that users were told that another organization owns the domain of their names. */
export async function updateToldOfDomain(tx: Tx, domain: string, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`update users set told_of_domain = ${domain}
    where instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`);
}
