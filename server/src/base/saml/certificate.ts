import { createPublicKey, hash, type KeyObject, sign, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { type Instant, toIso } from "../clock.ts";
import { generateKeyPair, type KeyPairKind } from "../key-pair.ts";
import { hasInvisible } from "../names/canonical.ts";
import type { Random } from "../random.ts";
import { Secret } from "../secret.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { SamlRefused } from "./saml-refused.ts";

const signInPool = promisify(sign);

/** A key of ours for SAML, with the certificate that presents it to partners. */
export interface SamlKeyPair {
  /** PKCS #8 in PEM. */
  readonly privateKey: Secret;
  /** DER in base64. */
  readonly certificate: string;
}

export interface NewSamlKeyPair {
  readonly random: Random;
  readonly commonName: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** Aborted when the caller has gone: what still waits is not generated. */
  readonly signal?: AbortSignal | undefined;
}

/** Our keys for SAML. */
export const samlKeyPairKind = { kind: "rsa", bits: 3072 } as const satisfies KeyPairKind;

/**
 * Generates an RSA key of 3072 bits and its self-signed certificate (RFC 5280 §4.1), in which partners read the key
 * only, when its turn comes (`generateKeyPair`): never inside a change.
 */
export async function generateSamlKeyPair(given: NewSamlKeyPair): Promise<SamlKeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(samlKeyPairKind, given.signal);
  const name = sequence(set(sequence(objectId("550403"), tagged(0x0c, Buffer.from(given.commonName, "utf8")))));
  // RFC 5280 §4.1.2.2: positive, and at most 20 octets.
  const serial = given.random(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    sha256WithRsa,
    name,
    sequence(time(given.notBefore), time(given.notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = await signInPool("sha256", signed, privateKey);
  const der = sequence(signed, sha256WithRsa, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    privateKey: new Secret(privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    certificate: encodeBase64(der),
  };
}

/**
 * Returns the public key in a certificate (DER in base64) of a partner's metadata: RSA of 2048 to 8192 bits, or a NIST
 * curve. Names and dates in it prove nothing here: the metadata does. Throws SamlRefused.
 */
export function readCertificate(text: string): { readonly key: KeyObject; readonly certificate: string } {
  const der = decodeBase64(text);
  const key = der === undefined ? undefined : keyIn(der);
  if (der === undefined || key === undefined || !isAccepted(key)) throw new SamlRefused("metadata");
  return { key, certificate: encodeBase64(der) };
}

function keyIn(der: Buffer): KeyObject | undefined {
  try {
    // Exported again, because the key object of a certificate keeps the certificate.
    return createPublicKey(new X509Certificate(der).publicKey.export({ type: "spki", format: "pem" }));
  } catch {
    return undefined;
  }
}

const curves = ["prime256v1", "secp384r1", "secp521r1"];

function isAccepted({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (asymmetricKeyType === "ec") return curves.includes(details?.namedCurve ?? "");
  const bits = details?.modulusLength ?? 0;
  return asymmetricKeyType === "rsa" && bits >= 2048 && bits <= 8192;
}

/** Returns a certificate (DER in base64) in PEM. */
export const toCertificatePem = (certificate: string): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`;

/** Returns the SHA-256 of a certificate (DER in base64) as administrators compare it: hexadecimal with colons. */
export const certificateFingerprint = (certificate: string): string =>
  hash("sha256", Buffer.from(certificate, "base64"), "hex")
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$&:");

/** What administrators see of a certificate of a partner. Only the fingerprint says whose key is in it. */
interface CertificateFacts {
  readonly fingerprint: string;
  /** The name in it, as its holder chose it; empty when it cannot be read. */
  readonly subject: string;
  /** Undefined when it is no date, or in no year from 1 to 9999. */
  readonly notBefore: Instant | undefined;
  readonly notAfter: Instant | undefined;
}

/** Describes a certificate (DER in base64) that `readCertificate` returned. */
export function describeCertificate(certificate: string): CertificateFacts {
  const read = parse(Buffer.from(certificate, "base64"));
  return {
    fingerprint: certificateFingerprint(certificate),
    subject: read === undefined ? "" : toVisible(read.subject),
    notBefore: toInstant(read?.validFromDate),
    notAfter: toInstant(read?.validToDate),
  };
}

function parse(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

const longestSubject = 200;

// One attribute on each line; line breaks and commas inside of them are escaped.
const toVisible = (subject: string): string =>
  [...subject.replaceAll("\n", ", ")]
    .slice(0, longestSubject)
    .map((character) => (hasInvisible(character) ? "\ufffd" : character))
    .join("");

function toInstant(date: Date | undefined): Instant | undefined {
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return year >= 1 && year <= 9999 ? date?.getTime() : undefined;
}

// DER (ITU-T X.690): tag, length, content.
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  const digits = size.subarray(size.findIndex((digit) => digit !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (part: Buffer): Buffer => tagged(0x31, part);
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const sha256WithRsa = sequence(objectId("2a864886f70d01010b"), tagged(0x05, Buffer.alloc(0)));

// RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime from 2050.
function time(instant: Instant): Buffer {
  const digits = `${toIso(instant).slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits, "latin1"));
}
