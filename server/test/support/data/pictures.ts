import { crc32, deflateSync } from "node:zlib";

/** A chunk of a PNG file. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([word(data.length), named, word(crc32(named))]);
}

/** A whole PNG file of one grey; `extra` stands before its pixels. */
export function realPng(width: number, height: number, { grey = 0x80, extra = [] as readonly Buffer[] } = {}): Buffer {
  const rows = Buffer.alloc((width + 1) * height, grey);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const header = Buffer.concat([word(width), word(height), Buffer.from([8, 0, 0, 0, 0])]);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", header),
    ...extra,
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A segment of a JPEG file. */
export const jpegSegment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data]);

/** A JPEG file as far as it can be read without unfolding it; `extra` stands where cameras write. */
export const wholeJpeg = (width: number, height: number, extra: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from("JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0", "latin1")),
    ...extra,
    jpegSegment(0xc0, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    // Pixels, with a stuffed zero and a restart.
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ]);

/**
 * What a camera writes into a JPEG file: how it was held, and where (a pointer, and text that stands for the place).
 */
export const exif = (orientation: number): Buffer =>
  jpegSegment(
    0xe1,
    Buffer.concat([
      Buffer.from("Exif\0\0II*\0\u0008\0\0\0\u0002\0", "latin1"),
      Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]),
      Buffer.from([0x25, 0x88, 4, 0, 1, 0, 0, 0, 0x26, 0, 0, 0]),
      Buffer.from("\0\0\0\0GPS 47.3769 N 8.5417 E", "latin1"),
    ]),
  );

/** A chunk of a WebP file. */
export const webpChunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, "latin1"), length, data, Buffer.alloc(data.length % 2)]);
};

/** A WebP file of these chunks. */
export function webpOf(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from("RIFF", "latin1"), length, body]);
}

/** An extended WebP file (RFC 9649 §2.7) of a size, with everything that one can carry. */
export function richWebp(width: number, height: number): Buffer {
  const header = Buffer.alloc(10);
  header[0] = 0x20 | 0x10 | 0x08 | 0x04;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const pixels = Buffer.alloc(9);
  pixels[0] = 0x2f;
  pixels.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  return webpOf(
    webpChunk("VP8X", header),
    webpChunk("ICCP", Buffer.from("colours")),
    webpChunk("VP8L", pixels),
    webpChunk("EXIF", Buffer.from("GPS 47.3769 N")),
    webpChunk("XMP ", Buffer.from("<x:xmpmeta>me</x:xmpmeta>")),
  );
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
