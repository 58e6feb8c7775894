import {
  type List,
  list as oneOf,
  type Page,
  type Reader,
  readList,
  rowLock,
  sql,
  type Tx,
  text,
} from "../../database/index.ts";
import type {
  MessageProvider,
  ProviderChannel,
  ProviderConfiguration,
  ProviderKind,
  ProviderState,
} from "./message-provider.ts";

const columns = text(`provider_id as "providerId", channel, state, description, configuration,
  sealed_secret as "sealedSecret", sequence, created_at as "createdAt", changed_at as "changedAt"`);

interface Row {
  readonly providerId: string;
  readonly channel: ProviderChannel;
  readonly state: ProviderState;
  readonly description: string;
  readonly configuration: string;
  readonly sealedSecret: string | null;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export interface ProviderListQuery {
  readonly channel: ProviderChannel;
  readonly kinds: readonly ProviderKind[];
  readonly isDescending: boolean;
  readonly page: Page;
}

/** Lists the providers of an instance by creation. */
export async function listProviderRows(
  reader: Reader,
  instanceId: string,
  query: ProviderListQuery,
): Promise<List<MessageProvider>> {
  const { rows, total } = await readList<Row>(reader, {
    columns,
    from: text("message_providers"),
    where: [sql`instance_id = ${instanceId}`, sql`channel = ${query.channel}`, sql`kind in ${oneOf(query.kinds)}`],
    orderBy: text("created_at"),
    id: text("provider_id"),
    isDescending: query.isDescending,
    page: query.page,
    weight: text("length(configuration)"),
  });
  return { rows: rows.map((row) => toProvider(instanceId, row)), total };
}

export async function findProvider(
  reader: Reader,
  instanceId: string,
  key: { readonly channel: ProviderChannel; readonly providerId: string },
): Promise<MessageProvider | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from message_providers
    where instance_id = ${instanceId} and provider_id = ${key.providerId} and channel = ${key.channel}`);
  return row && toProvider(instanceId, row);
}

/** Finds the active provider. */
export async function findActiveProvider(
  reader: Reader,
  instanceId: string,
  channel: ProviderChannel,
): Promise<MessageProvider | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from message_providers
    where instance_id = ${instanceId} and channel = ${channel} and state = 'active'`);
  return row && toProvider(instanceId, row);
}

/** Returns the providers of a channel, locked until the unit of work ends, so that they change one after the other. */
export async function holdProviders(tx: Tx, channel: ProviderChannel): Promise<MessageProvider[]> {
  const rows = await tx.all<Row>(sql`select ${columns} from message_providers
    where instance_id = ${tx.instanceId} and channel = ${channel} order by provider_id ${rowLock(tx, "alone")}`);
  return rows.map((row) => toProvider(tx.instanceId, row));
}

export async function insertProvider(
  tx: Tx,
  provider: Pick<MessageProvider, "providerId" | "channel" | "description" | "configuration" | "sealedSecret">,
): Promise<MessageProvider> {
  const row =
    await tx.maybe<Row>(sql`insert into message_providers (instance_id, provider_id, channel, kind, state, description,
      configuration, sealed_secret, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${provider.providerId}, ${provider.channel}, ${provider.configuration.kind}, 'inactive',
      ${provider.description}, ${JSON.stringify(provider.configuration)}, ${provider.sealedSecret}, 1, ${tx.now}, ${tx.now})
    returning ${columns}`);
  return toProvider(tx.instanceId, row as Row);
}

/** Replaces the values of a provider, except for its state. Its row is locked. */
export async function updateProviderRow(
  tx: Tx,
  provider: Pick<MessageProvider, "providerId" | "description" | "configuration" | "sealedSecret">,
): Promise<MessageProvider> {
  const row = await tx.maybe<Row>(sql`update message_providers
    set description = ${provider.description}, configuration = ${JSON.stringify(provider.configuration)},
      sealed_secret = ${provider.sealedSecret}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and provider_id = ${provider.providerId}
    returning ${columns}`);
  return toProvider(tx.instanceId, row as Row);
}

/** Sets the state of a provider with a locked row. */
export async function updateProviderState(tx: Tx, providerId: string, state: ProviderState): Promise<MessageProvider> {
  const row = await tx.maybe<Row>(sql`update message_providers
    set state = ${state}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and provider_id = ${providerId}
    returning ${columns}`);
  return toProvider(tx.instanceId, row as Row);
}

export async function deleteProvider(tx: Tx, providerId: string): Promise<void> {
  await tx.run(sql`delete from message_providers where instance_id = ${tx.instanceId} and provider_id = ${providerId}`);
}

function toProvider(instanceId: string, row: Row): MessageProvider {
  const { sequence, createdAt, changedAt, configuration, ...rest } = row;
  return {
    ...rest,
    configuration: JSON.parse(configuration) as ProviderConfiguration,
    details: { sequence, createdAt, changedAt, ownerId: instanceId },
  };
}
