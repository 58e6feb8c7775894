import type { RawItem } from "./framer.ts";
import { type Parsed, parseRecord } from "./parse-record.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes an entry. */
export function decodeItem({ bytes }: RawItem): { readonly text: string } | { readonly problem: string } {
  if (bytes === undefined) return { problem: "the entry is larger than 2 MiB" };
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    return { problem: "the entry is not UTF-8" };
  }
}

/** Parses an entry of JSON. */
export function parseJsonItem(item: RawItem): Parsed {
  const decoded = decodeItem(item);
  return "problem" in decoded ? decoded : parseRecord(decoded.text);
}
