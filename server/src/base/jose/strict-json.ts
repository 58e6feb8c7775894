import { isRecord, parseJson } from "../json.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the JSON object in these bytes, or undefined for anything else: invalid UTF-8, a byte order mark, malformed
 * JSON, an array or scalar, too deep nesting, or a repeated member (RFC 7515 §4, RFC 8725 §3.7: two readers could see
 * two different tokens).
 */
export function parseStrictObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = decoder.decode(bytes);
    const value = parseJson(text);
    return isRecord(value) && countMembers(value) === countColons(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

// Well-formed JSON has one colon outside strings for each member; of repeated members, the parser kept only one.
function countColons(text: string): number {
  let count = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x3a) count++;
  }
  return count;
}

function countMembers(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMembers(item), 0);
  if (!isRecord(value)) return 0;
  const members = Object.values(value);
  return members.reduce<number>((sum, member) => sum + countMembers(member), members.length);
}
