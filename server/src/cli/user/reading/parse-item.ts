import { isRecord, JsonError, parseJson } from "../../../base/json.ts";
import type { RawItem } from "./framer.ts";

/** An entry of a file as an object, or why it is not one. */
export type Parsed = { readonly record: Readonly<Record<string, unknown>> } | { readonly problem: string };

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

/** Parses an entry of JSON. Refuses hostile depth, and members that occur twice: parsers choose differently. */
export function parseJsonItem(item: RawItem): Parsed {
  const decoded = decodeItem(item);
  if ("problem" in decoded) return decoded;
  try {
    const record = parseJson(decoded.text);
    if (!isRecord(record)) return { problem: "the entry is not an object" };
    if (hasRepeatedName(decoded.text)) return { problem: "a member occurs twice" };
    return { record };
  } catch (error) {
    if (error instanceof JsonError) return { problem: error.message };
    throw error;
  }
}

/** Whether an object in valid JSON has two members with the same name. */
function hasRepeatedName(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') {
      const start = index;
      for (index++; text[index] !== '"'; index++) if (text[index] === "\\") index++;
      const names = isName ? open.at(-1) : undefined;
      isName = false;
      if (names === undefined) continue;
      const raw = text.slice(start, index + 1);
      const name = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (names.has(name)) return true;
      names.add(name);
    } else if (character === "{") {
      open.push(new Set());
      isName = true;
    } else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === ",") isName = open.at(-1) !== undefined;
  }
  return false;
}
