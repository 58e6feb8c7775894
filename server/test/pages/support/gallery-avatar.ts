import { realPng } from "../../support/pictures.ts";

/** Name of the picture that people of the gallery have. */
export const galleryAvatar = `${"a".repeat(32)}.png`;

// Wider than high, so that one sees whether it is stretched.
const body = realPng(160, 80, { grey: 0x66 });

/** What a server of the gallery answers under `/avatars/`. */
export const findGalleryAvatar = (path: string) =>
  path === `/avatars/${galleryAvatar}` ? { type: "image/png", body } : undefined;
