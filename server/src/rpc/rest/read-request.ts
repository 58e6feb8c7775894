import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { Fault } from "../../base/fault.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { wrongType } from "../decode-error.ts";
import { type IgnoreFields, refuseUnknownInput, unknownField } from "../unknown-input.ts";

/** Which parts of an HTTP request form the message (`google.api.http`). */
export interface RequestParts {
  /** Fields from the path, by proto name. */
  readonly path: ReadonlyMap<string, string>;
  readonly query: string;
  readonly body: string;
  /** `*`: the body is the message; a name: the body is that field; absent: there is no body. */
  readonly bodyField: string | undefined;
  /** Takes the unknown fields of the first generation of the contract, which ignores them; absent: they are refused. */
  readonly ignore?: IgnoreFields | undefined;
}

/**
 * Builds the request message from body, then query, then path, so that the body cannot override the resource in the
 * path. Throws `invalid_argument` that names the field.
 */
export function readRequest(descriptor: DescMessage, parts: RequestParts): Message {
  const json: Record<string, unknown> = readBody(descriptor, parts);
  // With `body: "*"` no fields are left for the query.
  if (parts.bodyField !== "*") readQuery(descriptor, parts, json);
  for (const [name, value] of parts.path) {
    const field = descriptor.fields.find((candidate) => candidate.name === name);
    if (field === undefined) continue;
    delete json[field.name];
    json[field.jsonName] = readText(field, value);
  }
  refuseUnknownInput(descriptor, json, parts.ignore);
  try {
    return fromJson(descriptor, json as JsonValue, { ignoreUnknownFields: true });
  } catch (error) {
    throw wrongType(error instanceof Error ? error.message : "", error);
  }
}

function readBody(descriptor: DescMessage, { body, bodyField }: RequestParts): Record<string, unknown> {
  if (bodyField === undefined || body.trim() === "") return {};
  const json = parse(body);
  if (bodyField === "*") {
    if (!isRecord(json)) throw new Fault("invalid_argument", "request.body_not_object");
    return json;
  }
  const field = descriptor.fields.find(({ name }) => name === bodyField);
  return { [field?.jsonName ?? bodyField]: json };
}

function parse(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Fault("invalid_argument", "request.malformed_json", { values: { reason: error.message }, cause: error });
  }
}

// `a=1&a=2` fills a list, `query.limit=10` a field of a message.
function readQuery(descriptor: DescMessage, parts: RequestParts, json: Record<string, unknown>): void {
  if (parts.query === "") return;
  for (const [key, value] of new URLSearchParams(parts.query)) {
    if (!fill(descriptor, json, key.split(".", 10), value)) refuseOrIgnore(descriptor, key, parts.ignore);
  }
}

function refuseOrIgnore(descriptor: DescMessage, key: string, ignore: IgnoreFields | undefined): void {
  if (ignore === undefined) throw unknownField(key, descriptor);
  ignore(key);
}

// Returns whether there is such a field.
function fill(
  descriptor: DescMessage,
  owner: Record<string, unknown>,
  names: readonly string[],
  value: string,
): boolean {
  const [name, ...rest] = names;
  const field = descriptor.fields.find((candidate) => candidate.jsonName === name || candidate.name === name);
  if (field === undefined) return false;
  if (rest.length > 0) {
    if (field.fieldKind !== "message") return false;
    const nested = owner[field.jsonName];
    const inner = isRecord(nested) ? nested : {};
    owner[field.jsonName] = inner;
    return fill(field.message, inner, rest, value);
  }
  if (field.fieldKind === "list") {
    const values = owner[field.jsonName];
    owner[field.jsonName] = [...(Array.isArray(values) ? values : []), readText(field, value)];
  } else owner[field.jsonName] = readText(field, value);
  return true;
}

// Everything in a URL is text; JSON requires booleans, and numbers as numbers or text.
function readText(field: DescField, text: string): unknown {
  if (field.scalar === ScalarType.BOOL) {
    if (text === "true" || text === "false") return text === "true";
    throw new Fault("invalid_argument", "field.wrong_type", {
      field: field.jsonName,
      values: { field: field.jsonName },
    });
  }
  if (field.enum !== undefined && /^-?\d+$/.test(text)) return Number(text);
  return text;
}
