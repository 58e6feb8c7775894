import assert from "node:assert/strict";
import type { Locator, Page, Request } from "playwright-core";

/** How an administrator operates the console, by one means alone. Everything is found by its accessible name. */
export interface ConsoleHand {
  readonly page: Page;
  /** Says apart what the tasks of the two hands are about: `mouse` or `keys`. */
  readonly name: "mouse" | "keys";
  /** Clicks or keys since the task began. */
  count(): number;
  /** Begins a task at the home page, without counting how it is reached. */
  begins(): Promise<void>;
  /** Opens a page of the navigation. */
  goes(area: string): Promise<void>;
  /** Opens a settings page, by the cards of the area or by the palette. */
  opensSettings(name: string): Promise<void>;
  /** Opens what the palette finds for a text. */
  finds(text: string, option: RegExp): Promise<void>;
  presses(button: string | RegExp, within?: Locator): Promise<void>;
  follows(link: string | RegExp): Promise<void>;
  /** Chooses an entry of a menu. */
  selects(menu: string | RegExp, item: string, within?: Locator): Promise<void>;
  fills(field: string | RegExp, value: string): Promise<void>;
  /** Adds a line to a field that has several. */
  adds(field: string | RegExp, line: string): Promise<void>;
  /** Sends the form of a field: by its button, or by the keys that do so in the field. */
  sends(field: string | RegExp, button: string): Promise<void>;
  /** Changes a check box, or chooses one of several radio buttons. */
  ticks(label: string | RegExp): Promise<void>;
  chooses(field: string | RegExp, option: string): Promise<void>;
  /** Chooses what a picker finds for the beginning of a name. */
  picks(field: string | RegExp, text: string, option: RegExp): Promise<void>;
  /** Closes the dialog that is open. */
  closes(): Promise<void>;
  /** Waits until the page waits for nothing, and asserts that the focus is somewhere. */
  rests(): Promise<void>;
}

/** What both hands find things by: inside the dialog that is open, or else on the page. */
function finder(page: Page) {
  const surface = async (): Promise<Locator> => {
    const dialog = page.locator("dialog[open]").last();
    return (await dialog.count()) > 0 ? dialog : page.locator("main");
  };
  const byRole = async (role: "button" | "link", name: string | RegExp, within?: Locator): Promise<Locator> =>
    (within ?? (await surface())).getByRole(role, { name, exact: typeof name === "string" }).first();
  return {
    button: (name: string | RegExp, within?: Locator) => byRole("button", name, within),
    link: (name: string | RegExp) => byRole("link", name),
    field: async (name: string | RegExp): Promise<Locator> => {
      const exactly = typeof name === "string" ? new RegExp(`^${escaped(name)}( \\(optional\\))?$`) : name;
      return (await surface()).getByLabel(exactly).first();
    },
    option: (name: RegExp) => page.getByRole("option", { name }).first(),
    entry: (item: string) => page.getByRole("menuitem", { name: item, exact: true }),
    area: (name: string) =>
      page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name, exact: true }),
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Requests whose answers are not read, or that the page repeats while it waits for others. */
const isEndless = (url: string): boolean => /\/console\/return\?|ListMilestones/.test(url);

/** Returns a function that waits until no request is under way, no button is busy, and answers are shown. */
export function restOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on("request", (request) => {
    if (!isEndless(request.url())) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const drawn = () => page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
  return async () => {
    const deadline = performance.now() + 15_000;
    let wasQuiet: boolean;
    do {
      // Answers are shown in the frame after the one in which they arrive.
      wasQuiet = open.size === 0 && (await page.locator("button[aria-busy=true]").count()) === 0;
      await drawn();
      assert.ok(
        performance.now() < deadline,
        `the page waits for ${[...open].map((request) => request.url()).join(", ")}`,
      );
    } while (!wasQuiet || open.size > 0);
  };
}

/** Goes to the home page of the console and puts the focus where it is after a page was opened. */
async function goHome(page: Page, rest: () => Promise<void>): Promise<void> {
  // What a task that failed left open.
  if ((await page.locator("dialog[open]").count()) > 0) await page.reload();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.getByRole("heading", { level: 1, name: "Home", exact: true }).waitFor();
  await rest();
  await page.evaluate(() => document.querySelector<HTMLElement>("main h1")?.focus());
}

/** With a mouse. Texts are typed, and everything else takes a click. */
export function withMouse(page: Page, rest: () => Promise<void>): ConsoleHand {
  const find = finder(page);
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    await rest();
    await target.click();
    clicks++;
  };
  /** Clicks into a field, unless it has the focus already. */
  const enter = async (field: Locator): Promise<void> => {
    await rest();
    await field.waitFor();
    if (!(await field.evaluate((element) => element === document.activeElement))) await click(field);
  };
  return {
    page,
    name: "mouse",
    count: () => clicks,
    begins: async () => {
      await goHome(page, rest);
      clicks = 0;
    },
    goes: (area) => click(find.area(area)),
    opensSettings: async (name) => {
      await click(find.area("Settings"));
      await click(await find.link(name));
    },
    finds: async (text, option) => {
      await click(page.getByRole("button", { name: /^Search/ }));
      await page.locator("dialog[open]").getByRole("combobox").fill(text);
      await click(find.option(option));
    },
    presses: async (button, within) => click(await find.button(button, within)),
    follows: async (link) => click(await find.link(link)),
    selects: async (menu, item, within) => {
      await click(await find.button(menu, within));
      await click(find.entry(item));
    },
    fills: async (field, value) => {
      const target = await find.field(field);
      await enter(target);
      await target.fill(value);
    },
    adds: async (field, line) => {
      await enter(await find.field(field));
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.press("Enter");
      await page.keyboard.insertText(line);
    },
    sends: async (field, button) => {
      const form = (await find.field(field)).locator("xpath=ancestor::form[1]");
      await click(await find.button(button, form));
    },
    ticks: async (label) => click(await find.field(label)),
    chooses: async (field, option) => {
      const target = await find.field(field);
      await rest();
      await target.selectOption(option);
      // Opened, and chosen from.
      clicks += 2;
    },
    picks: async (field, text, option) => {
      const target = await find.field(field);
      await enter(target);
      await target.fill(text);
      await click(find.option(option));
    },
    closes: async () => click(await find.button("Close")),
    rests: rest,
  };
}

const areaKeys: Readonly<Record<string, string>> = {
  Home: "h",
  Applications: "a",
  Projects: "p",
  Users: "u",
  Organizations: "o",
  Administrators: "d",
  Automation: "m",
  Settings: "s",
  Activity: "l",
  Tools: "t",
};

/** The most Tab keys that a control may be away. */
const most = 40;

/** The keys of a page: pressed, counted, and led to what they are for. */
interface Keys {
  press(key: string, times?: number): Promise<void>;
  /** Types letters that find something. */
  type(text: string): Promise<void>;
  rests(): Promise<void>;
  /** Leads the focus to an element by the Tab key, and within radio buttons by arrows. */
  reach(target: Locator): Promise<void>;
  /** Reaches an element and presses a key there. */
  act(target: Locator, key: "Enter" | "Space" | "ControlOrMeta+Enter"): Promise<void>;
  /** Names the last action, for what is said when the focus is lost after it. */
  notes(action: string): void;
  count(): number;
  restart(): void;
}

function keysOf(page: Page, rest: () => Promise<void>): Keys {
  const { keyboard } = page;
  let pressed = 0;
  let latest = "the beginning";
  const press = async (key: string, times = 1): Promise<void> => {
    for (let time = 0; time < times; time++) await keyboard.press(key);
    pressed += times;
  };
  const rests = async (): Promise<void> => {
    await rest();
    // The page moves the focus in the frame after the one in which what had it was removed.
    await page
      .waitForFunction(() => (document.activeElement ?? document.body) !== document.body, undefined, { timeout: 2000 })
      .catch(() => assert.fail(`${page.url()}: the focus is lost after ${latest}`));
  };
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    await rests();
    const key = await target.evaluate(directionTo);
    for (let step = 0; step <= most; step++) {
      const focus = await target.evaluate(focusOn);
      if (typeof focus === "number") {
        assert.ok(focus >= 3, `${page.url()}: takes the focus unseen: ${await outside(target)}`);
        return;
      }
      await press(focus === "group" ? "ArrowDown" : key);
    }
    const active = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    assert.fail(`${page.url()}: ${most} × ${key} do not reach ${await outside(target)}, but are at ${active}`);
  };
  return {
    press,
    rests,
    reach,
    type: async (text) => {
      await keyboard.type(text);
      pressed += text.length;
    },
    act: async (target, key) => {
      await reach(target);
      latest = `${key} on ${await outside(target)}`;
      await press(key);
    },
    notes: (action) => {
      latest = action;
    },
    count: () => pressed,
    restart: () => {
      [pressed, latest] = [0, "the beginning"];
    },
  };
}

/** Fields by the keyboard. */
function fieldsByKeys(page: Page, keys: Keys) {
  const find = finder(page);
  const { press, reach } = keys;
  /** Chooses what a combobox finds, when it has the focus. */
  const choose = async (text: string, option: RegExp): Promise<void> => {
    await keys.type(text);
    const wanted = find.option(option);
    await wanted.waitFor();
    await keys.rests();
    while ((await wanted.getAttribute("aria-selected")) !== "true") await press("ArrowDown");
    keys.notes(`choosing ${String(option)}`);
    await press("Enter");
  };
  const enter = async (field: string | RegExp): Promise<Locator> => {
    const target = await find.field(field);
    await reach(target);
    keys.notes(`typing into ${await outside(target)}`);
    return target;
  };
  /** Selects what a field holds, so that it is replaced by what is typed. */
  const replace = async (target: Locator): Promise<void> => {
    if ((await target.inputValue()) !== "") await press("ControlOrMeta+a");
  };
  return {
    search: async (text: string, option: RegExp): Promise<void> => {
      await keys.rests();
      await press("ControlOrMeta+k");
      await page.locator("dialog[open]").getByRole("combobox").waitFor();
      await choose(text, option);
      await page.locator("dialog[open]").waitFor({ state: "detached" });
    },
    fills: async (field: string | RegExp, value: string): Promise<void> => {
      await replace(await enter(field));
      await page.keyboard.insertText(value);
    },
    adds: async (field: string | RegExp, line: string): Promise<void> => {
      await enter(field);
      await press("ControlOrMeta+End");
      await press("Enter");
      await page.keyboard.insertText(line);
    },
    chooses: async (field: string | RegExp, option: string): Promise<void> => {
      const target = await enter(field);
      const steps = await target.evaluate((select, wanted) => {
        const { options, selectedIndex } = select as HTMLSelectElement;
        return [...options].findIndex(({ text }) => text === wanted) - selectedIndex;
      }, option);
      await press(steps < 0 ? "ArrowUp" : "ArrowDown", Math.abs(steps));
      assert.equal(await target.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text), option);
    },
    picks: async (field: string | RegExp, text: string, option: RegExp): Promise<void> => {
      await replace(await enter(field));
      await choose(text, option);
    },
  };
}

/**
 * With the keyboard alone. It counts every key but those of the values that are typed; letters that find something
 * count. Whatever takes the focus has to show it, and an action must not lose it.
 */
export function withKeys(page: Page, rest: () => Promise<void>): ConsoleHand {
  const find = finder(page);
  const keys = keysOf(page, rest);
  const { press, reach, act, rests } = keys;
  const { search, ...fields } = fieldsByKeys(page, keys);
  return {
    page,
    name: "keys",
    count: keys.count,
    begins: async () => {
      await goHome(page, rest);
      keys.restart();
    },
    goes: async (area) => {
      await rests();
      await press("g");
      await press(areaKeys[area] ?? assert.fail(area));
    },
    opensSettings: (name) => search(name.slice(0, 6).toLowerCase(), new RegExp(`^${escaped(name)} `)),
    finds: search,
    presses: async (button, within) => act(await find.button(button, within), "Enter"),
    follows: async (link) => act(await find.link(link), "Enter"),
    selects: async (menu, item, within) => {
      await act(await find.button(menu, within), "Enter");
      const entry = find.entry(item);
      await entry.waitFor();
      await rests();
      const steps = await entry.evaluate((wanted) => {
        const all = [...(wanted.closest("[role=menu]")?.querySelectorAll("[role=menuitem]") ?? [])];
        const forward = all.indexOf(wanted) - all.indexOf(document.activeElement ?? wanted);
        return forward > all.length / 2 ? forward - all.length : forward;
      });
      await press(steps < 0 ? "ArrowUp" : "ArrowDown", Math.abs(steps));
      await act(entry, "Enter");
    },
    ...fields,
    sends: async (field) => {
      const target = await find.field(field);
      // Enter is a new line, the list of a picker, or the choice of a select.
      const isLine = await target.evaluate((one) => one.matches("input:not([role=combobox])"));
      await act(target, isLine ? "Enter" : "ControlOrMeta+Enter");
    },
    ticks: async (label) => {
      const target = await find.field(label);
      await reach(target);
      if ((await target.getAttribute("type")) !== "radio" || !(await target.isChecked())) await act(target, "Space");
    },
    closes: async () => {
      await rests();
      keys.notes("Escape");
      await press("Escape");
    },
    rests,
  };
}

const outside = (target: Locator): Promise<string> => target.evaluate((element) => element.outerHTML.slice(0, 200));

/** Runs in the page: which key leads from the focus to an element. */
function directionTo(element: Element): "Tab" | "Shift+Tab" {
  const active = document.activeElement ?? document.body;
  const isBefore = (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return isBefore && !active.contains(element) && !element.contains(active) ? "Shift+Tab" : "Tab";
}

/** Runs in the page: how wide the ring is that shows the focus on an element, or where the focus is instead. */
function focusOn(element: Element): number | "group" | "elsewhere" {
  const active = document.activeElement;
  const radio = (one: Element | null): string =>
    one instanceof HTMLInputElement && one.type === "radio" ? one.name : "";
  if (active !== element) return radio(active) !== "" && radio(active) === radio(element) ? "group" : "elsewhere";
  const width = (one: Element | null): number => {
    if (one === null) return 0;
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle === "solid" ? Number.parseFloat(outlineWidth) : 0;
  };
  return Math.max(width(element), width(element.closest("label")));
}
