import { decodeBase64Url } from "../base64url.ts";
import { isRecord } from "../json.ts";
import { JwtRefused } from "./refusal.ts";
import { parseStrictObject } from "./strict-json.ts";

/** Length of the longest token that is parsed, in characters. */
export const maximumTokenLength = 16 * 1024;

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const longestParameter = 256;
// Extensions that would change what is signed or checked (RFC 7515 §4.1.11, RFC 7797), and keys in the token itself.
const forbiddenParameters = ["crit", "b64", "zip", "enc", "jku", "x5u", "x5c"];

/** A parsed signed token. Nothing in it is proven yet. */
export interface CompactJws {
  readonly algorithm: string;
  /** Media type in lower case without `application/` (RFC 7515 §4.1.9). */
  readonly type: string | undefined;
  readonly keyId: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The bytes that the signature covers. */
  readonly signingInput: string;
  readonly signature: Buffer;
}

/** A signed token that contains the key for its own verification: a proof of possession, never an identity. */
export interface SelfSignedJws extends CompactJws {
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** Parses a token. Throws JwtRefused for anything but a signed token in compact form and canonical spelling. */
export function parseCompactJws(token: string): CompactJws {
  const { jwk, ...jws } = parse(token);
  // A token that contains its own key proves nothing (RFC 8725 §3.10).
  if (jwk !== undefined) throw new JwtRefused("header_forbidden");
  return jws;
}

/** Parses a token whose header must contain its key, such as a DPoP proof (RFC 9449 §4.2). Throws JwtRefused. */
export function parseSelfSignedJws(token: string): SelfSignedJws {
  const { jwk, ...jws } = parse(token);
  if (!isRecord(jwk)) throw new JwtRefused("header_malformed");
  return { ...jws, jwk };
}

function parse(token: string): CompactJws & { readonly jwk: unknown } {
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

function parseHeader(bytes: Buffer): Pick<CompactJws, "algorithm" | "type" | "keyId"> & { readonly jwk: unknown } {
  const header = parseStrictObject(bytes);
  if (header === undefined) throw new JwtRefused("header_malformed");
  if (forbiddenParameters.some((name) => Object.hasOwn(header, name))) throw new JwtRefused("header_forbidden");
  const algorithm = readText(header, "alg");
  if (algorithm === undefined) throw new JwtRefused("header_malformed");
  const type = readText(header, "typ")
    ?.toLowerCase()
    .replace(/^application\//, "");
  return { algorithm, type, keyId: readText(header, "kid"), jwk: header["jwk"] };
}

function readText(header: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(header, name) ? header[name] : undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value.length > longestParameter)
    throw new JwtRefused("header_malformed");
  return value;
}
