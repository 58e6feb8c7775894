import { readFileSync } from "node:fs";
import type axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";

// Given to each page as it is: a page's own policy forbids scripts of others, the debugging protocol does not ask it.
const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const axeTags: readonly string[] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** How a page is looked at. */
export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

// What colors and widths can change; everything else is the same document in every look.
const rulesOfColours = ["color-contrast", "link-in-text-block"];
const rulesOfWidths = ["target-size", "scrollable-region-focusable"];
/** What another language of the same elements can change: names, the language itself, and where things are. */
export const rulesOfLanguages: readonly string[] = [
  ...rulesOfWidths,
  "aria-command-name",
  "aria-input-field-name",
  "aria-meter-name",
  "aria-toggle-field-name",
  "button-name",
  "document-title",
  "empty-heading",
  "html-has-lang",
  "html-lang-valid",
  "image-alt",
  "image-redundant-alt",
  "label",
  "label-content-name-mismatch",
  "label-title-only",
  "link-name",
  "select-name",
  "valid-lang",
];
const fillable = "input:not([type=hidden], [type=checkbox], [type=file])";

/**
 * Has every page of a context bring axe with it, which costs a fifth of handing it to each page that is there. It is a
 * function that nothing has run yet, so that a page where axe is not asked pays nothing for it.
 */
export const bringAxe = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript({ content: `window.bringAxe = () => {${axeSource}\n};` });

/** Runs axe's source in a page that has not run it. */
async function giveAxe(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => {
    const { axe: given, bringAxe: bring } = window as unknown as { axe?: unknown; bringAxe?: () => void };
    if (given === undefined) bring?.();
    return "axe" in window;
  });
  if (!isThere) await page.evaluate(`${axeSource};0`);
}

/**
 * What axe finds wrong: everything in the first look, and in each further one what it can change and what has not been
 * seen: colors once in each scheme, those of a page with fields also when they are filled in, and each width once.
 * `first` are the rules or tags of the first look.
 */
export async function axeViolations(page: Page, looks: readonly Look[], first = axeTags): Promise<string[]> {
  await styled(page);
  await giveAxe(page);
  const hasFields = (await page.locator(fillable).count()) > 0;
  const found: string[] = [];
  for (const [index, { colorScheme, width }] of looks.entries()) {
    // What the first look saw was empty.
    const earlier = looks.slice(0, index);
    const isSchemeSeen = (hasFields ? earlier.slice(1) : earlier).some((one) => one.colorScheme === colorScheme);
    const isWidthSeen = earlier.some((one) => one.width === width);
    const changed = [...(isSchemeSeen ? [] : rulesOfColours), ...(isWidthSeen ? [] : rulesOfWidths)];
    const only = index === 0 ? [...first] : changed;
    if (only.length === 0) continue;
    await widen(page, width);
    await page.emulateMedia({ colorScheme });
    const { violations, passed } = await page.evaluate(judge, { only, isFilledIn: index > 0, fillable });
    found.push(...violations.map((violation) => `${colorScheme} ${width} px: ${violation}`));
    if (index === 0 && passed < (first === axeTags ? 10 : 4))
      found.push(`${colorScheme} ${width} px: axe looked at nothing`);
  }
  return found;
}

/**
 * Runs in the page. After the first look it is filled in as well, in each scheme: what is typed has colors of its own.
 */
async function judge({
  only,
  isFilledIn,
  fillable: fields,
}: {
  only: string[];
  isFilledIn: boolean;
  fillable: string;
}) {
  if (isFilledIn) {
    for (const input of document.querySelectorAll<HTMLInputElement>(fields)) input.value ||= "Filled in 123";
  }
  // Colors that another scheme began to change are at their end at once.
  for (const animation of document.getAnimations()) animation.finish();
  const options = {
    runOnly: only,
    // Only violations are told in full. Loading beforehand is for no-autoplay-audio alone, which is asked more strictly
    // below.
    resultTypes: ["violations" as const],
    preload: false,
    selectors: false,
    // The light behind every page is a pseudo-element, because of which axe would judge no color;
    // server/test/pages/contrast.test.ts has its colors.
    checks: { "color-contrast": { options: { ignorePseudo: true } } },
  };
  const results = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
  const playing = [...document.querySelectorAll("audio[autoplay], video[autoplay]")];
  return {
    passed: results.passes.length,
    violations: [
      ...results.incomplete
        .filter(({ id }) => id === "color-contrast")
        .map(({ nodes }) => `colours that cannot be judged at ${nodes.map(({ html }) => html).join(" ")}`),
      ...results.violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(" ")}`),
      ...playing.map(({ outerHTML }) => `plays by itself: ${outerHTML}`),
    ],
  };
}

/**
 * Waits for the style of a page: its document can be there before, and then has the browser's own colors and sizes.
 * Not for its end, which a page that posts itself on never comes to.
 */
async function styled(page: Page): Promise<void> {
  const isStyled = (): boolean =>
    document.readyState !== "loading" &&
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
  if (await page.evaluate(isStyled)) return;
  // By the clock, because nothing is painted meanwhile.
  await page.waitForFunction(isStyled, undefined, { polling: 20 });
}

/** Sets the width of a page; a new one costs a layout, even when it is the old one. */
async function widen(page: Page, width: number): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
}

const smallest = [
  [320, "100%"],
  [320, "200%"],
] as const;
const others = [
  [1280, "200%"],
  [1920, "100%"],
  [640, "200%"],
] as const;

/**
 * Whether something scrolls sideways: at 320 px, and with text of twice the size (WCAG 1.4.4, 1.4.10). The smallest
 * screen shows most.
 */
export async function sidewaysScroll(page: Page, widths: "all" | "smallest" = "all"): Promise<string[]> {
  const found: string[] = [];
  // The smallest last: what looks at the page next mostly begins there.
  for (const [width, size] of widths === "all" ? [...others, ...smallest] : smallest) {
    await widen(page, width);
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

/**
 * Targets that are too small: ours are 44 px high (WCAG 2.5.8 asks for 24); links in sentences are as high as their
 * line.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const targets = ".button, .control, .reveal, .choice, .tile, summary, footer a, .links a, .identity a";
    return [...document.querySelectorAll<HTMLElement>(targets)]
      .filter((element) => element.checkVisibility())
      .map((element) => ({ html: element.outerHTML.slice(0, 90), height: element.getBoundingClientRect().height }))
      .filter(({ height }) => height < 44)
      .map(({ html, height }) => `only ${height} px high: ${html}`);
  });

/**
 * Goes through the page with the Tab key: what takes the focus without a ring of 3 px, and whether the end is reached.
 */
export async function unseenFocus(page: Page, most = 100): Promise<string[]> {
  // The page keeps what takes the focus, so that it is asked once for several presses. It begins at its top, whatever
  // has the focus by itself.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    const kept = { unseen: [] as string[], isOver: false };
    (window as unknown as { focusKept: typeof kept }).focusKept = kept;
    document.addEventListener("focusout", ({ relatedTarget }) => {
      kept.isOver ||= relatedTarget === null;
    });
    document.addEventListener("focusin", ({ target }) => {
      if (kept.isOver || !(target instanceof Element)) return;
      const ringed = target.closest(".control:has(input:focus-visible)") ?? target;
      const { outlineStyle, outlineWidth } = getComputedStyle(ringed);
      const isSeen = outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 3;
      if (!isSeen) kept.unseen.push(target.outerHTML.slice(0, 90));
    });
  });
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press("Tab");
    if (pressed % 4 !== 3) continue;
    const { unseen, isOver } = await page.evaluate(
      () => (window as unknown as { focusKept: { unseen: string[]; isOver: boolean } }).focusKept,
    );
    if (isOver) return unseen.map((html) => `takes the focus unseen: ${html}`);
  }
  return ["the Tab key does not reach the end"];
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
