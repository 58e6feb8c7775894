import { type Picture, readPicture } from "./picture.ts";

/** A picture that can be drawn. */
export interface BarePicture {
  readonly contentType: "image/png" | "image/jpeg" | "image/webp";
  /** File name ending. */
  readonly ending: "png" | "jpg" | "webp";
  readonly size: NonNullable<Picture["size"]>;
  readonly bytes: Buffer;
}

/**
 * Returns a picture as it is seen, without its metadata: where and with what it was taken, names, thumbnails, and bytes
 * between its parts or after its end. Returns undefined for drawings, for animation without a still image, and for
 * truncated files.
 */
export function barePicture(bytes: Buffer): BarePicture | undefined {
  const picture = readPicture(bytes);
  if (picture?.size === undefined || picture.ending === "svg" || picture.contentType === "image/svg+xml") {
    return undefined;
  }
  const { contentType, ending, size } = picture;
  const parts = bareParts[ending](bytes);
  return parts && { contentType, ending, size, bytes: Buffer.concat(parts) };
}

const bareParts = { png: partsOfPng, jpg: partsOfJpeg, webp: partsOfWebp } as const;

// Chunks that affect the colors, besides the picture itself (PNG, third edition, §11). Frames of an animation are not
// among them: only its first image is shown.
const pngChunks = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT"]);

function partsOfPng(bytes: Buffer): Buffer[] | undefined {
  const parts = [bytes.subarray(0, 8)];
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (pngChunks.has(type)) parts.push(bytes.subarray(at, end));
    if (type === "IEND") return hasData ? parts : undefined;
    hasData ||= type === "IDAT";
    at = end;
  }
  return undefined;
}

function partsOfJpeg(bytes: Buffer): Buffer[] | undefined {
  const parts = [bytes.subarray(0, 2)];
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return hasScan ? [...parts, bytes.subarray(at, at + 2)] : undefined;
    const end = endOfSegment(bytes, at);
    if (end === undefined) return undefined;
    hasScan ||= marker === 0xda;
    parts.push(...keptOfSegment(marker, bytes.subarray(at, end)));
    at = end;
  }
  return undefined;
}

/**
 * Returns the end of the segment whose marker is at an offset. A segment that begins a scan (ITU-T T.81 §B.2.3) is
 * followed by the pixels.
 */
function endOfSegment(bytes: Buffer, at: number): number | undefined {
  if (at + 4 > bytes.length) return undefined;
  const length = bytes.readUInt16BE(at + 2);
  let end = at + 2 + length;
  if (length < 2 || end > bytes.length) return undefined;
  if (bytes[at + 1] !== 0xda) return end;
  for (end = bytes.indexOf(0xff, end); end !== -1; end = bytes.indexOf(0xff, end + 2)) {
    const next = bytes[end + 1];
    if (next === undefined) return undefined;
    // A stuffed zero and restart markers belong to the scan.
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return end;
  }
  return undefined;
}

function keptOfSegment(marker: number, segment: Buffer): Buffer[] {
  const isComment = marker === 0xfe;
  const isOfApplication = marker >= 0xe0 && marker <= 0xef;
  if (!isComment && !isOfApplication) return [segment];
  const begins = (word: string): boolean => segment.toString("latin1", 4, 4 + word.length) === word;
  if (marker === 0xe0 && begins("JFIF\0") && segment.length >= 18) return [withoutThumbnail(segment)];
  // Color profiles, and Adobe's color transform.
  if ((marker === 0xe2 && begins("ICC_PROFILE\0")) || (marker === 0xee && begins("Adobe"))) return [segment];
  if (marker !== 0xe1 || !begins("Exif\0\0")) return [];
  const orientation = orientationOf(segment.subarray(10));
  return orientation === undefined ? [] : [orientationSegment(orientation)];
}

// ITU-T T.871 §10.1: what follows the first 16 bytes is a thumbnail.
function withoutThumbnail(segment: Buffer): Buffer {
  const copy = Buffer.from(segment.subarray(0, 18));
  copy.writeUInt16BE(16, 2);
  copy.writeUInt16BE(0, 16);
  return copy;
}

/** Orientation of the camera (Exif 3.0 §4.6.2, in TIFF 6.0 §2): the only entry that changes what is seen. */
function orientationOf(tiff: Buffer): number | undefined {
  const order = tiff.toString("latin1", 0, 4);
  if (tiff.length < 8 || (order !== "II*\0" && order !== "MM\0*")) return undefined;
  const isLittle = order === "II*\0";
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return undefined;
  const count = short(directory);
  for (let at = directory + 2; at + 12 <= tiff.length && at < directory + 2 + count * 12; at += 12) {
    if (short(at) !== 0x0112) continue;
    const value = short(at + 8);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

// Returns an application segment with one directory of one entry.
const orientationSegment = (orientation: number): Buffer =>
  Buffer.from(
    `ffe10022${Buffer.from("Exif\0\0").toString("hex")}4d4d002a000000080001011200030000000100${hexByte(orientation)}000000000000`,
    "hex",
  );

const hexByte = (value: number): string => value.toString(16).padStart(2, "0");

// RFC 9649 §2.7: flags of an extended file that stay, a color profile and transparency.
const webpFlags = 0x20 | 0x10;

function partsOfWebp(bytes: Buffer): Buffer[] | undefined {
  const kept: Buffer[] = [];
  let hasPicture = false;
  const whole = 8 + bytes.readUInt32LE(4);
  for (let at = 12; at + 8 <= whole; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > whole) return undefined;
    const chunk = bytes.subarray(at, end);
    const type = chunk.toString("latin1", 0, 4);
    if (type === "VP8X") kept.push(withFlags(chunk));
    else if (["VP8 ", "VP8L", "ALPH", "ICCP"].includes(type)) kept.push(chunk);
    hasPicture ||= type === "VP8 " || type === "VP8L";
    at = end;
  }
  if (!hasPicture) return undefined;
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4);
  return [header, ...kept];
}

function withFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk);
  copy[8] = (copy[8] ?? 0) & webpFlags;
  return copy;
}
