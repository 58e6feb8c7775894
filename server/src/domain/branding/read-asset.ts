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
const largestFont = 512 * 1024;

// Small files can unfold into pictures that exhaust the memory of the browsers that show them, so each side is bounded.
const longestSide = 4096;
// Largest size of a font when unfolded (declared in the WOFF2 header).
const largestUnfolded = 8 * 1024 * 1024;

/** Returns the name of a font's format in style sheets (CSS Fonts §4.3.1), by the ending of its file. */
export function formatOfFont(fileName: string): "woff2" | "truetype" | "opentype" {
  if (fileName.endsWith(".ttf")) return "truetype";
  return fileName.endsWith(".otf") ? "opentype" : "woff2";
}

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

function readFont(bytes: Buffer) {
  if (isWoff2(bytes)) return { contentType: "font/woff2", ending: "woff2" } as const;
  const signature = bytes.toString("latin1", 0, 4);
  if (["\0\x01\0\0", "true"].includes(signature) && hasTables(bytes)) {
    return { contentType: "font/ttf", ending: "ttf" } as const;
  }
  if (signature === "OTTO" && hasTables(bytes)) return { contentType: "font/otf", ending: "otf" } as const;
  throw new Fault("invalid_argument", "branding.font_invalid", { field: "file" });
}

// WOFF2 §4.1: signature, flavour, file length, number of tables, reserved, unfolded length.
const isWoff2 = (bytes: Buffer): boolean =>
  bytes.length >= 48 &&
  bytes.toString("latin1", 0, 4) === "wOF2" &&
  bytes.readUInt32BE(8) === bytes.length &&
  bytes.readUInt32BE(16) <= largestUnfolded;

// OpenType, "Organization of an OpenType Font": the number of tables, then a record of 16 bytes for each, with its tag,
// checksum, offset and length.
const tablesBegin = 12;
const recordLength = 16;

function hasTables(bytes: Buffer): boolean {
  const count = bytes.length < tablesBegin ? 0 : bytes.readUInt16BE(4);
  const end = tablesBegin + count * recordLength;
  if (count === 0 || end > bytes.length) return false;
  return Array.from({ length: count }, (_, index) => tablesBegin + index * recordLength).every((record) => {
    const [offset, length] = [bytes.readUInt32BE(record + 8), bytes.readUInt32BE(record + 12)];
    return offset >= end && offset + length <= bytes.length;
  });
}
