import { isRecord, JsonError, parseJson } from "../../../base/json.ts";
import type { Loss } from "./source.ts";

export type SourceRecord = Readonly<Record<string, unknown>>;

/** Returns a text of an entry; a number as a text; empty for anything else. */
export function textOf(record: SourceRecord, name: string): string {
  const value = record[name];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : "";
}

/** Whether a member of an entry is true; CSV has it as a text. */
export function flagOf(record: SourceRecord, name: string): boolean {
  const value = record[name];
  return value === true || (typeof value === "string" && value.trim().toLowerCase() === "true");
}

/** Returns the objects of a list of an entry. */
export function recordsOf(record: SourceRecord, name: string): readonly SourceRecord[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the texts of a list of an entry. */
export function textsOf(record: SourceRecord, name: string): readonly string[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Parses JSON that is a text within JSON; an object without members for anything else. */
export function innerRecord(value: unknown): SourceRecord {
  if (isRecord(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed = parseJson(value);
    return isRecord(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}

/** Returns a value as the text that metadata holds: texts as they are, everything else as JSON. */
export const metadataText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

export const lost = (field: string, why: string): Loss => ({ field, what: "lost", why });
