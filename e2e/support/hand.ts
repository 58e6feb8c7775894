import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** How a user operates a page. Everything is found by its accessible name, as users and screen readers find it. */
export interface Hand {
  readonly page: Page;
  /** Waits for a page by its heading. */
  sees(heading: string): Promise<void>;
  fills(fields: Readonly<Record<string, string>>): Promise<void>;
  presses(button: string | RegExp): Promise<void>;
  follows(link: string | RegExp): Promise<void>;
  ticks(label: string): Promise<void>;
  /** Opens what is folded. */
  unfolds(name: RegExp): Promise<void>;
}

const named = (page: Page, role: "button" | "link", name: string | RegExp): Locator =>
  page.getByRole(role, { name, exact: typeof name === "string" }).first();

const sees = (page: Page) => async (heading: string) =>
  page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();

/** With a pointer. */
export const pointer = (page: Page): Hand => ({
  page,
  sees: sees(page),
  fills: async (fields) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  },
  presses: (button) => named(page, "button", button).click(),
  follows: (link) => named(page, "link", link).click(),
  ticks: (label) => page.getByLabel(label, { exact: true }).check(),
  unfolds: (name) => page.locator("summary").filter({ hasText: name }).click(),
});

/** With the Tab, Space and Enter keys alone; whatever takes the focus has to show it. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  /** Presses the Tab key until the element has the focus, and checks that the focus is seen (WCAG 2.4.7, 2.4.13). */
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let step = 0; step < 120; step++) {
      const focus = await target.evaluate((element) => {
        if (document.activeElement !== element) return undefined;
        const ringed = element.closest(".control:has(input:focus-visible)") ?? element;
        const { outlineStyle, outlineWidth } = getComputedStyle(ringed);
        return outlineStyle === "solid" ? Number.parseFloat(outlineWidth) : 0;
      });
      if (focus !== undefined) {
        assert.ok(
          focus >= 3,
          `${page.url()}: takes the focus unseen: ${await target.evaluate((one) => one.outerHTML)}`,
        );
        return;
      }
      await keys.press("Tab");
    }
    assert.fail(`${page.url()}: the Tab key does not reach ${await target.evaluate((element) => element.outerHTML)}`);
  };
  const press = async (target: Locator, key: "Enter" | "Space"): Promise<void> => {
    await reach(target);
    await keys.press(key);
  };
  return {
    page,
    sees: sees(page),
    fills: async (fields) => {
      for (const [label, value] of Object.entries(fields)) {
        await reach(page.getByLabel(label, { exact: true }));
        await keys.press("ControlOrMeta+a");
        // The last character by its keys, the others at once: a page is painted after each.
        await keys.insertText(value.slice(0, -1));
        await keys.type(value.slice(-1));
      }
    },
    presses: (button) => press(named(page, "button", button), "Space"),
    follows: (link) => press(named(page, "link", link), "Enter"),
    ticks: (label) => press(page.getByLabel(label, { exact: true }), "Space"),
    unfolds: (name) => press(page.locator("summary").filter({ hasText: name }), "Enter"),
  };
}
