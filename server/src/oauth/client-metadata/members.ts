import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { OAuthError } from "../../base/oauth-error.ts";

/** Members of a metadata document. A null member counts as omitted (RFC 7592 §2.2). */
export type Members = Readonly<Record<string, unknown>>;

const mostValues = 100;

/** Reads the body of a registration: one JSON object. */
export function parseMembers(body: string): Members {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) throw invalid("the body is not JSON");
    throw error;
  }
  if (!isRecord(value)) throw invalid("the body is not a JSON object");
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Returns a text member; undefined when it is omitted. */
export function optionalText(members: Members, name: string): string | undefined {
  const value = members[name];
  if (value === undefined || (typeof value === "string" && !value.includes("\0"))) return value;
  throw invalid(`${name} is not a text`);
}

/** Returns a member that is a list of texts; undefined when it is omitted. */
export function texts(members: Members, name: string): string[] | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\0"));
  if (!isList) throw invalid(`${name} is not a list of texts`);
  if (value.length > mostValues) throw invalid(`${name} has more than ${mostValues} values`);
  return value as string[];
}

/** Returns a boolean member; false when it is omitted. */
export function isTrue(members: Members, name: string): boolean {
  const value = members[name] ?? false;
  if (typeof value === "boolean") return value;
  throw invalid(`${name} is not true or false`);
}

/** Returns a member with one of a few texts; undefined when it is omitted. */
export function oneOf<const Value extends string>(
  members: Members,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const value = optionalText(members, name);
  if (value === undefined) return undefined;
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw invalid(`${name} is not one of: ${values.join(", ")}`);
  return known;
}

const invalid = (description: string): OAuthError => new OAuthError("invalid_client_metadata", description);
