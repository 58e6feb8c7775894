import { type FileHandle, open } from "node:fs/promises";
import type { Random } from "../../../base/random.ts";
import { createDigestTable } from "../checking/digest-table.ts";
import { innerRecord, textOf } from "../sources/values.ts";
import { FramingError, type RawItem } from "./framer.ts";
import { createJsonFramer } from "./json-framer.ts";
import { parseJsonItem } from "./parse-item.ts";
import { largestItem, readItems } from "./read-items.ts";

/** Hashes in a file, found by the ids of their users. */
export interface HashIndex {
  find(userId: string): Promise<string | undefined>;
  close(): Promise<void>;
}

// Nearly all entries end within the first of these sizes; none that has a hash is larger than the second.
const sizes = [4096, 64 * 1024] as const;

/** Finds out where in its file Auth0's export has each hash, so that any number of them takes little memory. */
export async function openHashIndex(path: string, random: Random): Promise<HashIndex> {
  const offsets = createDigestTable(random);
  // The id of one user can be the `alt_id` of another: either would get the other's password.
  const repeated = new Set<string>();
  for await (const item of readItems(path, createJsonFramer({ limit: largestItem }))) {
    const parsed = parseJsonItem(item);
    if (!("record" in parsed)) continue;
    for (const id of new Set(idsOf(parsed.record))) {
      if (offsets.get(id) === undefined) offsets.add(id, item.offset);
      else repeated.add(id);
    }
  }
  const file = await open(path);
  return {
    find: async (userId) => {
      const offset = repeated.has(userId) ? undefined : offsets.get(userId);
      const record = offset === undefined ? undefined : await readAt(file, offset);
      return record !== undefined && idsOf(record).includes(userId) ? textOf(record, "passwordHash") : undefined;
    },
    close: () => file.close(),
  };
}

// `alt_id` is the id of users who were created with one.
const idsOf = (record: Readonly<Record<string, unknown>>): readonly string[] =>
  [textOf(record, "alt_id"), textOf(innerRecord(record["_id"]), "$oid")].filter((id) => id !== "");

async function readAt(file: FileHandle, offset: number): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const size of sizes) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, offset);
    const item = firstItem(buffer.subarray(0, bytesRead));
    const parsed = item && parseJsonItem(item);
    if (parsed !== undefined) return "record" in parsed ? parsed.record : undefined;
  }
  return undefined;
}

function firstItem(chunk: Buffer): RawItem | undefined {
  let first: RawItem | undefined;
  try {
    createJsonFramer({ limit: largestItem }).push(chunk, (item) => {
      first ??= item;
    });
  } catch (error) {
    // What follows the entry may be the end of a list.
    if (!(error instanceof FramingError)) throw error;
  }
  return first;
}
