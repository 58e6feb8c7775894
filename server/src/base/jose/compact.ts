import { decodeBase64Url } from "../base64url.ts";
import { JwtRefused } from "./refusal.ts";
import { parseStrictObject } from "./strict-json.ts";

/** Longest token that is looked at, in characters. */
export const maximumTokenLength = 16 * 1024;

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const longestParameter = 256;
// Extensions that would change what is signed or checked (RFC 7515 §4.1.11, RFC 7797), and keys that the token brings itself.
const forbiddenParameters = ["crit", "b64", "zip", "enc", "jwk", "jku", "x5u", "x5c"];

/** A signed token, taken apart. Nothing in it is proven yet. */
export interface CompactJws {
  readonly algorithm: string;
  /** Media type in lower case without `application/` (RFC 7515 §4.1.9). */
  readonly type: string | undefined;
  readonly keyId: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the signature is over. */
  readonly signingInput: string;
  readonly signature: Buffer;
}

/** Takes a token apart. Throws JwtRefused for whatever is not a signed token in compact form and canonical spelling. */
export function parseCompactJws(token: string): CompactJws {
  if (token.length > maximumTokenLength) throw new JwtRefused("too_long");
  if (!compactForm.test(token)) throw new JwtRefused("not_compact");
  const headerEnd = token.indexOf(".");
  const payloadEnd = token.lastIndexOf(".");
  const header = decodeBase64Url(token.slice(0, headerEnd));
  const payload = decodeBase64Url(token.slice(headerEnd + 1, payloadEnd));
  const signature = decodeBase64Url(token.slice(payloadEnd + 1));
  if (header === undefined || payload === undefined || signature === undefined) throw new JwtRefused("not_canonical");
  const parameters = parseHeader(header);
  const claims = parseStrictObject(payload);
  if (claims === undefined) throw new JwtRefused("payload_malformed");
  return { ...parameters, claims, signingInput: token.slice(0, payloadEnd), signature };
}

function parseHeader(bytes: Buffer): Pick<CompactJws, "algorithm" | "type" | "keyId"> {
  const header = parseStrictObject(bytes);
  if (header === undefined) throw new JwtRefused("header_malformed");
  if (forbiddenParameters.some((name) => Object.hasOwn(header, name))) throw new JwtRefused("header_forbidden");
  const algorithm = readText(header, "alg");
  if (algorithm === undefined) throw new JwtRefused("header_malformed");
  const type = readText(header, "typ")
    ?.toLowerCase()
    .replace(/^application\//, "");
  return { algorithm, type, keyId: readText(header, "kid") };
}

function readText(header: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(header, name) ? header[name] : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value.length > longestParameter)
    throw new JwtRefused("header_malformed");
  return value;
}
