import { isRecord } from "../base/json.ts";
import type { MetadataEntry } from "../domain/metadata/index.ts";
import { TargetFailure } from "./target-failure.ts";

/** What a target of a function asks for. */
export interface FunctionAnswer {
  readonly metadata: readonly MetadataEntry[];
  readonly claims: readonly { readonly key: string; readonly value: unknown }[];
  readonly logs: readonly string[];
  readonly attributes: readonly FunctionAttribute[];
}

/** An attribute of a SAML response. */
interface FunctionAttribute {
  readonly name: string;
  /** Empty for the usual one. */
  readonly nameFormat: string;
  readonly values: readonly string[];
}

const mostEntries = 100;
const longestLog = 500;
const longestName = 200;
// A service provider has to take them in a form, base64-encoded and perhaps encrypted.
const largestAttributes = 8_192;

/** Reads the answer of a target. Throws TargetFailure when it is not in the form of the interface. */
export function readFunctionAnswer(answer: Readonly<Record<string, unknown>>): FunctionAnswer {
  const metadata = listOf(answer["set_user_metadata"]).map(readMetadataEntry);
  const claims = listOf(answer["append_claims"]).map((entry) => {
    if (!isRecord(entry) || typeof entry["key"] !== "string" || entry["key"] === "") throw invalid();
    return { key: entry["key"], value: entry["value"] };
  });
  const logs = listOf(answer["append_log_claims"]).map((entry) => {
    if (typeof entry !== "string") throw invalid();
    return entry.slice(0, longestLog);
  });
  const attributes = listOf(answer["append_attribute"]).map(readAttribute);
  const size = attributes.reduce((sum, { name, values }) => sum + name.length + values.join("").length, 0);
  if (size > largestAttributes) throw invalid();
  return { metadata, claims, logs, attributes };
}

function readMetadataEntry(entry: unknown): MetadataEntry {
  if (!isRecord(entry)) throw invalid();
  const { key, value } = entry;
  if (typeof key !== "string" || typeof value !== "string") throw invalid();
  // `Buffer` skips invalid characters instead of rejecting them.
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) throw invalid();
  return { key, value: Buffer.from(value, "base64") };
}

// The interface describes the value as one text, and its clients send a list.
function readAttribute(entry: unknown): FunctionAttribute {
  if (!isRecord(entry)) throw invalid();
  const { name, name_format: nameFormat = "", value } = entry;
  const values = typeof value === "string" ? [value] : listOf(value);
  const isName = typeof name === "string" && name.length >= 1 && name.length <= longestName;
  if (!isName || typeof nameFormat !== "string" || nameFormat.length > longestName) throw invalid();
  return {
    name,
    nameFormat,
    values: values.map((each) => {
      if (typeof each !== "string") throw invalid();
      return each;
    }),
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > mostEntries) throw invalid();
  return value;
}

const invalid = (): TargetFailure => new TargetFailure("answer_invalid");
