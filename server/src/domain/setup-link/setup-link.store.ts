import {
  deleteAll,
  type EndedRows,
  type List,
  type Page,
  type Reader,
  readList,
  rowLock,
  type Sql,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import { type SetupLink, type SetupPart, sessionLifetime } from "./setup-link.ts";

interface Row {
  readonly linkId: string;
  readonly organizationId: string;
  readonly creatorId: string;
  readonly creatorTokenId: string | null;
  readonly parts: string;
  readonly openedAt: number | null;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly finishedAt: number | null;
  readonly identityProviderId: string | null;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

const columns: Sql = text(`link_id as "linkId", organization_id as "organizationId", creator_id as "creatorId",
  creator_token_id as "creatorTokenId", parts, opened_at as "openedAt", expires_at as "expiresAt", revoked_at as "revokedAt",
  finished_at as "finishedAt", identity_provider_id as "identityProviderId", sequence, created_at as "createdAt", changed_at as "changedAt"`);

const toLink = ({
  creatorTokenId,
  parts,
  openedAt,
  revokedAt,
  finishedAt,
  identityProviderId,
  ...row
}: Row): SetupLink => ({
  ...row,
  creatorTokenId: creatorTokenId ?? undefined,
  parts: JSON.parse(parts) as SetupPart[],
  openedAt: openedAt ?? undefined,
  revokedAt: revokedAt ?? undefined,
  finishedAt: finishedAt ?? undefined,
  identityProviderId: identityProviderId ?? undefined,
});

export function insertLink(tx: Tx, link: SetupLink, codeHash: string): void {
  tx.write(sql`insert into setup_links (instance_id, link_id, organization_id, creator_id, creator_token_id,
      parts, code_hash, expires_at, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${link.linkId}, ${link.organizationId}, ${link.creatorId}, ${link.creatorTokenId ?? null},
      ${JSON.stringify(link.parts)}, ${codeHash}, ${link.expiresAt}, ${link.sequence}, ${link.createdAt},
      ${link.changedAt})`);
}

/** Counts the links of an organization that have not ended. */
export async function countOpenLinks(tx: Tx, organizationId: string): Promise<number> {
  const row = await tx.maybe<{ count: number }>(sql`select count(*) as "count" from setup_links
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId} and revoked_at is null
      and expires_at > ${tx.now}`);
  return Number(row?.count ?? 0);
}

export async function findLink(reader: Reader, instanceId: string, linkId: string): Promise<SetupLink | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from setup_links
    where instance_id = ${instanceId} and link_id = ${linkId}`);
  return row && toLink(row);
}

/** Finds a link by what is in it, whatever became of it. */
export async function findLinkByCode(
  reader: Reader,
  instanceId: string,
  codeHash: string,
): Promise<SetupLink | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from setup_links
    where instance_id = ${instanceId} and code_hash = ${codeHash}`);
  return row && toLink(row);
}

/** Finds the link that a browser has open. */
export async function findOpenLink(
  reader: Reader,
  { instanceId, now }: { readonly instanceId: string; readonly now: number },
  sessionHash: string,
): Promise<SetupLink | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from setup_links
    where instance_id = ${instanceId} and session_hash = ${sessionHash} and session_expires_at > ${now}
      and expires_at > ${now} and revoked_at is null`);
  return row && toLink(row);
}

/**
 * Opens a link in the first browser that presents it, or once more in the same one (`presentedHash`). Returns it as it
 * is then; undefined when another browser was first, or the link has ended.
 */
export async function consumeLink(
  tx: Tx,
  { codeHash, sessionHash, presentedHash }: LinkOpening,
): Promise<SetupLink | undefined> {
  const presented = presentedHash ?? "";
  const row = await tx.maybe<Row>(sql`update setup_links set session_hash = coalesce(session_hash, ${sessionHash}),
      session_expires_at = ${tx.now + sessionLifetime}, opened_at = coalesce(opened_at, ${tx.now}),
      sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and code_hash = ${codeHash} and revoked_at is null and expires_at > ${tx.now}
      and (session_hash is null or session_hash = ${presented})
    returning ${columns}`);
  return row && toLink(row);
}

interface LinkOpening {
  readonly codeHash: string;
  /** Of the secret that the first browser is given. */
  readonly sessionHash: string;
  /** Of the secret that the browser has already. */
  readonly presentedHash: string | undefined;
}

/**
 * Whether a browser has the link open still; it stays so until the unit of work ends. `alone`: for a unit that changes
 * the link afterwards.
 */
export async function holdOpenLink(
  tx: Tx,
  { linkId, sessionHash }: { readonly linkId: string; readonly sessionHash: string },
  hold: "share" | "alone",
): Promise<boolean> {
  const row = await tx.maybe(sql`select 1 as "found" from setup_links
    where instance_id = ${tx.instanceId} and link_id = ${linkId} and session_hash = ${sessionHash}
      and session_expires_at > ${tx.now} and expires_at > ${tx.now} and revoked_at is null ${rowLock(tx, hold)}`);
  return row !== undefined;
}

/**
 * Makes the provider that this unit of work has just added that of the link; false when the link has one that is still
 * there. The organization is held, so the newest provider is that one.
 */
export async function claimProvider(
  tx: Tx,
  { linkId, organizationId }: Pick<SetupLink, "linkId" | "organizationId">,
): Promise<boolean> {
  const count = await tx.run(sql`update setup_links set identity_provider_id = (select p.identity_provider_id
      from identity_providers p where p.instance_id = ${tx.instanceId} and p.organization_id = ${organizationId}
      order by p.sequence desc limit 1)
    where instance_id = ${tx.instanceId} and link_id = ${linkId} and not exists (select 1 from identity_providers p
      where p.instance_id = ${tx.instanceId} and p.identity_provider_id = setup_links.identity_provider_id)`);
  return count === 1;
}

/** Whether the provider that was added with a link is still there. */
export async function hasProvider(
  reader: Reader,
  instanceId: string,
  { identityProviderId }: Pick<SetupLink, "identityProviderId">,
): Promise<boolean> {
  if (identityProviderId === undefined) return false;
  const row = await reader.maybe(sql`select 1 as "found" from identity_providers
    where instance_id = ${instanceId} and identity_provider_id = ${identityProviderId}`);
  return row !== undefined;
}

/** Ends a link because its holder is done. Returns its new sequence; undefined when it had ended. */
export async function finishLinkRow(tx: Tx, linkId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update setup_links set revoked_at = ${tx.now},
      finished_at = ${tx.now}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and link_id = ${linkId} and revoked_at is null and expires_at > ${tx.now}
    returning sequence`);
  return row?.sequence;
}

/**
 * Revokes a link that has not ended, or that its holder ended. Returns its new sequence; undefined when it had been
 * revoked or had expired.
 */
export async function revokeLinkRow(tx: Tx, linkId: string): Promise<number | undefined> {
  const row = await tx.maybe<{ sequence: number }>(sql`update setup_links set revoked_at = ${tx.now},
      finished_at = null, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and link_id = ${linkId}
      and (finished_at is not null or (revoked_at is null and expires_at > ${tx.now}))
    returning sequence`);
  return row?.sequence;
}

/** Returns one page of the links of an organization, by their creation. */
export async function listLinkRows(
  reader: Reader,
  instanceId: string,
  wanted: { readonly organizationId: string; readonly page: Page; readonly isDescending: boolean },
): Promise<List<SetupLink>> {
  const { organizationId, page, isDescending } = wanted;
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("setup_links"),
    where: [sql`instance_id = ${instanceId} and organization_id = ${organizationId}`],
    orderBy: text("created_at"),
    id: text("link_id"),
    isDescending,
    page,
  });
  return { rows: rows.map(toLink), total };
}

/**
 * Whether the creator of a link is active, in an active organization, the organization of the link is active as well,
 * and the personal access token with which it was created, if it was one, still works.
 */
export async function isEverythingActive(
  reader: Reader,
  { instanceId, now }: { readonly instanceId: string; readonly now: number },
  { creatorId, creatorTokenId, organizationId }: Pick<SetupLink, "creatorId" | "creatorTokenId" | "organizationId">,
): Promise<boolean> {
  const isTokenLeft =
    creatorTokenId === undefined
      ? sql``
      : sql`and exists (select 1 from personal_access_tokens t where t.instance_id = ${instanceId}
          and t.token_id = ${creatorTokenId} and t.user_id = u.user_id and t.expires_at > ${now})`;
  const row = await reader.maybe(sql`select 1 as "found" from users u
    where u.instance_id = ${instanceId} and u.user_id = ${creatorId} and u.state = 'active'
      and (select o.state from organizations o
        where o.instance_id = ${instanceId} and o.organization_id = u.organization_id) = 'active'
      and (select o.state from organizations o
        where o.instance_id = ${instanceId} and o.organization_id = ${organizationId}) = 'active' ${isTokenLeft}`);
  return row !== undefined;
}

/** Returns the organization that a user belongs to. */
export async function findHome(reader: Reader, instanceId: string, userId: string): Promise<string | undefined> {
  const row = await reader.maybe<{ organizationId: string }>(sql`select organization_id as "organizationId" from users
    where instance_id = ${instanceId} and user_id = ${userId}`);
  return row?.organizationId;
}

/** Step: deletes the links of an organization. */
export const deleteLinksOfOrganization = (tx: Tx, organizationId: string): Promise<void> =>
  deleteAll(tx, {
    table: text("setup_links"),
    where: sql`instance_id = ${tx.instanceId} and organization_id = ${organizationId}`,
  });

/** Links that would have ended before the instant in any case. */
export const formerSetupLinks = (before: number): EndedRows => ({
  table: text("setup_links"),
  where: () => sql`expires_at < ${before}`,
});
