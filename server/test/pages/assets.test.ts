import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createAssetRoute, loadAssets } from "../../src/pages/index.ts";
import type { WebRequest, WebResponse } from "../../src/web/index.ts";

const assets = loadAssets();
const route = createAssetRoute(assets);
const get = (path: string, headers: Record<string, string> = {}): Promise<WebResponse> =>
  route.handler({
    path,
    header: (name: string) => headers[name],
    instance: { instanceId: "1", origin: "https://a.example", defaultLanguage: "en" },
  } as unknown as WebRequest);

test("an asset is found under the address that pages use, and may be kept forever", async () => {
  const answer = await get(assets.href("login.css"));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["content-type"], "text/css; charset=utf-8");
  assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.match(String(answer.body), /^:root\{color-scheme:light dark;/);
});

test("the address has the hash of the content, so another hash finds nothing", async () => {
  const address = assets.href("login.css");
  assert.match(address, /^\/ui\/assets\/login\.[\w-]{12}\.css$/);
  for (const wrong of [
    address.replace(/\.[\w-]{12}\./, ".AAAAAAAAAAAA."),
    "/ui/assets/login.css",
    "/ui/assets/../package.json",
  ]) {
    const answer = await get(wrong);
    assert.equal(answer.status, 404, wrong);
    assert.equal(answer.headers["cache-control"], "no-store");
  }
});

test("an asset is sent as the browser can read it", async () => {
  const address = assets.href("form.js");
  const plain = await get(address);
  assert.equal(plain.headers["content-encoding"], undefined);
  const brotli = await get(address, { "accept-encoding": "gzip, deflate, br;q=0.9" });
  assert.equal(brotli.headers["content-encoding"], "br");
  assert.deepEqual(brotliDecompressSync(brotli.body as Uint8Array), plain.body);
  const gzip = await get(address, { "accept-encoding": "gzip, br;q=0" });
  assert.equal(gzip.headers["content-encoding"], "gzip");
  assert.deepEqual(gunzipSync(gzip.body as Uint8Array), plain.body);
  assert.equal(plain.headers["vary"], "accept-encoding");
});

test("a browser that has the asset is told so", async () => {
  const address = assets.href("favicon.svg");
  const etag = (await get(address)).headers["etag"];
  assert.equal((await get(address, { "if-none-match": String(etag) })).status, 304);
});

test("style sheet and modules keep to their budget", () => {
  const sizes = ["login.css", "form.js", "setup.js", "picture.js"].map(
    (name) => assets.find(assets.href(name))?.brotli().length ?? Number.POSITIVE_INFINITY,
  );
  assert.ok((sizes[0] ?? 0) <= 3000, `style sheet ${sizes[0]} bytes`);
  assert.ok((sizes[1] ?? 0) + (sizes[2] ?? 0) <= 4500, `modules ${sizes[1]} and ${sizes[2]} bytes`);
  const reference =
    (assets.find(assets.href("docs.css"))?.brotli().length ?? 0) +
    (assets.find(assets.href("docs.js"))?.brotli().length ?? 0);
  assert.ok(reference > 1000 && reference <= 6000, `style sheet and module of the reference ${reference} bytes`);
  assert.ok((sizes[3] ?? 0) <= 1000, `module of pictures ${sizes[3]} bytes`);
});

test("referring to a file that does not exist is an error", () => {
  assert.throws(() => assets.href("other.css"), /login\/assets has no file other\.css/);
});
