import { verify } from "node:crypto";
import { promisify } from "node:util";
import { deflateRawSync, inflateRaw } from "node:zlib";
import { cryptoInput, schemeNamed, schemeOf } from "./algorithms.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { writeXml } from "./build-xml.ts";
import { documentLimits } from "./document-limits.ts";
import { SamlRefused } from "./saml-refused.ts";
import { type SamlSigner, signBytes } from "./sign-element.ts";
import type { SignatureRules } from "./verify-signature.ts";
import type { XmlElement } from "./xml-element.ts";

const inflate = promisify(inflateRaw);

/** The parameter that carries a message. */
export type SamlParameter = "SAMLRequest" | "SAMLResponse";

/** A message as it came in a query (SAML Bindings §3.4). Nothing of it is proven. */
export interface RedirectMessage {
  readonly parameter: SamlParameter;
  /** Decompressed; `readXml` reads it. */
  readonly message: Buffer;
  readonly relayState: string | undefined;
  /** The octets that a signature covers, as they came, and the signature; undefined for an unsigned message. */
  readonly signature: { readonly signed: string; readonly algorithm: string; readonly value: Buffer } | undefined;
}

/**
 * Reads the message in a raw query, without the question mark. Each parameter may occur once. Decompression ends at the
 * size of the largest request: only requests, and answers about a logout, come in a query. Throws SamlRefused.
 */
export async function readRedirect(query: string, parameter: SamlParameter): Promise<RedirectMessage> {
  const raw = rawParameters(query);
  const encoded = raw.get(parameter);
  const isDeflated = decodeValue(raw.get("SAMLEncoding") ?? deflateEncoding) === deflateEncoding;
  if (encoded === undefined || !isDeflated) throw new SamlRefused("malformed");
  const packed = decodeBase64(decodeValue(encoded));
  if (packed === undefined) throw new SamlRefused("malformed");
  const relayState = raw.get("RelayState");
  return {
    parameter,
    message: await unpack(packed),
    relayState: relayState === undefined ? undefined : decodeValue(relayState),
    signature: signatureOf(raw, parameter),
  };
}

const deflateEncoding = "urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE";

/** Proves that a key of the partner signed the query as it came (SAML Bindings §3.4.4.1). Throws SamlRefused. */
export function verifyRedirect({ signature }: RedirectMessage, { keys, allowsSha1 = false }: SignatureRules): void {
  if (signature === undefined) throw new SamlRefused("unsigned");
  const scheme = schemeNamed(signature.algorithm, allowsSha1);
  if (scheme === undefined) throw new SamlRefused("algorithm");
  const signed = Buffer.from(signature.signed, "utf8");
  const isGood = keys.some((key) => {
    const input = cryptoInput(key, scheme);
    return input !== undefined && verify(scheme.hash, signed, input, signature.value);
  });
  if (!isGood) throw new SamlRefused("signature");
}

export interface RedirectTo {
  readonly destination: string;
  readonly parameter: SamlParameter;
  readonly message: XmlElement;
  readonly relayState?: string | undefined;
  /** Signs the query; the message itself has no signature with this binding. */
  readonly signer?: SamlSigner | undefined;
}

/** Returns the address that carries a message in its query. */
export async function writeRedirect({ destination, parameter, message, ...given }: RedirectTo): Promise<string> {
  const { relayState, signer } = given;
  const packed = encodeBase64(deflateRawSync(Buffer.from(writeXml(message), "utf8")));
  const parts = [`${parameter}=${encodeURIComponent(packed)}`];
  if (relayState !== undefined) parts.push(`RelayState=${encodeURIComponent(relayState)}`);
  if (signer !== undefined) {
    parts.push(`SigAlg=${encodeURIComponent(schemeOf(signer.algorithm).uri)}`);
    parts.push(`Signature=${encodeURIComponent(await signBytes(parts.join("&"), signer))}`);
  }
  return `${destination}${destination.includes("?") ? "&" : "?"}${parts.join("&")}`;
}

async function unpack(packed: Buffer): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: documentLimits.request.bytes });
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new SamlRefused(isLarge ? "too_large" : "malformed");
  }
}

/** Returns the parameters of a query as they came, because a signature covers their encoding. */
function rawParameters(query: string): ReadonlyMap<string, string> {
  const raw = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decodeValue(at < 0 ? pair : pair.slice(0, at));
    if (raw.has(name)) throw new SamlRefused("malformed");
    raw.set(name, at < 0 ? "" : pair.slice(at + 1));
  }
  return raw;
}

function signatureOf(raw: ReadonlyMap<string, string>, parameter: SamlParameter): RedirectMessage["signature"] {
  const [algorithm, encoded] = [raw.get("SigAlg"), raw.get("Signature")];
  if (algorithm === undefined && encoded === undefined) return undefined;
  const value = encoded === undefined ? undefined : decodeBase64(decodeValue(encoded));
  if (algorithm === undefined || value === undefined) throw new SamlRefused("signature_form");
  const covered = [parameter, "RelayState", "SigAlg"].filter((name) => raw.has(name));
  const signed = covered.map((name) => `${name}=${raw.get(name)}`).join("&");
  return { signed, algorithm: decodeValue(algorithm), value };
}

function decodeValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new SamlRefused("malformed");
  }
}
