import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "uqr";
import { authenticatorHref, render } from "../../src/html/index.ts";
import { qrCode } from "../../src/pages/parts/qr-code.ts";
import { totpEnrolment } from "../../src/pages/parts/totp-enrolment.ts";
import { pageContext } from "./support/context.ts";

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const uri = `otpauth://totp/acme.example:ada%40acme.example?secret=${secret}&issuer=acme.example&algorithm=SHA1&digits=6&period=30`;

test("the drawing has exactly the dark modules of the symbol, and quiet around them", () => {
  const drawing = decodeURIComponent(qrCode(uri));
  const { data, size } = encode(uri, { ecc: "M", border: 4 });
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of drawing.matchAll(/M(\d+),(\d+)h(\d+)/g)) {
    for (let i = 0; i < Number(length); i++) {
      const row = drawn[Number(y)];
      assert.ok(row);
      row[Number(x) + i] = true;
    }
  }
  assert.deepEqual(drawn, data);
  assert.ok(drawn.slice(0, 4).every((row) => row.every((isDark) => !isDark)));
  assert.ok(drawn[4]?.slice(4, 11).every(Boolean), "the finder pattern begins after the quiet zone");
});

test("the secret is there as a picture with a name, as a link and as text", () => {
  const html = render(totpEnrolment(pageContext(), { secret, uri }));
  assert.match(html, /<img [^>]*src="data:image\/svg\+xml,[^"<>]+" alt="QR code/);
  assert.ok(html.includes(`href="${uri.replaceAll("&", "&amp;")}"`));
  assert.match(html, /<code>JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP<\/code>/);
  assert.ok(html.length < 12_000, `${html.length} bytes`);
});

test("nothing but the secret of an app gets into a link as such", () => {
  assert.equal(authenticatorHref(uri), uri);
  for (const other of [
    "javascript:alert(1)",
    "otpauth://hotp/a?b=c",
    `${uri}"onclick=`,
    `${uri} x`,
    "https://a.example",
  ]) {
    assert.throws(() => authenticatorHref(other), TypeError, other);
  }
});
