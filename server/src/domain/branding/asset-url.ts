import type { BrandingAssetSlot, BrandingAssets } from "../settings/index.ts";

/** Returns the path under which a branding file is served; it may be cached forever. */
export const pathOfAsset = (fileName: string): string => `/branding/${fileName}`;

/** Returns the address of the file in a slot; empty when the slot is empty. */
export const urlOfAsset = (origin: string, assets: BrandingAssets | undefined, slot: BrandingAssetSlot): string => {
  const fileName = assets?.[slot];
  return fileName === undefined ? "" : origin + pathOfAsset(fileName);
};
