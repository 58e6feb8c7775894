import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attributes, type Html, type HtmlValue, html, render } from "../../src/html/index.ts";

const metacharacters = ["&", "<", ">", '"', "'"];
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom(...metacharacters, "a", "&amp;", "</p>", "\0", "\u2028", "\ud800"))
    .map((parts) => parts.join("")),
);

/** What a browser reads in a text or a quoted value: the five references that the template writes, and nothing else. */
const read = (shown: string): string =>
  shown.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => {
    return { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }[name] ?? "";
  });

/** Throws when a metacharacter is there that is not the beginning of a reference that the template writes. */
function assertEscaped(shown: string): void {
  assert.doesNotMatch(shown, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
}

/** A value as parsed input has it, which the compiler would refuse. */
const smuggled = (value: unknown): HtmlValue => value as HtmlValue;

test("no metacharacter of a text reaches the page, and the browser reads the same text", () => {
  fc.assert(
    fc.property(text, (value) => {
      const shown = render(html`<b title="${value}">${[value, [[value]]]}</b>`);
      const [, inAttribute = "", inText = ""] = /^<b title="([^"]*)">([^<]*)<\/b>$/.exec(shown) ?? assert.fail(shown);
      assertEscaped(inAttribute);
      assertEscaped(inText);
      assert.equal(read(inAttribute), value);
      assert.equal(read(inText), value + value);
    }),
    { numRuns: 5_000 },
  );
});

test("whatever input is parsed, nothing of it is taken for markup", () => {
  fc.assert(
    fc.property(fc.anything({ values: [text, fc.integer()], withNullPrototype: false }), (value) => {
      let shown: string;
      try {
        shown = render(html`${smuggled(value)}`);
      } catch (error) {
        // An object whose own `toString` is not a function cannot be shown at all.
        assert.ok(error instanceof TypeError);
        return;
      }
      assertEscaped(shown);
    }),
    { numRuns: 5_000 },
  );
});

test("what claims to be markup is escaped or refused", () => {
  const claim = "<script>alert(1)</script>";
  const escaped = "&lt;script&gt;alert(1)&lt;/script&gt;";
  const own = html`<i>x</i>`;
  const claims: Record<string, unknown> = {
    "an object with the mark of other renderers": { isEscaped: true, callbacks: [], toString: () => claim },
    "a string object with the mark of other renderers": Object.assign(new Object(claim), { isEscaped: true }),
    "an object with the shape of ours": { text: claim, "#text": claim, toString: () => claim },
    "an object with our prototype": Object.assign(Object.create(Object.getPrototypeOf(own) as object) as object, {
      toString: () => claim,
    }),
    "an object that inherits from markup": Object.assign(Object.create(own) as object, { toString: () => claim }),
    "a proxy of markup": new Proxy(own, { get: () => () => claim }),
    "a copy of markup": { ...own, toString: () => claim },
    "a function": Object.assign(() => claim, { toString: () => claim }),
  };
  for (const [what, value] of Object.entries(claims)) {
    assert.equal(render(html`${smuggled(value)}`), escaped, what);
    assert.equal(render(html`${smuggled([[value]])}`), escaped, `${what}, in lists`);
    assert.throws(() => render(value as Html), TypeError, what);
  }
  assert.equal(render(html`${smuggled(JSON.parse('{"isEscaped":true}'))}`), "[object Object]");
  assert.throws(() => render(claim as unknown as Html), TypeError);
});

test("markup of the template goes in as it is, however deep", () => {
  assert.equal(
    render(html`<p>${html`<b>${"<"}</b>`}${[html`<i></i>`, [html`&amp;`]]}</p>`),
    "<p><b>&lt;</b><i></i>&amp;</p>",
  );
});

test("what is absent or a truth value leaves nothing, numbers are written, lists are joined", () => {
  assert.equal(render(html`a${undefined}${smuggled(null)}${false}${smuggled(true)}b`), "ab");
  assert.equal(render(html`${0}${-0}${1.5}${Number.NaN}${smuggled(7n)}`), "001.5NaN7");
  assert.equal(render(html`${["a", undefined, ["b", false, 3], []]}${""}`), "ab3");
  assert.equal(render(html``), "");
  assert.equal(render(html`\n${"x"}\n`), "\nx\n");
  assert.equal(
    render(html`<a${attributes({ one: "<", two: true, three: false, four: undefined, five: 5 })}>`),
    `<a one="&lt;" two five="5">`,
  );
});
