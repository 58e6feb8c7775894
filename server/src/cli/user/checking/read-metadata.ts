import { hasInvisible } from "../../../base/names/canonical.ts";
import { encodeTextBase64 } from "../sources/base64.ts";
import type { Loss, SourceUser } from "../sources/source.ts";

/** Metadata of users that were created and whose roles or state are still to be set. */
export const unfinishedKey = "doorward.import.unfinished";
const idKey = "doorward.import.id";

// Applications and later imports rely on these; in some sources, users write their metadata themselves.
const isReserved = (key: string): boolean => key === unfinishedKey || key === idKey;

// What a user may have in all (base64), with room for entries of the import itself.
const mostCharacters = 990_000;
const longestKey = 200;

/** Returns metadata in the form of the API, with the former id of a user who gets another one. */
export function readMetadata(user: SourceUser, losses: Loss[]): readonly { key: string; value: string }[] {
  let size = 0;
  const own = [idKey, user.id] as const;
  return [...Object.entries(user.metadata), own].flatMap((entry) => {
    const [key, text] = entry;
    if (text === "") return [];
    const value = encodeTextBase64(text);
    const length = key.length + value.length;
    const isPossible = key.length >= 1 && key.length <= longestKey && !hasInvisible(key);
    if (isPossible && size + length <= mostCharacters && (entry === own || !isReserved(key))) {
      size += length;
      return [{ key, value }];
    }
    const name = isPossible ? key : "an entry with a key that is empty, too long or invisible";
    losses.push({
      field: "metadata",
      what: "lost",
      why: isReserved(key) ? `the key is reserved: ${key}` : `it does not fit: ${name}`,
    });
    return [];
  });
}
