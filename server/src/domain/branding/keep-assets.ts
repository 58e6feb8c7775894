import type { Tx } from "../../database/index.ts";
import { type BrandingSettings, readSettings } from "../settings/index.ts";
import { copyAssetOfInstance, deleteAsset, listAssetNames } from "./branding-asset.store.ts";

/**
 * Step: after a look was written, keeps exactly the files that the look and its draft name. An organization whose look
 * begins as that of its instance gets copies, so that later changes of the instance do not remove them.
 */
export async function keepAssets(tx: Tx, organizationId: string): Promise<void> {
  const scope = { instanceId: tx.instanceId, ...(organizationId !== "" && { organizationId }) };
  const named = namesIn((await readSettings(tx, "branding", scope)).settings);
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
