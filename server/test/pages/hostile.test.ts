import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "../../src/html/index.ts";
import { pageContext } from "./support/context.ts";
import { galleryViews } from "./support/gallery-views.ts";
import { hostileTexts, withTexts } from "./support/hostile.ts";

// What differs between two addresses is marked, and they differ in other parts with the text.
const withoutMarks = (text: string): string => text.replaceAll(/<\/?mark>/g, "");

for (const hostile of hostileTexts) {
  test(`every text that users may have written stays text: ${JSON.stringify(hostile)}`, () => {
    let put = 0;
    for (const shown of galleryViews) {
      const change = (model: unknown): unknown =>
        withTexts(model, (text) => {
          put++;
          return `${text}${hostile}`;
        });
      const before = withoutMarks(render(shown.render(pageContext("en"))));
      const after = withoutMarks(render(shown.render(pageContext("en"), change)));
      // Whatever was put in, the markup is the same: as many tags, as many attributes.
      assert.equal(
        after.match(/<[a-z/!]/gi)?.length,
        before.match(/<[a-z/!]/gi)?.length,
        `${shown.view} ${shown.state}`,
      );
      assert.equal(after.match(/="/g)?.length, before.match(/="/g)?.length, `${shown.view} ${shown.state}`);
    }
    assert.ok(put > 100, "the models have texts");
  });
}
