import { type Details, type Reader, rowLock, type Sql, sql, type Tx, text } from "../../database/index.ts";
import type { FeatureLevel, Features } from "./feature.ts";

/** The flags set at a level. */
export interface StoredFeatures {
  readonly flags: Features;
  readonly details: Omit<Details, "ownerId">;
}

const columns = text(`flags, sequence, created_at as "createdAt", changed_at as "changedAt"`);

interface Row {
  readonly flags: string;
  readonly sequence: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

export function findFeatures(
  reader: Reader,
  instanceId: string,
  level: FeatureLevel,
): Promise<StoredFeatures | undefined> {
  return select(reader, instanceId, level, text(""));
}

/** Returns the flags of a level of the unit's instance, locked until the unit of work ends. */
export function holdFeatures(tx: Tx, level: FeatureLevel): Promise<StoredFeatures | undefined> {
  return select(tx, tx.instanceId, level, rowLock(tx, "alone"));
}

/** Inserts the row of a level, unless it exists, without flags and without history. */
export async function insertFeatures(tx: Tx, level: FeatureLevel): Promise<void> {
  await tx.run(sql`insert into features (instance_id, level, flags, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${level}, '{}', 0, ${tx.now}, ${tx.now}) on conflict do nothing`);
}

/** Replaces the flags of a level with a locked row. */
export async function updateFeatures(tx: Tx, level: FeatureLevel, flags: Features): Promise<StoredFeatures> {
  const row = await tx.maybe<Row>(sql`update features
    set flags = ${JSON.stringify(flags)}, sequence = sequence + 1, changed_at = ${tx.now}
    where instance_id = ${tx.instanceId} and level = ${level} returning ${columns}`);
  return toStored(row as Row);
}

async function select(
  reader: Reader,
  instanceId: string,
  level: FeatureLevel,
  lock: Sql,
): Promise<StoredFeatures | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from features
    where instance_id = ${instanceId} and level = ${level} ${lock}`);
  return row && toStored(row);
}

const toStored = ({ flags, ...details }: Row): StoredFeatures => ({ flags: JSON.parse(flags) as Features, details });
