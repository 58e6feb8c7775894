import type { BrandingAssetSlot, BrandingAssets } from "../settings/index.ts";

/** Path under which a file of a look is served, and may be kept for ever. */
export const pathOfAsset = (fileName: string): string => `/branding/${fileName}`;

/** Address of what is in a slot; empty where nothing is. */
export const urlOfAsset = (origin: string, assets: BrandingAssets | undefined, slot: BrandingAssetSlot): string => {
  const fileName = assets?.[slot];
  return fileName === undefined ? "" : origin + pathOfAsset(fileName);
};
