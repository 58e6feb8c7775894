import type { Tx } from "../../database/index.ts";
import { type BrandingSettings, readSettings } from "../settings/index.ts";
import { copyAssetOfInstance, deleteAsset, listAssetNames } from "./branding-asset.store.ts";

/**
 * Step: after the look of a place was written, its files are those that the look and its draft name. An organization that begins with the look
 * of its instance gets copies, so that nothing that the instance does later takes them away.
 */
export async function keepAssets(tx: Tx, organizationId: string): Promise<void> {
  const place = { instanceId: tx.instanceId, ...(organizationId !== "" && { organizationId }) };
  const named = namesIn((await readSettings(tx, "branding", place)).settings);
  const kept = new Set(await listAssetNames(tx, organizationId));
  for (const fileName of named) {
    if (!kept.has(fileName)) await copyAssetOfInstance(tx, { organizationId, fileName });
  }
  for (const fileName of kept) {
    if (!named.has(fileName)) await deleteAsset(tx, { organizationId, fileName });
  }
}

const namesIn = ({ assets, draft }: BrandingSettings): Set<string> =>
  new Set([...Object.values(assets ?? {}), ...Object.values(draft?.assets ?? {})]);
