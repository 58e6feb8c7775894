import { canonicalName } from "../../base/names/canonical.ts";
import type { Positions } from "../../call/index.ts";
import { list as oneOf, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type {
  AutoLinking,
  IdentityProvider,
  IdentityProviderState,
  ProviderOptions,
  ProviderSummary,
} from "./identity-provider.ts";
import type { ProviderConfiguration, ProviderKind } from "./provider-kinds.ts";

/** Columns of a row, named for `toIdentityProvider`. */
export const providerColumns = text(`identity_provider_id as "identityProviderId",
  organization_id as "ownerOrganizationId", name, state, is_linking_allowed as "isLinkingAllowed",
  is_creation_allowed as "isCreationAllowed", is_auto_creation as "isAutoCreation", is_auto_update as "isAutoUpdate",
  auto_linking as "autoLinking", configuration, speaker, answered_with as "answeredBy", sealed_secret as "sealedSecret", sequence, created_at as "createdAt",
  changed_at as "changedAt"`);

/** Those of a summary. */
const summaryColumns = text(`identity_provider_id as "identityProviderId", organization_id as "ownerOrganizationId",
  name, kind, state, is_linking_allowed as "isLinkingAllowed", is_creation_allowed as "isCreationAllowed",
  is_auto_creation as "isAutoCreation", is_auto_update as "isAutoUpdate", auto_linking as "autoLinking"`);

const isOwnerActive = (
  instanceId: string,
): Sql => sql`case when organization_id = '' or exists (select 1 from organizations o
    where o.instance_id = ${instanceId} and o.organization_id = identity_providers.organization_id
      and o.state = 'active') then 1 else 0 end as "isOwnerActive"`;

interface OwnedRow {
  readonly isOwnerActive: number;
}

interface OptionsRow {
  readonly isLinkingAllowed: number;
  readonly isCreationAllowed: number;
  readonly isAutoCreation: number;
  readonly isAutoUpdate: number;
  readonly autoLinking: AutoLinking;
}

interface SummaryRow extends OptionsRow {
  readonly identityProviderId: string;
  readonly ownerOrganizationId: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly state: IdentityProviderState;
}

export interface ProviderRow extends Omit<SummaryRow, "kind"> {
  readonly configuration: string;
  readonly speaker: string;
  readonly answeredBy: string | null;
  readonly sealedSecret: string | null;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function toIdentityProvider(instanceId: string, row: ProviderRow): IdentityProvider {
  const { identityProviderId, ownerOrganizationId, name, state, speaker, sealedSecret } = row;
  const { sequence, createdAt, changedAt } = row;
  return {
    identityProviderId,
    instanceId,
    ownerOrganizationId,
    name,
    state,
    speaker,
    answeredBy: row.answeredBy === null ? undefined : (JSON.parse(row.answeredBy) as Positions[]),
    sealedSecret,
    options: toOptions(row),
    configuration: JSON.parse(row.configuration) as ProviderConfiguration,
    details: { sequence, createdAt, changedAt, ownerId: ownerOrganizationId || instanceId },
  };
}

const toOptions = (row: OptionsRow): ProviderOptions => ({
  isLinkingAllowed: row.isLinkingAllowed === 1,
  isCreationAllowed: row.isCreationAllowed === 1,
  isAutoCreation: row.isAutoCreation === 1,
  isAutoUpdate: row.isAutoUpdate === 1,
  autoLinking: row.autoLinking,
});

/** The state for signing in: a provider counts as inactive while its organization is inactive. */
const usableState = (row: OwnedRow & Pick<SummaryRow, "state">): IdentityProviderState =>
  row.isOwnerActive === 1 ? row.state : "inactive";

/**
 * Step: finds the provider with this id, of any owner and in any state. It counts as inactive while its organization
 * is. A caller that signs users in with it must check owner and state.
 */
export async function findIdentityProvider(
  reader: Reader,
  instanceId: string,
  identityProviderId: string,
): Promise<IdentityProvider | undefined> {
  const row = await reader.maybe<ProviderRow & OwnedRow>(sql`select ${providerColumns},
      ${isOwnerActive(instanceId)} from identity_providers
    where instance_id = ${instanceId} and identity_provider_id = ${identityProviderId}`);
  return row && toIdentityProvider(instanceId, { ...row, state: usableState(row) });
}

/** Finds the provider with this id, in the state that is stored. */
export async function findWrittenProvider(
  reader: Reader,
  instanceId: string,
  identityProviderId: string,
): Promise<IdentityProvider | undefined> {
  const row = await reader.maybe<ProviderRow>(sql`select ${providerColumns} from identity_providers
    where instance_id = ${instanceId} and identity_provider_id = ${identityProviderId}`);
  return row && toIdentityProvider(instanceId, row);
}

interface NamedProviders {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

const isAmong = ({ organizationId, ids }: NamedProviders): Sql =>
  sql`identity_provider_id in ${oneOf(ids)} and organization_id in ${oneOf(["", organizationId])}`;

/**
 * Lists those of the providers that an organization can use, its own and the instance's; only the instance's when the
 * id is empty.
 */
export async function listUsableProviders(
  reader: Reader,
  instanceId: string,
  named: NamedProviders,
): Promise<ProviderSummary[]> {
  if (named.ids.length === 0) return [];
  const rows = await reader.all<SummaryRow & OwnedRow>(sql`select ${summaryColumns},
      ${isOwnerActive(instanceId)} from identity_providers
    where instance_id = ${instanceId} and ${isAmong(named)}`);
  return rows.map((row) => {
    const { identityProviderId, ownerOrganizationId, name, kind } = row;
    return { identityProviderId, ownerOrganizationId, name, kind, state: usableState(row), options: toOptions(row) };
  });
}

/** Lists the same providers in full and in the state that is stored, also while their organization is inactive. */
export async function listWrittenProviders(
  reader: Reader,
  instanceId: string,
  named: NamedProviders,
): Promise<IdentityProvider[]> {
  if (named.ids.length === 0) return [];
  const rows = await reader.all<ProviderRow>(sql`select ${providerColumns} from identity_providers
    where instance_id = ${instanceId} and ${isAmong(named)}`);
  return rows.map((row) => toIdentityProvider(instanceId, row));
}

/** Returns the provider of an owner, locked until the unit of work ends. */
export async function holdIdentityProvider(
  tx: Tx,
  { ownerOrganizationId, identityProviderId }: Pick<IdentityProvider, "ownerOrganizationId" | "identityProviderId">,
): Promise<IdentityProvider | undefined> {
  const row = await tx.maybe<ProviderRow>(sql`select ${providerColumns} from identity_providers
    where instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}
      and organization_id = ${ownerOrganizationId} ${rowLock(tx, "alone")}`);
  return row && toIdentityProvider(tx.instanceId, row);
}

/** Writes a provider, new or changed. Its row is locked, or its id is still unknown to other callers. */
export async function putIdentityProvider(
  tx: Tx,
  provider: Omit<IdentityProvider, "details">,
  sequence: number,
): Promise<IdentityProvider> {
  const { options, configuration, name } = provider;
  const row = await tx.maybe<ProviderRow>(sql`insert into identity_providers (instance_id, identity_provider_id,
      organization_id, kind, name, name_key, state, is_linking_allowed, is_creation_allowed, is_auto_creation,
      is_auto_update, auto_linking, configuration, speaker, answered_with, sealed_secret, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${provider.identityProviderId}, ${provider.ownerOrganizationId}, ${configuration.kind},
      ${name}, ${canonicalName(name)}, ${provider.state}, ${Number(options.isLinkingAllowed)},
      ${Number(options.isCreationAllowed)}, ${Number(options.isAutoCreation)}, ${Number(options.isAutoUpdate)},
      ${options.autoLinking}, ${JSON.stringify(configuration)}, ${provider.speaker},
      ${provider.answeredBy === undefined ? null : JSON.stringify(provider.answeredBy)}, ${provider.sealedSecret}, ${sequence}, ${tx.now},
      ${tx.now})
    on conflict (instance_id, identity_provider_id) do update
      set kind = excluded.kind, name = excluded.name, name_key = excluded.name_key, state = excluded.state,
        is_linking_allowed = excluded.is_linking_allowed, is_creation_allowed = excluded.is_creation_allowed,
        is_auto_creation = excluded.is_auto_creation, is_auto_update = excluded.is_auto_update,
        auto_linking = excluded.auto_linking, configuration = excluded.configuration,
        speaker = excluded.speaker, answered_with = excluded.answered_with,
        sealed_secret = excluded.sealed_secret, sequence = excluded.sequence, changed_at = excluded.changed_at
    returning ${providerColumns}`);
  return toIdentityProvider(tx.instanceId, row as ProviderRow);
}

/**
 * Names the speaker of the links from before speakers were kept: until now it was this one, and from now on it is
 * another.
 */
export async function nameFormerSpeaker(tx: Tx, identityProviderId: string, speaker: string): Promise<void> {
  await tx.run(sql`update identity_links set speaker = ${speaker}
    where instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId} and speaker = ''`);
}

export async function deleteIdentityProviderRow(tx: Tx, identityProviderId: string): Promise<void> {
  await tx.run(sql`delete from identity_providers
    where instance_id = ${tx.instanceId} and identity_provider_id = ${identityProviderId}`);
}

/** Step: removes the providers of an organization that is being deleted. Returns their ids. */
export async function deleteProvidersOfOrganization(tx: Tx, organizationId: string): Promise<readonly string[]> {
  const rows = await tx.all<{ id: string }>(sql`delete from identity_providers
    where instance_id = ${tx.instanceId} and organization_id = ${organizationId}
    returning identity_provider_id as "id"`);
  return rows.map(({ id }) => id);
}
