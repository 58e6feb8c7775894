export { type Brand, brandOf, builtInBrand, type Pair } from "./brand.ts";
export { createFindBrand, type FindBrand } from "./brand-reader.ts";
export { deleteAssetsOfOrganization } from "./branding-asset.store.ts";
export { builtInPalettes } from "./built-in-palettes.ts";
export { type BrandingFile, findBrandingFile, getBrandingAsset } from "./get-branding-asset.ts";
export { type Palette, paletteOf } from "./palette.ts";
export { largestPicture } from "./read-asset.ts";
export { setBrandingAsset } from "./set-branding-asset.ts";
