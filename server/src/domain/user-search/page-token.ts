import { decodeBase64Url, encodeBase64Url } from "../../base/base64url.ts";
import { Fault } from "../../base/fault.ts";
import { JsonError, parseJson } from "../../base/json.ts";
import type { Beside } from "../../database/index.ts";
import type { UserSortColumn } from "./user-list.store.ts";

/** The order of a list; a page beside another one is in the same. */
interface Order {
  readonly sortBy: UserSortColumn;
  readonly isDescending: boolean;
}

const longestId = 200;

/**
 * Returns the token of the page beside a row: the position of the row, which its reader was given. What the page shows
 * is decided anew for the caller who presents it.
 */
export function writePageToken({ sortBy, isDescending }: Order, { edge, isBefore }: Beside): string {
  return encodeBase64Url(JSON.stringify([sortBy, isDescending, isBefore, edge.key, edge.id]));
}

/** Reads the position from a token; the empty text is none. Refuses any other text, and a token of another order. */
export function readPageToken({ sortBy, isDescending }: Order, token: string): Beside | undefined {
  if (token === "") return undefined;
  const [by, descending, isBefore, key, id] = parse(token);
  const isInOrder = by === sortBy && descending === isDescending && typeof isBefore === "boolean";
  const isKey = sortBy === "createdAt" ? Number.isSafeInteger(key) : isText(key);
  if (!isInOrder || !isKey || !isText(id) || id.length > longestId) throw refusal();
  return { edge: { key: key as string | number, id }, isBefore };
}

function parse(token: string): readonly unknown[] {
  const bytes = decodeBase64Url(token);
  if (bytes === undefined) throw refusal();
  try {
    const value = parseJson(bytes.toString("utf8"));
    if (Array.isArray(value) && value.length === 5) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw refusal();
}

const isText = (value: unknown): value is string => typeof value === "string";

function refusal(): Fault {
  const field = "pageToken";
  return new Fault("invalid_argument", "field.unknown_value", { field, values: { field } });
}
