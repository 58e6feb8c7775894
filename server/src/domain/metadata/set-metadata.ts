import { Fault } from "../../base/fault.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import type { Tx } from "../../database/index.ts";
import { putMetadata, readMetadataLength } from "./metadata.store.ts";
import type { MetadataEntry, MetadataOwner } from "./metadata.ts";

const largestValue = 500_000;
/** Most characters of all pairs of an owner, with values in base64: that of the largest value, and room for others. */
const mostCharacters = 1_000_000;

/**
 * Step: sets pairs, replacing those with the same key, for a caller that holds the owner. Of pairs with the same key,
 * the last one counts. Returns the keys that are new or have a new value.
 */
export async function setMetadata(
  tx: Tx,
  owner: MetadataOwner,
  entries: readonly MetadataEntry[],
): Promise<readonly string[]> {
  for (const entry of entries) checkEntry(entry);
  const pairs = new Map(entries.map(({ key, value }) => [key, Buffer.from(value).toString("base64")]));
  if (pairs.size === 0) return [];
  const before = await readMetadataLength(tx, tx.instanceId, owner);
  const changed = await putMetadata(
    tx,
    owner,
    [...pairs].map(([key, value]) => ({ key, value })),
  );
  if (changed.size > 0) {
    const length = await readMetadataLength(tx, tx.instanceId, owner);
    // More than that may be stored already, and may become less.
    if (length > mostCharacters && length > before) {
      const values = { maximum: mostCharacters };
      throw new Fault("invalid_argument", "metadata.too_large", { field: "metadata", values });
    }
  }
  return [...pairs.keys()].filter((key) => changed.has(key));
}

function checkEntry({ key, value }: MetadataEntry): void {
  if (key.length < 1 || key.length > 200 || hasInvisible(key)) {
    throw new Fault("invalid_argument", "metadata.key_invalid", { field: "metadata.key" });
  }
  if (value.length <= largestValue) return;
  const values = { maximum: largestValue };
  throw new Fault("invalid_argument", "metadata.value_too_long", { field: "metadata.value", values });
}
