import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations, rulesOfLanguages, sidewaysScroll } from "../../support/page-checks.ts";

const pages = [
  ["/", "shell", "nav.home"],
  ["/users", "shell", "nav.users"],
  ["/applications/new", "application", "application.create"],
  ["/settings", "shell", "nav.settings"],
  ["/administrators", "shell", "nav.administrators"],
] as const;

/** A text of the console, as its file has it. */
function textOf(language: string, area: string, key: string): string {
  const file = new URL(`../../../console/texts/${language}/${area}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)[key] ?? assert.fail(key);
}

browserTest("the console speaks the language of its user, in its direction, on a phone as well", async (t, browser) => {
  const console = await startConsole(t, browser);
  const found: string[] = [];
  for (const [language, direction] of [
    ["ar", "rtl"],
    ["de", "ltr"],
  ] as const) {
    const { page, open } = await console.openAs(console.owner, 320, language);
    for (const [path, area, key] of pages) {
      await open(path);
      assert.equal(await page.locator("html").getAttribute("dir"), direction);
      assert.equal(await page.locator("main h1").innerText(), textOf(language, area, key));
      const wrong = [
        ...(await sidewaysScroll(page, "smallest")),
        ...(direction === "rtl"
          ? await axeViolations(page, [{ colorScheme: "dark", width: 320 }], rulesOfLanguages)
          : []),
      ];
      found.push(...wrong.map((what) => `${language} ${path}: ${what}`));
    }
  }
  assert.deepEqual(found, []);
  console.assertQuiet();
});
