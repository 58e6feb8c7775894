import { createHash } from "node:crypto";
import type { Tx } from "../database/index.ts";
import type { Client } from "../domain/application/index.ts";
import { holdPresentClient } from "../domain/registration/index.ts";

/** Returns a digest of what a user is shown: the version of the client, and the words for what it would get. */
export const shownConsent = (version: string, words: readonly string[]): string =>
  createHash("sha256")
    .update(JSON.stringify([version, ...words]))
    .digest("base64url");

/**
 * Step: whether the client is still what the user was shown. It stays so until the unit of work ends: a change beside
 * a consent waits for it, and then forgets it.
 */
export async function isStillAsShown(
  tx: Tx,
  client: Client,
  { shown, words }: { readonly shown: string; readonly words: readonly string[] },
): Promise<boolean> {
  const present = await holdPresentClient(tx, client);
  return present !== undefined && shownConsent(present.version, words) === shown;
}
