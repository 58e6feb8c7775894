import { Fault } from "../base/fault.ts";

/** What says how a body is encoded. */
interface BodyHeaders {
  get(name: string): string | null;
}

const plain = /^application\/json\b/i;
const framed = /^application\/grpc(-web)?\+json\b/i;
const lengthOfPrefix = 5;

/**
 * Returns the JSON of a request as the Connect library has read it, whatever the transport: plain (Connect), or with
 * the prefix of gRPC and gRPC-Web. Undefined for a request in binary. The library accepts no compression; a compressed
 * body that came this far is refused, because what is in it was not looked at.
 */
export function jsonOfBody(headers: BodyHeaders, received: readonly Uint8Array[]): unknown {
  const type = headers.get("content-type") ?? "";
  const isFramed = framed.test(type);
  if (!isFramed && !plain.test(type)) {
    if (/json/i.test(type)) throw unreadable();
    return undefined;
  }
  const encoding = headers.get(isFramed ? "grpc-encoding" : "content-encoding") ?? "identity";
  const bytes = Buffer.concat(received);
  const isCompressed = isFramed ? ((bytes[0] ?? 0) & 1) === 1 : encoding.toLowerCase() !== "identity";
  if (isCompressed) throw unreadable();
  const message = isFramed ? bytes.subarray(lengthOfPrefix, lengthOfPrefix + lengthIn(bytes)) : bytes;
  // As the library decodes it: a byte order mark is no part of the message.
  const text = new TextDecoder().decode(message);
  return JSON.parse(text === "" ? "{}" : text);
}

const lengthIn = (bytes: Buffer): number => (bytes.length < lengthOfPrefix ? 0 : bytes.readUInt32BE(1));

const unreadable = (): Fault => new Fault("invalid_argument", "request.wrong_form");
