import { realPng } from "../../support/data/pictures.ts";

/** Name of the picture that people of the gallery have. */
export const galleryAvatar = `${"a".repeat(32)}.png`;

/** Name of the logo that applications of the gallery have. */
export const galleryLogo = `${"b".repeat(32)}.png`;

// Dark, as a logo that was drawn for white paper.
const logo = realPng(96, 64, { grey: 0x18 });

// Wider than high, so that one sees whether it is stretched.
const body = realPng(160, 80, { grey: 0x66 });

/** What a server of the gallery answers under `/avatars/`. */
export function findGalleryAvatar(path: string) {
  if (path === `/avatars/${galleryLogo}`) return { type: "image/png", body: logo };
  return path === `/avatars/${galleryAvatar}` ? { type: "image/png", body } : undefined;
}
