import { barePicture } from "../../base/bare-picture.ts";
import { Fault } from "../../base/fault.ts";

/** Bytes that a picture of a person may have when it is sent. */
export const largestAvatar = 512 * 1024;

// Lists show many at a time, and each unfolds in the memory of whoever looks at it.
const longestSide = 2048;

/** A picture as it is kept. */
export interface Avatar {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Looks at a picture that was sent, by its bytes, and leaves of it what is seen. Refuses what is none. */
export function readAvatar(sent: Buffer): Avatar & { readonly ending: string } {
  if (sent.length > largestAvatar) throw invalid("user.avatar_too_large", Math.floor(largestAvatar / 1024));
  const picture = barePicture(sent);
  if (picture === undefined) throw invalid("user.avatar_invalid");
  const { size, ...rest } = picture;
  if ([size.width, size.height].some((side) => side < 1 || side > longestSide)) {
    throw invalid("user.avatar_too_wide", longestSide);
  }
  return rest;
}

const invalid = (id: string, maximum?: number): Fault =>
  new Fault("invalid_argument", id, { field: "file", ...(maximum !== undefined && { values: { maximum } }) });

/** Path under which a picture is served to everybody who knows its name, and may be kept for ever. */
export const pathOfAvatar = (fileName: string): string => `/avatars/${fileName}`;

/** Address of a picture; empty where there is none. */
export const urlOfAvatar = (origin: string, fileName: string | null | undefined): string =>
  fileName === null || fileName === undefined || fileName === "" ? "" : origin + pathOfAvatar(fileName);
