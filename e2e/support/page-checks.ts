import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { Page } from "playwright-core";

// Given to each page as it is: a page's own policy forbids scripts of others, the debugging protocol does not ask it.
const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** How a page is looked at. */
export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

// What colours and widths can change; everything else is the same document in every look.
const rulesOfColours = ["color-contrast", "link-in-text-block"];
const rulesOfWidths = ["target-size", "scrollable-region-focusable"];

/** What axe finds wrong: everything in the first look, in each further one what it can change, and colours once in each scheme. */
export async function axeViolations(page: Page, looks: readonly Look[]): Promise<string[]> {
  await styled(page);
  await page.evaluate(`${axeSource};0`);
  const found: string[] = [];
  for (const [index, { colorScheme, width }] of looks.entries()) {
    // Filled in as well, in each scheme: what is typed has colours of its own.
    if (index > 0) await fillIn(page);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const isSeen = looks.slice(1, index).some((earlier) => earlier.colorScheme === colorScheme);
    const runOnly = index === 0 ? axeTags : [...(isSeen ? [] : rulesOfColours), ...rulesOfWidths];
    const { violations, passed } = await page.evaluate(async (only) => {
      const run = (window as unknown as { axe: typeof axe }).axe;
      const results = await run.run(document, { runOnly: only, resultTypes: ["violations", "passes"] });
      return {
        passed: results.passes.length,
        violations: results.violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(" ")}`),
      };
    }, runOnly);
    found.push(...violations.map((violation) => `${colorScheme} ${width} px: ${violation}`));
    if (index === 0 && passed < 10) found.push(`${colorScheme} ${width} px: axe looked at nothing`);
  }
  return found;
}

/**
 * Waits for the style of a page: its document can be there before, and then has the browser's own colours and sizes. Not for its end, which a page that
 * posts itself on never comes to.
 */
async function styled(page: Page): Promise<void> {
  const isStyled = (): boolean =>
    document.readyState !== "loading" &&
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
  // By the clock, because nothing is painted meanwhile.
  await page.waitForFunction(isStyled, undefined, { polling: 20 });
}

const fillIn = (page: Page): Promise<void> =>
  page.$$eval("input:not([type=hidden], [type=checkbox], [type=file])", (inputs) => {
    for (const input of inputs as HTMLInputElement[]) input.value ||= "Filled in 123";
  });

const smallest = [
  [320, "100%"],
  [320, "200%"],
] as const;
const others = [
  [640, "200%"],
  [1280, "200%"],
  [1920, "100%"],
] as const;

/** Whether something scrolls sideways: at 320 px, and with text of twice the size (WCAG 1.4.4, 1.4.10). The smallest screen shows most. */
export async function sidewaysScroll(page: Page, widths: "all" | "smallest" = "all"): Promise<string[]> {
  const found: string[] = [];
  for (const [width, size] of widths === "all" ? [...smallest, ...others] : smallest) {
    await page.setViewportSize({ width, height: 800 });
    const scrolls = await page.evaluate((fontSize) => {
      const root = document.documentElement;
      root.style.fontSize = fontSize;
      return root.scrollWidth > root.clientWidth;
    }, size);
    if (scrolls) found.push(`scrolls sideways at ${width} px with text of ${size}`);
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "";
  });
  return found;
}

/** Targets that are too small: ours are 44 px high (WCAG 2.5.8 asks for 24); links in sentences are as high as their line. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const targets = ".button, .control, .reveal, .choice, .tile, summary, footer a, .links a, .identity a";
    return [...document.querySelectorAll<HTMLElement>(targets)]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ html: element.outerHTML.slice(0, 90), height: element.getBoundingClientRect().height }))
      .filter(({ height }) => height < 44)
      .map(({ html, height }) => `only ${height} px high: ${html}`);
  });

/** Goes through the page with the Tab key: what takes the focus without a ring of 3 px, and whether the end is reached. */
export async function unseenFocus(page: Page, most = 100): Promise<string[]> {
  const found: string[] = [];
  for (let step = 0; step < most; step++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const ringed = element.closest(".control:has(input:focus-visible)") ?? element;
      const { outlineStyle, outlineWidth } = getComputedStyle(ringed);
      const isSeen = outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 3;
      return { html: element.outerHTML.slice(0, 90), isSeen };
    });
    if (focus === undefined) return found;
    if (!focus.isSeen) found.push(`takes the focus unseen: ${focus.html}`);
  }
  return [...found, "the Tab key does not reach the end"];
}

/** What moved on a page since it began to load, with how far. */
export function findMoved(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { readonly node: Node | null }[];
    }
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    return (observer.takeRecords() as LayoutShift[])
      .filter(({ value }) => value > 0)
      .map(
        ({ value, sources }) => `${value}: ${sources.map(({ node }) => node?.textContent?.slice(0, 60)).join(", ")}`,
      );
  });
}
