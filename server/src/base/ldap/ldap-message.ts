import { BerMalformed, boolean, type Element, element, integer, octets, readElements, readInteger } from "./ber.ts";

/**
 * A condition of a search. Values are sent as octets and never become part of a text, so that nothing in them can
 * change the condition (RFC 4515 §3 escapes them only in the string form, which is not used).
 */
type LdapFilter =
  | { readonly all: readonly LdapFilter[] }
  | { readonly any: readonly LdapFilter[] }
  | { readonly attribute: string; readonly equals: string };

export interface LdapSearch {
  readonly baseDn: string;
  readonly filter: LdapFilter;
  /** Names of the attributes to return. */
  readonly attributes: readonly string[];
  /** The server stops after this many entries. */
  readonly sizeLimit: number;
  readonly timeLimitSeconds: number;
}

export interface LdapEntry {
  readonly dn: string;
  /** The values by the name of the attribute, in lower case. */
  readonly attributes: ReadonlyMap<string, readonly Buffer[]>;
}

/** Result codes (RFC 4511 §A.1) on which behavior depends. */
export const resultCodes = {
  success: 0,
  sizeLimitExceeded: 4,
  strongerAuthRequired: 8,
  confidentialityRequired: 13,
  busy: 51,
  unavailable: 52,
} as const;

/** The tags of operations (RFC 4511 §4.2–4.12). */
export const operations = {
  bindRequest: 0x60,
  bindResponse: 0x61,
  unbindRequest: 0x42,
  searchRequest: 0x63,
  searchEntry: 0x64,
  searchDone: 0x65,
  searchReference: 0x73,
  extendedRequest: 0x77,
  extendedResponse: 0x78,
} as const;

const sequence = 0x30;
/** The first byte of every message. */
export const messageTag = sequence;
const version = 3;
const wholeSubtree = 2;
const neverDerefAliases = 0;
const startTlsName = "1.3.6.1.4.1.1466.20037";

/** Encodes a message: its id and an operation (RFC 4511 §4.1.1). */
export const encodeMessage = (messageId: number, operation: Buffer): Buffer =>
  element(sequence, integer(messageId), operation);

/** A simple bind (RFC 4513 §5.1.3). Callers refuse empty names and passwords: both would be anonymous (§5.1.1–2). */
export const encodeBind = (name: string, password: string): Buffer =>
  element(operations.bindRequest, integer(version), octets(name), octets(password, 0x80));

export const encodeUnbind = (): Buffer => element(operations.unbindRequest);

/** The request to start TLS (RFC 4511 §4.14.1). */
export const encodeStartTls = (): Buffer => element(operations.extendedRequest, octets(startTlsName, 0x80));

export const encodeSearch = ({ baseDn, filter, attributes, sizeLimit, timeLimitSeconds }: LdapSearch): Buffer =>
  element(
    operations.searchRequest,
    octets(baseDn),
    integer(wholeSubtree, 0x0a),
    integer(neverDerefAliases, 0x0a),
    integer(sizeLimit),
    integer(timeLimitSeconds),
    boolean(false),
    encodeFilter(filter),
    element(sequence, ...attributes.map((name) => octets(name))),
  );

function encodeFilter(filter: LdapFilter): Buffer {
  if ("all" in filter) return element(0xa0, ...filter.all.map(encodeFilter));
  if ("any" in filter) return element(0xa1, ...filter.any.map(encodeFilter));
  return element(0xa3, octets(filter.attribute), octets(filter.equals));
}

export interface LdapMessage {
  readonly messageId: number;
  readonly operation: Element;
}

/** Reads a message; controls are ignored. Throws BerMalformed. */
export function decodeMessage({ tag, content }: Element): LdapMessage {
  const [id, operation] = tag === sequence ? readElements(content) : [];
  if (id?.tag !== 0x02 || operation === undefined) throw new BerMalformed("message");
  return { messageId: readInteger(id), operation };
}

/** Reads the result code of a response; referrals in it are not followed. Throws BerMalformed. */
export function decodeResult({ content }: Element): number {
  const [code] = readElements(content);
  if (code?.tag !== 0x0a) throw new BerMalformed("result");
  return readInteger(code);
}

const longestDn = 8192;

/** Reads an entry. Throws BerMalformed. */
export function decodeEntry({ content }: Element): LdapEntry {
  const [dn, list] = readElements(content);
  if (dn?.tag !== 0x04 || dn.content.length > longestDn || list?.tag !== sequence) throw new BerMalformed("entry");
  const attributes = new Map<string, readonly Buffer[]>();
  for (const { tag, content: attribute } of readElements(list.content)) {
    const [type, values] = tag === sequence ? readElements(attribute) : [];
    if (type?.tag !== 0x04 || values?.tag !== 0x31) throw new BerMalformed("attribute");
    const name = type.content.toString("utf8").toLowerCase();
    // An attribute occurs once, with all of its values (RFC 4511 §4.1.7).
    if (attributes.has(name)) throw new BerMalformed("attribute");
    const read = readElements(values.content).map((value) => value.content);
    attributes.set(name, read);
  }
  return { dn: dn.content.toString("utf8"), attributes };
}
