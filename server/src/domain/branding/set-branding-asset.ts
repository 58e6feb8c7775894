import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { type BrandingAssetSlot, writeSettings } from "../settings/index.ts";
import { insertAsset } from "./branding-asset.store.ts";
import { keepAssets } from "./keep-assets.ts";
import { readAsset } from "./read-asset.ts";
import { requireOwn } from "./require-own.ts";

export interface SetBrandingAsset {
  /** Empty for the instance. */
  readonly organizationId: string;
  readonly slot: BrandingAssetSlot;
  readonly bytes: Buffer;
}

/**
 * Puts a picture or the font into the draft of a look. Rejects files of the wrong type, and organizations without a
 * look of their own.
 */
export function setBrandingAsset(
  deps: { readonly database: Database },
  call: Call,
  { organizationId, slot, bytes }: SetBrandingAsset,
): Promise<Details> {
  const { fileName, contentType } = readAsset(slot, bytes);
  const content = bytes.toString("base64");
  return deps.database.change(call, async (tx) => {
    const details = await writeSettings(tx, {
      kind: "branding",
      ...(organizationId !== "" && { organizationId }),
      change: ({ draft, ...current }, isOwn) => {
        requireOwn(organizationId, isOwn);
        const base = draft ?? current;
        return { ...current, draft: { ...base, assets: { ...base.assets, [slot]: fileName } } };
      },
    });
    await insertAsset(tx, { organizationId, fileName, contentType, content });
    await keepAssets(tx, organizationId);
    return details;
  });
}
