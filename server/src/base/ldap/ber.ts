/** One element of the Basic Encoding Rules (X.690), with a tag of one byte. */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** Thrown for bytes that are not the encoding that LDAP permits. */
export class BerMalformed extends Error {
  override readonly name = "BerMalformed";
}

/** Encodes an element: its tag, its length, and its parts one after the other. */
export function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(length), ...parts]);
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const octets = wholeNumber(length);
  return Buffer.concat([Buffer.from([0x80 + octets.length]), octets]);
}

function wholeNumber(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  const first = octets.findIndex((octet) => octet !== 0);
  return octets.subarray(first < 0 ? 3 : first);
}

/** Encodes an integer or an enumerated value from 0 to 2^31-1. */
export function integer(value: number, tag = 0x02): Buffer {
  const octets = wholeNumber(value);
  // The first bit is the sign.
  return element(tag, (octets[0] ?? 0) < 0x80 ? octets : Buffer.concat([Buffer.from([0]), octets]));
}

export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));

/** Encodes octets, or a text as UTF-8 (RFC 4511 §4.1.2). */
export const octets = (value: string | Buffer, tag = 0x04): Buffer =>
  element(tag, typeof value === "string" ? Buffer.from(value, "utf8") : value);

/**
 * Reads the element at the beginning of the bytes; undefined while its end has not arrived. Throws BerMalformed for
 * what LDAP does not permit (RFC 4511 §5.1: only definite lengths), and for a length beyond `maximum`.
 */
export function readElement(
  bytes: Buffer,
  maximum: number,
): { readonly element: Element; readonly rest: Buffer } | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  if ((tag & 0x1f) === 0x1f) throw new BerMalformed("tag of several bytes");
  const count = first < 0x80 ? 0 : first - 0x80;
  if (first === 0x80 || count > 4) throw new BerMalformed("length");
  const start = 2 + count;
  if (bytes.length < start) return undefined;
  const length = count === 0 ? first : bytes.readUIntBE(2, count);
  if (length > maximum) throw new BerMalformed("too long");
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { element: { tag, content: bytes.subarray(start, end) }, rest: bytes.subarray(end) };
}

/** Reads all elements that the bytes consist of. Throws BerMalformed. */
export function readElements(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const read = readElement(rest, rest.length);
    if (read === undefined) throw new BerMalformed("truncated");
    elements.push(read.element);
    rest = read.rest;
  }
  return elements;
}

/** Reads an integer or an enumerated value that is not negative and has at most 31 bits. Throws BerMalformed. */
export function readInteger({ content }: Element): number {
  if (content.length < 1 || content.length > 4) throw new BerMalformed("integer");
  const value = content.readIntBE(0, content.length);
  if (value < 0) throw new BerMalformed("integer");
  return value;
}
