import { seconds } from "../../base/clock.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { type BarePicture, barePicture } from "../../base/picture/bare-picture.ts";
import type { LogoAddress } from "./logo-address.ts";

/** A logo as it is served. */
export type Logo = Pick<BarePicture, "contentType" | "bytes">;

/** Size limit of a logo, in bytes. */
const largest = 256 * 1024;
// It is shown at 40 pixels, and decoded in the memory of the user's device.
const longestSide = 1_024;

/**
 * Fetches a logo, and strips it down to what is seen. Returns undefined for everything that is not a small still
 * picture. The request holds nothing of the user whose page shows the logo.
 */
export async function fetchLogo(
  outbound: Outbound,
  { url, isApproved }: Pick<LogoAddress, "url" | "isApproved">,
): Promise<Logo | undefined> {
  try {
    const answer = await outbound({
      url,
      headers: { accept: "image/png, image/jpeg, image/webp" },
      timeout: seconds(5),
      maximumBytes: largest,
      isForStranger: !isApproved,
    });
    const picture = answer.status === 200 ? barePicture(answer.bytes) : undefined;
    if (picture === undefined || !isFitting(picture.size)) return undefined;
    return { contentType: picture.contentType, bytes: picture.bytes };
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

const isFitting = ({ width, height }: BarePicture["size"]): boolean =>
  [width, height].every((side) => side >= 1 && side <= longestSide);
