import { constants, createDecipheriv, type KeyObject, privateDecrypt } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { type ContentCipher, contentCiphers, keyTransports } from "./encryption.ts";
import { namespaces } from "./names.ts";
import { readXml } from "./read-xml.ts";
import { SamlRefused } from "./saml-refused.ts";
import { attributeOf, childOf, childrenOf, elementsIn, onlyChildOf, textIn, type XmlElement } from "./xml-element.ts";

export interface DecryptionRules {
  /** Our private keys: the current one, and former ones that partners may still use. */
  readonly keys: readonly KeyObject[];
  /** Whether CBC is accepted. Its errors tell an attacker what is inside, so only where it cannot be avoided. */
  readonly allowsCbc?: boolean;
}

/**
 * Returns the element in an `EncryptedAssertion` or the like, read as strictly as any document. Decryption proves
 * nothing about its author. Whatever fails, the error is the same.
 */
export async function decryptElement(encrypted: XmlElement, rules: DecryptionRules): Promise<XmlElement> {
  try {
    const data = onlyChildOf(encrypted, "xenc", "EncryptedData");
    const method = contentMethod(data, rules);
    const sealed = cipherValue(data);
    const keys = encryptedKeys(encrypted, data);
    const content = keys
      .flatMap((key) => rules.keys.map((own) => unwrap(key, own)))
      .flatMap((key) => decipher(method, key, sealed) ?? []);
    const [first] = content;
    if (first === undefined) throw new SamlRefused("decryption");
    return await readXml(first);
  } catch (error) {
    if (error instanceof SamlRefused || error instanceof TypeError) throw new SamlRefused("decryption");
    throw error;
  }
}

function contentMethod(data: XmlElement, { allowsCbc = false }: DecryptionRules): ContentCipher {
  const uri = attributeOf(onlyChildOf(data, "xenc", "EncryptionMethod"), "Algorithm") ?? "";
  const method: ContentCipher | undefined = Object.hasOwn(contentCiphers, uri)
    ? contentCiphers[uri as keyof typeof contentCiphers]
    : undefined;
  if (method === undefined || !(method.isAuthentic || allowsCbc)) throw new SamlRefused("decryption");
  return method;
}

// SAML Core §2.2.4: the keys stand in the data's KeyInfo, or beside the data. Few, because each costs a decryption.
function encryptedKeys(encrypted: XmlElement, data: XmlElement): readonly XmlElement[] {
  const info = childOf(data, "ds", "KeyInfo");
  const inside = info === undefined ? [] : childrenOf(info, "xenc", "EncryptedKey");
  const keys = [...inside, ...childrenOf(encrypted, "xenc", "EncryptedKey")];
  if (keys.length > 4) throw new SamlRefused("decryption");
  return keys;
}

/** Returns the content key, or undefined when it is not for this key of ours. */
function unwrap(encryptedKey: XmlElement, key: KeyObject): Buffer | undefined {
  const oaepHash = transportHash(onlyChildOf(encryptedKey, "xenc", "EncryptionMethod"));
  const wrapped = cipherValue(encryptedKey);
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, wrapped);
  } catch {
    return undefined;
  }
}

// RSA-OAEP only: PKCS #1 v1.5 is an oracle (Bleichenbacher). Digest and mask are over the same hash, as OpenSSL has it.
function transportHash(method: XmlElement): "sha1" | "sha256" | "sha384" | "sha512" {
  const uri = attributeOf(method, "Algorithm");
  const digest = childOf(method, "ds", "DigestMethod");
  const mask = childOf(method, "xenc11", "MGF");
  const isOther = elementsIn(method).some((child) => child !== digest && child !== mask);
  const isNewer = uri === keyTransports.newer;
  if (isOther || (!isNewer && uri !== keyTransports.older)) throw new SamlRefused("decryption");
  const hash = digestHashes[digest === undefined ? `${namespaces.ds}sha1` : (attributeOf(digest, "Algorithm") ?? "")];
  const maskUri = mask === undefined ? `${namespaces.xenc11}mgf1sha1` : (attributeOf(mask, "Algorithm") ?? "");
  const maskHash = isNewer ? maskHashes[maskUri] : "sha1";
  if (hash === undefined || hash !== maskHash) throw new SamlRefused("decryption");
  return hash;
}

type TransportHash = ReturnType<typeof transportHash>;

const digestHashes: Readonly<Record<string, TransportHash | undefined>> = {
  [`${namespaces.ds}sha1`]: "sha1",
  [`${namespaces.xenc}sha256`]: "sha256",
  "http://www.w3.org/2001/04/xmldsig-more#sha384": "sha384",
  [`${namespaces.xenc}sha512`]: "sha512",
};

const maskHashes: Readonly<Record<string, TransportHash | undefined>> = {
  [`${namespaces.xenc11}mgf1sha1`]: "sha1",
  [`${namespaces.xenc11}mgf1sha256`]: "sha256",
  [`${namespaces.xenc11}mgf1sha384`]: "sha384",
  [`${namespaces.xenc11}mgf1sha512`]: "sha512",
};

function cipherValue(element: XmlElement): Buffer {
  const value = decodeBase64(textIn(onlyChildOf(onlyChildOf(element, "xenc", "CipherData"), "xenc", "CipherValue")));
  if (value === undefined) throw new SamlRefused("decryption");
  return value;
}

function decipher(
  { cipher, keySize, ivSize, isAuthentic }: ContentCipher,
  key: Buffer | undefined,
  sealed: Buffer,
): Buffer | undefined {
  const tagSize = isAuthentic ? 16 : 0;
  if (key?.length !== keySize || sealed.length <= ivSize + tagSize) return undefined;
  const iv = sealed.subarray(0, ivSize);
  const content = sealed.subarray(ivSize, sealed.length - tagSize);
  try {
    return isAuthentic
      ? decipherGcm(cipher as "aes-256-gcm", { key, iv, content, tag: sealed.subarray(sealed.length - tagSize) })
      : decipherCbc(cipher, { key, iv, content });
  } catch {
    return undefined;
  }
}

interface Sealed {
  readonly key: Buffer;
  readonly iv: Buffer;
  readonly content: Buffer;
}

function decipherGcm(cipher: "aes-256-gcm", { key, iv, content, tag }: Sealed & { readonly tag: Buffer }): Buffer {
  const open = createDecipheriv(cipher, key, iv, { authTagLength: 16 });
  open.setAuthTag(tag);
  return Buffer.concat([open.update(content), open.final()]);
}

// XML Encryption §5.2: the last byte says how long the padding is; its other bytes are arbitrary.
function decipherCbc(cipher: string, { key, iv, content }: Sealed): Buffer | undefined {
  const open = createDecipheriv(cipher, key, iv);
  open.setAutoPadding(false);
  const padded = Buffer.concat([open.update(content), open.final()]);
  const padding = padded.at(-1) ?? 0;
  return padding < 1 || padding > iv.length ? undefined : padded.subarray(0, padded.length - padding);
}
