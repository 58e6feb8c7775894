import { OAuthError } from "../base/oauth-error.ts";

/** Parameters of a request, each with one value. */
export type Parameters = ReadonlyMap<string, string>;

/** Thrown for a form with a repeated parameter; carries the parameters that are valid. */
export class RepeatedParameter extends OAuthError {
  /** The parameters with one value, so that an error can still be returned to the client. */
  readonly others: Parameters;

  constructor(name: string, others: Parameters) {
    super("invalid_request", `parameter ${name} is given more than once`);
    this.others = others;
  }
}

const maximumParameters = 100;

/**
 * Reads `application/x-www-form-urlencoded` text, of a body or of a query. A parameter without a value counts as
 * omitted. A repeated one is refused (RFC 6749 §3.1, §3.2), except those that their standard lets repeat: their values
 * are joined by spaces. Percent-encoding must be valid UTF-8.
 */
export function parseParameters(text: string, repeatable: readonly string[] = []): Parameters {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const repeated: string[] = [];
  const pairs = text === "" ? [] : text.split("&", maximumParameters + 1);
  if (pairs.length > maximumParameters) throw new OAuthError("invalid_request", "too many parameters");
  for (const pair of pairs) {
    if (pair === "") continue;
    const separator = pair.indexOf("=");
    const name = decode(separator < 0 ? pair : pair.slice(0, separator));
    const value = separator < 0 ? "" : decode(pair.slice(separator + 1));
    const isRepeatable = repeatable.includes(name);
    if (seen.has(name) && !isRepeatable) repeated.push(name);
    seen.add(name);
    if (value !== "") values.set(name, isRepeatable ? [values.get(name) ?? [], value].flat().join(" ") : value);
  }
  if (repeated.length > 0) {
    for (const name of repeated) values.delete(name);
    throw new RepeatedParameter(repeated[0] ?? "", values);
  }
  return values;
}

/** Reads the form of a body; refuses any other content type. */
export function parseForm(
  contentType: string | undefined,
  body: string,
  repeatable: readonly string[] = [],
): Parameters {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "the body must be application/x-www-form-urlencoded");
  }
  return parseParameters(body, repeatable);
}

/** Returns a required parameter. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `parameter ${name} is missing`);
  return value;
}

function decode(text: string): string {
  if (!/[%+\0]/.test(text)) return text;
  let value: string;
  try {
    value = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new OAuthError("invalid_request", "a parameter is not well-formed percent-encoded UTF-8");
  }
  if (value.includes("\0")) throw new OAuthError("invalid_request", "a parameter contains a NUL character");
  return value;
}
