import {
  deleteAll,
  join,
  type List,
  list,
  type Page,
  type Reader,
  readList,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import type { ExternalAccount, IdentityLink, LinkKind, ListedIdentityLink } from "./identity-link.ts";

const columns = text(`identity_links.user_id as "userId", identity_links.identity_provider_id as "identityProviderId",
  identity_links.external_user_id as "externalUserId", identity_links.external_username as "externalUsername",
  identity_links.speaker, nullif(identity_links.asserted_in, '') as "assertedIn", identity_links.author,
  identity_links.is_yielding as "isYielding"`);

/**
 * Lists the links of an account that this speaker named, whether they count or not: one that counts everywhere, and one
 * of each organization where the account is a user's of theirs.
 */
export async function listLinksOfAccount(
  reader: Reader,
  instanceId: string,
  account: ExternalAccount & Pick<IdentityLink, "speaker">,
): Promise<readonly IdentityLink[]> {
  return reader.all<IdentityLink>(sql`select ${columns} from identity_links
    where identity_links.instance_id = ${instanceId} and identity_links.identity_provider_id = ${account.identityProviderId}
      and identity_links.external_user_id = ${account.externalUserId} and identity_links.speaker = ${account.speaker}
    order by identity_links.asserted_in`);
}

/** Lists the links of an account with this id from when the provider had another speaker. */
export async function listLinksOfFormerSpeakers(
  reader: Reader,
  instanceId: string,
  account: ExternalAccount & Pick<IdentityLink, "speaker">,
): Promise<readonly IdentityLink[]> {
  return reader.all<IdentityLink>(sql`select ${columns} from identity_links
    where identity_links.instance_id = ${instanceId} and identity_links.identity_provider_id = ${account.identityProviderId}
      and identity_links.external_user_id = ${account.externalUserId} and identity_links.speaker <> ${account.speaker}`);
}

/** Lists the accounts of a user at active providers, that their present speakers named. */
export function listLinksToSpeakers(reader: Reader, instanceId: string, userId: string): Promise<IdentityLink[]> {
  return reader.all<IdentityLink>(sql`select ${columns} from identity_links
    join identity_providers p on p.instance_id = identity_links.instance_id
      and p.identity_provider_id = identity_links.identity_provider_id and p.state = 'active'
      and p.speaker = identity_links.speaker
    where identity_links.instance_id = ${instanceId} and identity_links.user_id = ${userId}`);
}

/**
 * Lists what the accounts of a user at some providers count by in sign-ins for an organization, in whatever state the
 * providers are; those that the user proved come first. At most `limit`.
 */
export function listLinkKinds(
  reader: Reader,
  instanceId: string,
  {
    userId,
    organizationId,
    identityProviderIds,
  }: { readonly userId: string; readonly organizationId: string; readonly identityProviderIds: readonly string[] },
  limit: number,
): Promise<LinkKind[]> {
  return reader.all<LinkKind>(sql`select user_id as "userId", identity_provider_id as "identityProviderId", speaker,
      nullif(asserted_in, '') as "assertedIn", author
    from identity_links where instance_id = ${instanceId} and user_id = ${userId}
      and asserted_in in ${list(["", organizationId])} and identity_provider_id in ${list(identityProviderIds)}
    group by user_id, identity_provider_id, speaker, asserted_in, author
    order by coalesce(author, asserted_in), identity_provider_id, speaker, asserted_in limit ${limit}`);
}

/** Returns how many accounts a user has at providers, suspended ones as well; at most `limit`. */
export async function countLinksOfUser(tx: Tx, userId: string, limit: number): Promise<number> {
  const rows = await tx.all(sql`select 1 as "found" from identity_links
    where instance_id = ${tx.instanceId} and user_id = ${userId} limit ${limit}`);
  return rows.length;
}

/** Links an account to a user; false when the same organization asserted it already, or it is linked everywhere. */
export async function insertIdentityLink(tx: Tx, link: IdentityLink): Promise<boolean> {
  const count =
    await tx.run(sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id,
      external_username, asserted_in, author, is_yielding, created_at, changed_at)
    values (${tx.instanceId}, ${link.identityProviderId}, ${link.speaker}, ${link.externalUserId}, ${link.userId},
      ${link.externalUsername}, ${link.assertedIn ?? ""}, ${link.author}, ${link.isYielding}, ${tx.now}, ${tx.now})
    on conflict do nothing`);
  return count === 1;
}

/**
 * Lets a link by this author count everywhere, from now on, if no other one does; false when nothing changed. It yields
 * where other users have links of the account.
 */
export async function updateLinkScope(
  tx: Tx,
  link: ExternalAccount & Pick<IdentityLink, "speaker" | "userId" | "author">,
): Promise<boolean> {
  const others = sql`select 1 from identity_links other where other.instance_id = ${tx.instanceId}
    and other.identity_provider_id = ${link.identityProviderId} and other.external_user_id = ${link.externalUserId}
    and other.speaker = ${link.speaker}`;
  const count = await tx.run(sql`update identity_links set asserted_in = '', author = null,
      is_yielding = case when exists (${others} and other.user_id <> ${link.userId}) then 1 else 0 end,
      created_at = ${tx.now}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and identity_provider_id = ${link.identityProviderId}
      and external_user_id = ${link.externalUserId} and speaker = ${link.speaker} and user_id = ${link.userId}
      and asserted_in <> '' and author = ${link.author}
      and not exists (${others} and other.asserted_in = '')`);
  return count > 0;
}

/** Deletes one of the links of an account; false when it is gone. */
export async function deleteIdentityLink(tx: Tx, link: IdentityLink): Promise<boolean> {
  const count = await tx.run(sql`delete from identity_links
    where instance_id = ${tx.instanceId} and identity_provider_id = ${link.identityProviderId}
      and external_user_id = ${link.externalUserId} and speaker = ${link.speaker} and user_id = ${link.userId}
      and asserted_in = ${link.assertedIn ?? ""}`);
  return count === 1;
}

/** Updates the name of an account; false when it has not changed. */
export async function updateExternalUsername(
  tx: Tx,
  link: Omit<IdentityLink, "assertedIn" | "author" | "isYielding">,
): Promise<boolean> {
  const count =
    await tx.run(sql`update identity_links set external_username = ${link.externalUsername}, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and identity_provider_id = ${link.identityProviderId}
      and external_user_id = ${link.externalUserId} and user_id = ${link.userId} and speaker = ${link.speaker}
      and external_username <> ${link.externalUsername}`);
  return count === 1;
}

/** Deletes the links between a user and an account, suspended ones as well, and returns them. */
export function deleteIdentityLinks(
  tx: Tx,
  { userId, identityProviderId, externalUserId }: ExternalAccount & { readonly userId: string },
): Promise<IdentityLink[]> {
  return tx.all<IdentityLink>(sql`delete from identity_links
    where identity_links.instance_id = ${tx.instanceId} and identity_links.identity_provider_id = ${identityProviderId}
      and identity_links.external_user_id = ${externalUserId} and identity_links.user_id = ${userId}
    returning ${columns}`);
}

/**
 * Finds the user for whom an account has counted everywhere since before an organization said that it is another
 * user's. One that yields was made when others had said so, so in the same instant it is no earlier one.
 */
export async function findEarlierHolder(
  reader: Reader,
  instanceId: string,
  { assertedIn, ...link }: ExternalAccount & Pick<IdentityLink, "speaker" | "userId" | "assertedIn">,
): Promise<string | undefined> {
  const row = await reader.maybe<{ userId: string }>(sql`select holder.user_id as "userId" from identity_links
    join identity_links holder on holder.instance_id = identity_links.instance_id
      and holder.identity_provider_id = identity_links.identity_provider_id
      and holder.external_user_id = identity_links.external_user_id and holder.speaker = identity_links.speaker
      and holder.asserted_in = '' and holder.user_id <> identity_links.user_id
      and holder.created_at <= identity_links.created_at - holder.is_yielding
    where identity_links.instance_id = ${instanceId} and holder.instance_id = ${instanceId}
      and identity_links.identity_provider_id = ${link.identityProviderId}
      and identity_links.external_user_id = ${link.externalUserId} and identity_links.speaker = ${link.speaker}
      and identity_links.user_id = ${link.userId} and identity_links.asserted_in = ${assertedIn ?? ""}`);
  return row?.userId;
}

/** Lists all links of a user, whatever they count for. */
export function listEveryLink(tx: Tx, userId: string): Promise<IdentityLink[]> {
  return tx.all<IdentityLink>(sql`select ${columns} from identity_links
    where identity_links.instance_id = ${tx.instanceId} and identity_links.user_id = ${userId}`);
}

/** Lists the links of a user, in the order in which they were created. */
export async function listIdentityLinksOfUser(
  reader: Reader,
  instanceId: string,
  userId: string,
  order: { readonly page: Page; readonly isDescending: boolean },
): Promise<List<ListedIdentityLink>> {
  const { rows, total } = await readList<ListedRow>(reader, {
    columns: sql`${columns}, p.name as "providerName", p.kind as "providerKind",
      case when p.speaker = identity_links.speaker then 0 else 1 end as "isSuspended"`,
    from: sql`identity_links join identity_providers p
      on p.instance_id = identity_links.instance_id and p.identity_provider_id = identity_links.identity_provider_id`,
    where: [sql`identity_links.instance_id = ${instanceId} and identity_links.user_id = ${userId}`],
    orderBy: text("identity_links.created_at"),
    id: text(
      "identity_links.identity_provider_id || '/' || identity_links.external_user_id || '/' || identity_links.speaker",
    ),
    ...order,
  });
  return { rows: rows.map((row) => ({ ...row, isSuspended: row.isSuspended === 1 })), total };
}

interface ListedRow extends Omit<ListedIdentityLink, "isSuspended"> {
  readonly isSuspended: number;
}

/** Deletes every link of a user. */
export function deleteIdentityLinksOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("identity_links"), where });
}

/** Whether a user has this verified address, and their organization has proven its domain. */
export async function hasAddressInProvenDomain(
  reader: Reader,
  instanceId: string,
  { userId, emailKey }: { readonly userId: string; readonly emailKey: string },
): Promise<boolean> {
  const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
  const row = await reader.maybe<{ found: number }>(sql`select 1 as "found" from users u
    join organization_domains d on d.instance_id = u.instance_id and d.organization_id = u.organization_id
      and d.domain = ${domain} and d.is_proven = 1
    where u.instance_id = ${instanceId} and u.user_id = ${userId} and u.email_key = ${emailKey}
      and u.is_email_verified = 1`);
  return row !== undefined;
}

/** Lists links with a provider, with the organizations of their users, user by user; at most `limit`. */
export function listLinksOfProvider(
  tx: Tx,
  identityProviderId: string,
  limit: number,
): Promise<(IdentityLink & { readonly organizationId: string })[]> {
  return tx.all(sql`select ${columns}, u.organization_id as "organizationId" from identity_links
    join users u on u.instance_id = identity_links.instance_id and u.user_id = identity_links.user_id
    where identity_links.instance_id = ${tx.instanceId} and identity_links.identity_provider_id = ${identityProviderId}
    order by identity_links.user_id, identity_links.external_user_id limit ${limit}`);
}

/** Deletes links with a provider by the accounts there, of the given users. */
export async function deleteLinksOfProvider(
  tx: Tx,
  identityProviderId: string,
  links: readonly Pick<IdentityLink, "userId" | "externalUserId">[],
): Promise<void> {
  const keys = links.map(({ userId, externalUserId }) => sql`(${userId}, ${externalUserId})`);
  await tx.run(sql`delete from identity_links
    where instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}
      and (user_id, external_user_id) in (values ${join(keys, ", ")})`);
}
