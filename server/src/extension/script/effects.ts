import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import type { MetadataEntry } from "../../domain/metadata/index.ts";

/** What a script asked for, in the form in which the rest of the program takes it. Nothing of it was granted yet. */
export interface Effects {
  /** Fields of the user, by the names of the setters; texts, numbers and switches as the script gave them. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly claims: readonly { readonly key: string; readonly value: unknown }[];
  readonly logs: readonly string[];
  readonly metadata: readonly MetadataEntry[];
  readonly grants: readonly WantedGrant[];
  readonly attributes: readonly {
    readonly name: string;
    readonly nameFormat: string;
    readonly values: readonly string[];
  }[];
}

interface WantedGrant {
  readonly projectId: string;
  readonly projectGrantId: string | undefined;
  readonly roleKeys: readonly string[];
}

/** Thrown when a script asks for something in a form that is not the interface's. */
export class InvalidEffects extends Error {
  override readonly name = "InvalidEffects";
}

const mostEntries = 100;
const longestLog = 500;
const longestKey = 200;

/** Reads the result of a run, which the script may have written itself. Throws InvalidEffects. */
export function readEffects(result: string): Effects {
  const effects = parse(result);
  if (!isRecord(effects)) throw new InvalidEffects("the result is not an object");
  return {
    fields: isRecord(effects["fields"]) ? effects["fields"] : {},
    claims: listOf(effects, "claims").map(readClaim),
    logs: listOf(effects, "logs").map((entry) => textOf(entry, "an entry of the log").slice(0, longestLog)),
    metadata: listOf(effects, "metadata").map(readMetadata),
    grants: listOf(effects, "grants").map(readGrant),
    attributes: listOf(effects, "attributes").map(readAttribute),
  };
}

function parse(result: string): unknown {
  try {
    return parseJson(result);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new InvalidEffects(error.message, { cause: error });
  }
}

function listOf(effects: Readonly<Record<string, unknown>>, name: keyof Effects): readonly unknown[] {
  const list = effects[name];
  if (!Array.isArray(list) || list.length > mostEntries) throw new InvalidEffects(`there are too many ${name}`);
  return list;
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== "string") throw new InvalidEffects(`${what} is not a text`);
  return value;
}

function keyOf(value: unknown, what: string): string {
  const key = textOf(value, what);
  if (key === "" || key.length > longestKey)
    throw new InvalidEffects(`${what} must have 1 to ${longestKey} characters`);
  return key;
}

function readClaim(entry: unknown) {
  if (!isRecord(entry)) throw new InvalidEffects("a claim is invalid");
  // A claim without a value is not JSON, and is left out.
  return { key: keyOf(entry["key"], "the name of a claim"), value: entry["value"] };
}

function readMetadata(entry: unknown): MetadataEntry {
  if (!isRecord(entry)) throw new InvalidEffects("metadata is invalid");
  const key = keyOf(entry["key"], "a key of metadata");
  const { bytes, text } = entry;
  if (bytes === undefined) return { key, value: Buffer.from(textOf(text, "a value of metadata")) };
  const isBytes = Array.isArray(bytes) && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isBytes) throw new InvalidEffects("raw metadata is neither a text nor bytes");
  return { key, value: Buffer.from(bytes as number[]) };
}

// Examples of the interface spell the fields both ways.
function readGrant(entry: unknown): WantedGrant {
  if (!isRecord(entry)) throw new InvalidEffects("a grant is invalid");
  const { projectID, projectId = projectID, projectGrantID, projectGrantId = projectGrantID, roles } = entry;
  if (!Array.isArray(roles) || roles.length > mostEntries) throw new InvalidEffects("the roles of a grant are invalid");
  const grantId =
    projectGrantId === undefined || projectGrantId === null ? "" : textOf(projectGrantId, "a project grant");
  return {
    projectId: keyOf(projectId, "the project of a grant"),
    projectGrantId: grantId === "" ? undefined : grantId,
    roleKeys: roles.map((role) => keyOf(role, "a role")),
  };
}

function readAttribute(entry: unknown) {
  if (!isRecord(entry)) throw new InvalidEffects("an attribute is invalid");
  const { name, nameFormat, values } = entry;
  if (!Array.isArray(values) || values.length > mostEntries) throw new InvalidEffects("an attribute is invalid");
  return {
    name: keyOf(name, "the name of an attribute"),
    nameFormat: textOf(nameFormat, "the format of a name"),
    values: values.map((value) => textOf(value, "the value of an attribute")),
  };
}
