import { deflateSync } from "node:zlib";
import type { TestServer } from "../../support/servers/server.ts";

/** Returns a PNG file of a size; `mark` makes two of them differ. */
export function png(width: number, height: number, mark = 0): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([mark]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a JPEG header that declares a size, after a segment of an application. */
export function jpeg(width: number, height: number): Buffer {
  const application = [0xff, 0xe0, 0, 4, 1, 2];
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const frame = [0xff, 0xc0, 0, 11, 8, ...size, 1, 1, 0x11, 0];
  return Buffer.from([0xff, 0xd8, ...application, ...frame, 0xff, 0xd9]);
}

/** Returns a WebP file (lossless) with a header that declares a size. */
export function webp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(32, 4);
  bytes.write("WEBPVP8L", 8, "latin1");
  bytes.writeUInt32LE(20, 16);
  bytes[20] = 0x2f;
  bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  return bytes;
}

export const svg = (inner = ""): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inner}</svg>`,
  );

/** Returns the header of a WOFF2 font, filled up to a length. */
export function font(length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write("wOF2", 0, "latin1");
  bytes.writeUInt32BE(length, 8);
  bytes.writeUInt32BE(4096, 16);
  return bytes;
}

/** Returns a font of one table, in the container of TTF and OTF files. */
export function openTypeFont(signature: "\0\x01\0\0" | "OTTO", length = 64): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.write(signature, 0, "latin1");
  bytes.writeUInt16BE(1, 4);
  bytes.write("head", 12, "latin1");
  bytes.writeUInt32BE(28, 20);
  bytes.writeUInt32BE(length - 28, 24);
  return bytes;
}

export interface Upload {
  readonly token?: string | null;
  readonly organizationId?: string;
  readonly field?: string;
  readonly method?: string;
}

/** Sends a file as a form does. */
export async function upload(
  server: TestServer,
  path: string,
  bytes: Uint8Array,
  { token = server.ownerToken, organizationId, field = "file" }: Upload = {},
) {
  const form = new FormData();
  form.set(field, new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "text/html" }), "evil.html");
  const response = await fetch(`${server.origin}/assets/v1/${path}`, {
    method: "POST",
    body: form,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(organizationId !== undefined && { "x-service-orgid": organizationId }),
    },
  });
  const text = await response.text();
  const body = text === "" ? undefined : (JSON.parse(text) as { details?: { id: string }[] });
  return { status: response.status, id: body?.details?.[0]?.id };
}
