import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startGallery } from "../../server/test/pages/gallery-server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations, rulesOfLanguages, sidewaysScroll, smallTargets, unseenFocus } from "../support/page-checks.ts";

browserTest("a page is not judged before its style is there", async (t, browser) => {
  const { origin } = await startGallery(t);
  const page = await browser.newPage();
  let styles = 0;
  await page.route("**/*.css", async (route) => {
    styles++;
    await sleep(500);
    await route.continue();
  });
  await page.goto(`${origin}/register.error.en`, { waitUntil: "commit" });
  await page.getByRole("alert").waitFor();
  assert.deepEqual(await axeViolations(page, [{ colorScheme: "dark", width: 320 }]), []);
  assert.ok(styles > 0, "the style came late");
  await page.close();
});

browserTest(
  "pale text is found in each scheme, and so is what takes the focus unseen, plays by itself, is too wide or too small",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    const page = await browser.newPage();
    await page.goto(`${origin}/register.default.en`);
    await page.evaluate(() => {
      const main = document.querySelector("main");
      for (const scheme of ["light", "dark"]) {
        const pale = Object.assign(document.createElement("p"), { textContent: `pale where it is ${scheme}` });
        pale.style.color = scheme === "light" ? "#eee" : "#222";
        main?.append(pale);
      }
      main?.append(Object.assign(document.createElement("video"), { autoplay: true }));
      const wide = Object.assign(document.createElement("p"), { textContent: "wide" });
      wide.style.width = "500px";
      main?.append(wide);
      const low = Object.assign(document.createElement("a"), { href: "/", className: "button", textContent: "low" });
      low.style.cssText = "display: block; height: 20px; min-height: 0";
      main?.append(low);
      const link = Object.assign(document.createElement("a"), { href: "/", textContent: "unseen" });
      link.style.outline = "none";
      main?.prepend(link);
    });
    const looks = [
      { colorScheme: "light", width: 320 },
      { colorScheme: "dark", width: 320 },
    ] as const;
    const found = await axeViolations(page, looks);
    for (const { colorScheme } of looks) {
      const of = (what: string): boolean => found.some((one) => one.startsWith(colorScheme) && one.includes(what));
      assert.ok(of(`pale where it is ${colorScheme}`), found.join("\n"));
      assert.ok(of("plays by itself"), found.join("\n"));
    }
    assert.match((await sidewaysScroll(page, "smallest")).join("\n"), /sideways at 320 px/);
    assert.match((await smallTargets(page)).join("\n"), /only 20 px high: <a href="\/" class="button"/);
    assert.match((await unseenFocus(page)).join("\n"), /unseen: <a href="\/"/);
    await page.close();
  },
  // As in the gallery.
  { isUndrawn: true },
);

browserTest(
  "what a language changes is judged: names, the language of the document, and targets",
  async (t, browser) => {
    const { origin } = await startGallery(t);
    const page = await browser.newPage();
    await page.goto(`${origin}/register.default.ar`);
    const look = [{ colorScheme: "light", width: 320 }] as const;
    assert.deepEqual(await axeViolations(page, look, rulesOfLanguages), []);
    await page.evaluate(() => {
      document.documentElement.lang = "xx";
      const main = document.querySelector("main");
      main?.append(Object.assign(document.createElement("button"), { textContent: "" }));
      const named = Object.assign(document.createElement("a"), { href: "/", textContent: "one name" });
      named.setAttribute("aria-label", "another name");
      main?.append(named);
    });
    const found = (await axeViolations(page, look, rulesOfLanguages)).join("\n");
    for (const rule of ["html-lang-valid", "button-name", "label-content-name-mismatch"])
      assert.ok(found.includes(rule));
    await page.close();
  },
);
