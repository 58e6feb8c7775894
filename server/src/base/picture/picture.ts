/** Properties of a picture, read from its first bytes. */
export interface Picture {
  readonly contentType: "image/png" | "image/jpeg" | "image/webp" | "image/svg+xml";
  /** File name ending. */
  readonly ending: "png" | "jpg" | "webp" | "svg";
  /** Pixels; absent for drawings, which have no size in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Detects the format of a picture from its bytes, never from a claimed type. Returns undefined for anything but the
 * four formats.
 */
export const readPicture = (bytes: Buffer): Picture | undefined =>
  readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readSvg(bytes);

const pngSignature = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

// PNG (third edition) §5.2, §11.2.1: the signature, and the header as the first chunk.
function readPng(bytes: Buffer): Picture | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(pngSignature)) return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return { contentType: "image/png", ending: "png", size };
}

// Markers that start a frame (ITU-T T.81 table B.1): C0 to CF without C4, C8 and CC.
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readJpeg(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  // Segment after segment: a marker, and a length that counts itself.
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      const size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      return { contentType: "image/jpeg", ending: "jpg", size };
    }
    if (length < 2 || marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + length;
  }
  return undefined;
}

// RFC 9649 §2.4 to §2.7: the container states its own length, and the type of its first chunk.
function readWebp(bytes: Buffer): Picture | undefined {
  if (bytes.length < 30 || latin(bytes, 0, 4) !== "RIFF" || latin(bytes, 8, 12) !== "WEBP") return undefined;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const size = webpSize(bytes);
  return size && { contentType: "image/webp", ending: "webp", size };
}

function webpSize(bytes: Buffer): Picture["size"] {
  switch (latin(bytes, 12, 16)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const latin = (bytes: Buffer, from: number, to: number): string => bytes.toString("latin1", from, to);

// What may precede the root: a declaration, comments, and a document type without definitions of its own.
const beforeRoot = /^(?:\s+|<\?[^>]{0,500}\?>|<!--[^>]{0,2000}?-->|<!doctype svg[^[>]{0,500}>)/i;

function readSvg(bytes: Buffer): Picture | undefined {
  let text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  for (let before = beforeRoot.exec(text); before !== null; before = beforeRoot.exec(text)) {
    if (hasOtherEncoding(before[0])) return undefined;
    text = text.slice(before[0].length);
  }
  return /^<svg[\s>]/.test(text) && !canDoMore(text) ? { contentType: "image/svg+xml", ending: "svg" } : undefined;
}

// What is looked at here must be what a browser reads: in another encoding the same bytes spell other words.
const hasOtherEncoding = (declaration: string): boolean =>
  /^<\?xml\s/i.test(declaration) && /encoding\s*=\s*["'](?!utf-?8["'])/i.test(declaration);

/**
 * Returns whether a drawing could do more than be drawn. It is shown as an image, under a policy that forbids scripts;
 * active content is rejected all the same, and so are definitions of entities. Elements may have any prefix, and
 * addresses may be written with character references, with blanks in between.
 */
function canDoMore(text: string): boolean {
  if (/<!entity|<!doctype|\son[a-z]+\s*=/i.test(text)) return true;
  if (/<(?:[^\s<>/:]+:)?(?:script|foreignobject|iframe|embed|object|handler|listener)[\s/>]/i.test(text)) return true;
  const addresses = withoutReferences(text).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, "");
  return /(?:javascript|vbscript):|data:(?:text|application)\/(?:html|xml|xhtml|[a-z.-]*script)/i.test(addresses);
}

const withoutReferences = (text: string): string =>
  text.replaceAll(/&#(?:x([0-9a-f]{1,8})|([0-9]{1,8}));?/gi, (_, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
