import { Fault } from "../../base/fault.ts";
import { barePicture } from "../../base/picture/bare-picture.ts";

/** Size limit of a picture as it is sent, in bytes. */
export const largestAvatar = 512 * 1024;

// Lists show many at a time, and each is decoded in the memory of the viewer.
const longestSide = 2048;

/** A picture as it is kept. */
export interface Avatar {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/**
 * Checks a picture that was sent, by its bytes, and strips it down to what is seen. Refuses files that are not
 * pictures.
 */
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

/** Returns the path of a picture, which is public for callers that know the name, and may be cached forever. */
export const pathOfAvatar = (fileName: string): string => `/avatars/${fileName}`;

/** Returns the address of a picture; empty where there is none. */
export const urlOfAvatar = (origin: string, fileName: string | null | undefined): string =>
  fileName === null || fileName === undefined || fileName === "" ? "" : origin + pathOfAvatar(fileName);
