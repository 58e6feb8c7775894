import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { barePicture } from "../../server/src/base/picture/bare-picture.ts";
import { exif, pngChunk, webpChunk, webpOf } from "../../server/test/support/data/pictures.ts";
import { browserTest } from "../support/browser.ts";

type Type = "image/png" | "image/jpeg" | "image/webp";

/** A picture of 60 by 40 pixels, red on the left and blue on the right, as a browser writes it. */
async function written(page: Page, type: Type): Promise<Buffer> {
  const url = await page.evaluate((wanted) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 40 });
    const pen = canvas.getContext("2d");
    if (pen === null) throw new Error("no pen");
    for (const [colour, at] of [
      ["#f00", 0],
      ["#00f", 30],
    ] as const) {
      pen.fillStyle = colour;
      pen.fillRect(at, 0, 30, 40);
    }
    return canvas.toDataURL(wanted);
  }, type);
  assert.ok(url.startsWith(`data:${type};base64,`), url.slice(0, 40));
  return Buffer.from(url.split(",")[1] ?? "", "base64");
}

/** How a browser draws a picture: its size, and the colors of its first and its last pixel. */
const drawn = (page: Page, bytes: Buffer, type: Type) =>
  page.evaluate(
    async (url) => {
      const image = Object.assign(new Image(), { src: url });
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      pen?.drawImage(image, 0, 0);
      const colourAt = (x: number, y: number): string => {
        const [red = 0, , blue = 0] = pen?.getImageData(x, y, 1, 1).data ?? [];
        return red > blue ? "red" : "blue";
      };
      return [width, height, colourAt(0, 0), colourAt(width - 1, height - 1)];
    },
    `data:${type};base64,${bytes.toString("base64")}`,
  );

/** What cameras and programs add. */
const burdened: Readonly<Record<Type, (bytes: Buffer) => Buffer>> = {
  "image/png": (bytes) =>
    Buffer.concat([bytes.subarray(0, 33), pngChunk("tEXt", Buffer.from("Comment\0GPS")), bytes.subarray(33)]),
  // Turned by half.
  "image/jpeg": (bytes) => Buffer.concat([bytes.subarray(0, 2), exif(3), bytes.subarray(2), Buffer.from("GPS")]),
  // Chromium writes an extended file, with a profile of colors (RFC 9649 §2.7).
  "image/webp": (bytes) => {
    const chunks = Buffer.from(bytes.subarray(12));
    assert.equal(chunks.toString("latin1", 0, 4), "VP8X");
    chunks[8] = (chunks[8] ?? 0) | 0x08;
    return webpOf(chunks, webpChunk("EXIF", Buffer.from("GPS")));
  },
};

browserTest("a stripped picture looks the same and keeps its orientation", async (_t, browser) => {
  const page = await browser.newPage();
  for (const type of ["image/png", "image/jpeg", "image/webp"] as const) {
    const plain = await written(page, type);
    const full = burdened[type](plain);
    assert.ok(full.includes("GPS"), type);
    const bare = barePicture(full);
    assert.ok(bare, type);
    assert.equal(bare.contentType, type);
    assert.ok(!bare.bytes.includes("GPS"), type);
    const expected = type === "image/jpeg" ? [60, 40, "blue", "red"] : [60, 40, "red", "blue"];
    assert.deepEqual(await drawn(page, full, type), expected, type);
    assert.deepEqual(await drawn(page, bare.bytes, type), expected, type);
    const again = barePicture(plain);
    assert.ok(again, type);
    assert.deepEqual(await drawn(page, again.bytes, type), [60, 40, "red", "blue"], type);
  }
  await page.close();
});
