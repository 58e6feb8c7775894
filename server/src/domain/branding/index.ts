export { activateBranding } from "./activate-branding.ts";
export { urlOfAsset } from "./asset-url.ts";
export { type Brand, brandOf, builtInBrand, type Pair } from "./brand.ts";
export { createFindBrand, type FindBrand, findDraftBrand, type OwnedBrand, type WantedLook } from "./brand-reader.ts";
export { deleteAssetsOfOrganization } from "./branding-asset.store.ts";
export { builtInPalettes } from "./built-in-palettes.ts";
export {
  type BrandingFile,
  createFindSharedBrandingFile,
  type FindSharedBrandingFile,
  getBrandingAsset,
} from "./get-branding-asset.ts";
export { type Palette, paletteOf } from "./palette.ts";
export { formatOfFont, largestPicture } from "./read-asset.ts";
export { removeBrandingAsset } from "./remove-branding-asset.ts";
export { resetBranding } from "./reset-branding.ts";
export { setBrandingAsset } from "./set-branding-asset.ts";
export { updateBranding } from "./update-branding.ts";
export { writeDraft } from "./write-draft.ts";
