import { isRecord, JsonError, parseJson } from "../../../../server/src/base/json.ts";
import {
  type Frame,
  gatherFrames,
  type OrganizationValue,
  type ReadValues,
} from "../../../../server/src/cli/org/organization-entries.ts";

/** A file with organizations, as it was read. */
export interface OrganizationFile {
  readonly name: string;
  readonly isFirstFormat: boolean;
  readonly read: ReadValues;
  readonly frames: readonly Frame[];
  /** How many entries each organization has, by the lists and values that they are of. */
  readonly contents: readonly ReadonlyMap<string, number>[];
  /** How many entries of lists and other values it has. */
  readonly size: number;
}

/** Reads an export of organizations, or a request of ImportData in either format; undefined for anything else. */
export async function readOrganizationFile(name: string, text: string): Promise<OrganizationFile | undefined> {
  const parsed = parse(text);
  if (!isRecord(parsed)) return undefined;
  const isFirstFormat = isRecord(parsed["dataOrgsv1"]);
  const outer = [parsed["dataOrgsv1"], parsed["dataOrgs"], parsed].find(isRecord);
  const organizations = outer?.["orgs"];
  if (!Array.isArray(organizations) || organizations.length === 0 || !organizations.every(isRecord)) return undefined;
  if (organizations.some(({ orgId }) => typeof orgId !== "string" || orgId === "")) return undefined;
  const values = organizations.flatMap(valuesOf);
  const read: ReadValues = (isWanted) => inTurn(values.filter(({ member }) => isWanted(member)));
  const contents = organizations.map((members) => new Map(Object.entries(members).map(countOf)));
  return { name, isFirstFormat, read, frames: await gatherFrames(name, read), contents, size: values.length };
}

const countOf = ([member, value]: readonly [string, unknown]): readonly [string, number] => [
  member,
  Array.isArray(value) ? value.length : 1,
];

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function valuesOf(members: Readonly<Record<string, unknown>>, organization: number): OrganizationValue[] {
  const toValue = (member: string, isElement: boolean, value: unknown): OrganizationValue => ({
    organization,
    member,
    isElement,
    value,
    size: sizeOf(value),
  });
  return Object.entries(members).flatMap(([member, value]) =>
    Array.isArray(value) ? value.map((element) => toValue(member, true, element)) : [toValue(member, false, value)],
  );
}

const encoder = new TextEncoder();

const sizeOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

async function* inTurn(values: readonly OrganizationValue[]): AsyncGenerator<OrganizationValue> {
  for (const value of values) yield await Promise.resolve(value);
}
