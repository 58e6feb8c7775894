import { createHash } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { readPicture } from "../../base/picture/picture.ts";
import type { BrandingAssetSlot } from "../settings/index.ts";

/** A file that was checked. */
export interface ReadAsset {
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Largest sizes of a picture and of a font, in bytes. */
export const largestPicture = 512 * 1024;
const largestFont = 256 * 1024;

// Small files can unfold into pictures that exhaust the memory of the browsers that show them, so each side is bounded.
const longestSide = 4096;
// Largest size of a font when unfolded (declared in the WOFF2 header).
const largestUnfolded = 8 * 1024 * 1024;

/** Checks a file for a slot. Rejects files of other types, judged by their bytes and not by the declared type. */
export function readAsset(slot: BrandingAssetSlot, bytes: Buffer): ReadAsset {
  const largest = slot === "font" ? largestFont : largestPicture;
  if (bytes.length > largest) {
    throw new Fault("invalid_argument", "branding.file_too_large", {
      field: "file",
      values: { maximum: Math.floor(largest / 1024) },
    });
  }
  const { contentType, ending } = slot === "font" ? readFont(bytes) : readBoundedPicture(bytes);
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return { fileName: `${hash}.${ending}`, contentType, bytes };
}

function readBoundedPicture(bytes: Buffer) {
  const picture = readPicture(bytes);
  if (picture === undefined) throw new Fault("invalid_argument", "branding.picture_invalid", { field: "file" });
  const { width, height } = picture.size ?? { width: 1, height: 1 };
  if ([width, height].some((side) => side < 1 || side > longestSide)) {
    throw new Fault("invalid_argument", "branding.picture_too_wide", {
      field: "file",
      values: { maximum: longestSide },
    });
  }
  return picture;
}

// WOFF2 §4.1: signature, flavour, file length, number of tables, reserved, unfolded length.
function readFont(bytes: Buffer) {
  const isFont =
    bytes.length >= 48 &&
    bytes.toString("latin1", 0, 4) === "wOF2" &&
    bytes.readUInt32BE(8) === bytes.length &&
    bytes.readUInt32BE(16) <= largestUnfolded;
  if (!isFont) throw new Fault("invalid_argument", "branding.font_invalid", { field: "file" });
  return { contentType: "font/woff2", ending: "woff2" } as const;
}
