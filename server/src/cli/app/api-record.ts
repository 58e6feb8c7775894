import { isRecord } from "../../base/json.ts";

/** An object in an answer of the API. */
export type ApiRecord = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): ApiRecord => (isRecord(value) ? value : {});

/** Returns a text of an answer; empty when it is absent. */
export function textOf(record: object, name: string): string {
  const value = (record as ApiRecord)[name];
  return typeof value === "string" ? value : "";
}

/** Returns the objects of a list in an answer. */
export function listOf(record: ApiRecord, name: string): ApiRecord[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the texts of a list in an answer. */
export function textsOf(record: ApiRecord, name: string): string[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Returns the objects of a list on all of its pages, of which one may end before its limit. */
export async function listAllOf(
  name: string,
  readPage: (pagination: { readonly offset: number; readonly limit: number; readonly asc: true }) => Promise<ApiRecord>,
): Promise<ApiRecord[]> {
  const found: ApiRecord[] = [];
  for (;;) {
    const page = await readPage({ offset: found.length, limit: 1000, asc: true });
    const more = listOf(page, name);
    found.push(...more);
    const total = Number(recordOf(page["pagination"])["totalResult"] ?? 0);
    if (more.length === 0 || found.length >= total) return found;
  }
}
