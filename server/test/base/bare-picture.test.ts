import assert from "node:assert/strict";
import { test } from "node:test";
import { barePicture } from "../../src/base/picture/bare-picture.ts";
import { svg } from "../branding/support/files.ts";
import {
  exif,
  jpegSegment,
  pngChunk,
  realPng,
  richWebp,
  webpChunk,
  webpOf,
  wholeJpeg,
} from "../support/data/pictures.ts";

const secret = "GPS 47.3769 N";
const text = Buffer.from(`Comment\0${secret}`);

const bare = (bytes: Buffer): Buffer => {
  const picture = barePicture(bytes);
  assert.ok(picture);
  return picture.bytes;
};

test("a picture that carries nothing stays as it is", () => {
  assert.deepEqual(barePicture(realPng(3, 2))?.size, { width: 3, height: 2 });
  assert.deepEqual(bare(realPng(3, 2)), realPng(3, 2));
  assert.deepEqual(bare(wholeJpeg(3, 2)), wholeJpeg(3, 2));
  assert.equal(barePicture(wholeJpeg(3, 2))?.contentType, "image/jpeg");
});

test("what a PNG says besides its pixels is left out; what colors them stays", () => {
  const gamma = pngChunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]));
  const extra = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "acTL", "fcTL", "fdAT", "prVt"].map((type) =>
    pngChunk(type, text),
  );
  assert.deepEqual(bare(realPng(3, 2, { extra: [...extra, gamma] })), realPng(3, 2, { extra: [gamma] }));
});

test("camera metadata in a JPEG is removed, except for the orientation", () => {
  const profile = jpegSegment(0xe2, Buffer.from("ICC_PROFILE\0\u0001\u0001colours", "latin1"));
  const adobe = jpegSegment(0xee, Buffer.from("Adobe\0d\0\0\0\0\0", "latin1"));
  const left = [exif(6), jpegSegment(0xfe, text), jpegSegment(0xed, text), jpegSegment(0xe2, text), profile, adobe];
  const bytes = bare(wholeJpeg(3, 2, left));
  assert.ok(!bytes.includes(secret) && !bytes.includes("GPS"));
  const held = Buffer.from(
    "457869660000" + "4d4d002a00000008" + "0001" + "011200030000000100060000" + "00000000",
    "hex",
  );
  assert.deepEqual(bytes, wholeJpeg(3, 2, [jpegSegment(0xe1, held), profile, adobe]));
  assert.deepEqual(bare(bytes), bytes, "once is enough");
  for (const none of [0, 1, 9]) assert.deepEqual(bare(wholeJpeg(3, 2, [exif(none)])), wholeJpeg(3, 2));
});

test("the smaller picture in the head of a JPEG is left out", () => {
  const withThumbnail = Buffer.from("JFIF\0\u0001\u0001\0\0\u0001\0\u0001\u0001\u0001RGB", "latin1");
  const head = Buffer.from([0xff, 0xd8]);
  const rest = wholeJpeg(3, 2).subarray(2 + 18);
  const bytes = bare(Buffer.concat([head, jpegSegment(0xe0, withThumbnail), rest]));
  assert.deepEqual(bytes, wholeJpeg(3, 2));
});

test("what a WebP carries is left out, and no flag promises it", () => {
  const bytes = bare(richWebp(3, 2));
  assert.ok(!bytes.includes("GPS") && !bytes.includes("xmpmeta") && bytes.includes("colours"));
  assert.equal(bytes[20], 0x30);
  assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
  assert.deepEqual(barePicture(bytes)?.size, { width: 3, height: 2 });
  assert.deepEqual(bare(bytes), bytes);
});

test("data after the end of a picture is removed", () => {
  const page = Buffer.from("<!doctype html><script>alert(1)</script>");
  for (const picture of [realPng(3, 2), wholeJpeg(3, 2), bare(richWebp(3, 2))]) {
    assert.deepEqual(bare(Buffer.concat([picture, page])), picture);
  }
});

test("a truncated picture is rejected, wherever it was cut", () => {
  for (const picture of [realPng(3, 2), wholeJpeg(3, 2, [exif(6)]), richWebp(3, 2)]) {
    for (let length = 0; length < picture.length; length++) {
      assert.equal(barePicture(picture.subarray(0, length)), undefined, `${length} of ${picture.length}`);
    }
  }
});

test("whatever byte is changed, the file is accepted or rejected, and never causes a failure", () => {
  for (const picture of [realPng(3, 2), wholeJpeg(3, 2, [exif(6)]), richWebp(3, 2)]) {
    for (let at = 0; at < picture.length; at++) {
      for (const value of [0x00, 0x7f, 0xff]) {
        const changed = Buffer.from(picture);
        changed[at] = value;
        barePicture(changed);
      }
    }
  }
});

test("drawings, animations without a still image and other files are not accepted", () => {
  const header = Buffer.alloc(10);
  header[0] = 0x02;
  const moving = webpOf(
    webpChunk("VP8X", header),
    webpChunk("ANIM", Buffer.alloc(6)),
    webpChunk("ANMF", Buffer.alloc(40)),
  );
  const rows = [
    svg(),
    moving,
    Buffer.from("GIF89a".padEnd(60, "x")),
    Buffer.from("<!doctype html>".padEnd(60)),
    Buffer.alloc(0),
  ];
  for (const bytes of rows) assert.equal(barePicture(bytes), undefined, bytes.toString("latin1", 0, 12));
});
