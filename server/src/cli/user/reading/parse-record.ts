import { isRecord, JsonError, parseJson } from "../../../base/json.ts";

/** An entry of a file as an object, or why it is not one. */
export type Parsed = { readonly record: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Parses an entry of JSON. Refuses hostile depth, and members that occur twice: parsers choose differently. */
export function parseRecord(text: string): Parsed {
  try {
    const record = parseJson(text);
    if (!isRecord(record)) return { problem: "the entry is not an object" };
    if (hasRepeatedName(text)) return { problem: "a member occurs twice" };
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
