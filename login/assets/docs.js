// Conveniences of the API reference: copies code, remembers the language of code, and searches. Everything can be read
// without this file. Elements are made one by one, never from markup.

const preferredName = "doorward-docs-language";

/** @type {NodeListOf<HTMLButtonElement>} */
const copies = document.querySelectorAll("button[data-copy]");
// Browsers offer no clipboard to pages that were loaded over an insecure connection.
if ("clipboard" in navigator) for (const button of copies) offerCopy(button);

/** @type {NodeListOf<HTMLDetailsElement>} */
const samples = document.querySelectorAll("[data-code-choice] > details");
for (const sample of samples) remember(sample);
openPreferred();

const current = /** @type {HTMLElement | null} */ (document.querySelector(".docs-nav [aria-current]"));
const navigation = document.getElementById("docs-nav");
if (current && navigation) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 3;

const opener = /** @type {HTMLButtonElement | null} */ (document.querySelector("button[data-search]"));
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("search"));
if (opener && dialog) offerSearch(opener, dialog);

/** @param {HTMLButtonElement} button */
function offerCopy(button) {
  const { ariaLabel } = button;
  button.hidden = false;
  const copy = async () => {
    const code = button.closest(".code-block")?.querySelector("code");
    await navigator.clipboard.writeText(code?.textContent ?? "");
    button.textContent = "Copied";
    button.ariaLabel = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
      button.ariaLabel = ariaLabel;
    }, 2000);
  };
  button.addEventListener("click", () => void copy());
}

/**
 * Opens the same language everywhere, on this page and on the next. One language is always open.
 * @param {HTMLDetailsElement} sample
 */
function remember(sample) {
  const summary = sample.querySelector("summary");
  summary?.addEventListener("click", (event) => {
    if (sample.open) return event.preventDefault();
    try {
      localStorage.setItem(preferredName, sample.dataset["language"] ?? "");
    } catch {
      // A browser that keeps nothing shows the first language on the next page.
    }
    setTimeout(openPreferred);
  });
}

function openPreferred() {
  let preferred;
  try {
    preferred = localStorage.getItem(preferredName);
  } catch {
    return;
  }
  for (const sample of samples) if (sample.dataset["language"] === preferred) sample.open = true;
}

/**
 * @typedef {object} Index
 * @property {string[]} services
 * @property {[number, string, string, string][]} methods
 * @property {Record<string, number[]>} fields
 * @property {Record<string, number[]>} errors
 * @property {[string, string, string, string][]} pages
 */

/** @typedef {{ title: string, where: string, text: string, href: string, rank: number }} Found */

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLDialogElement} box
 */
function offerSearch(button, box) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  const list = /** @type {HTMLElement} */ (box.querySelector("[role=listbox]"));
  const status = /** @type {HTMLElement} */ (box.querySelector("[role=status]"));
  /** @type {Promise<Index> | undefined} */
  let index;
  let active = 0;
  const load = () => {
    index ??= fetch(button.dataset["search"] ?? "").then((answer) => answer.json());
    return index;
  };
  const open = () => {
    if (!box.open) box.showModal();
    input.select();
    void load();
  };
  const options = () => /** @type {HTMLElement[]} */ ([...list.children]);
  /** @param {number} next */
  const select = (next) => {
    const all = options();
    active = all.length === 0 ? 0 : (next + all.length) % all.length;
    for (const [position, option] of all.entries()) option.ariaSelected = String(position === active);
    const chosen = all[active];
    if (chosen) input.setAttribute("aria-activedescendant", chosen.id);
    else input.removeAttribute("aria-activedescendant");
    chosen?.scrollIntoView({ block: "nearest" });
  };
  const show = async () => {
    const words = wordsOf(input.value);
    const found = words.length === 0 ? [] : find(await load(), words);
    // What is typed meanwhile is answered by its own search.
    if (wordsOf(input.value).join() !== words.join()) return;
    list.replaceChildren(...found.map((one, position) => optionOf(one, position, words)));
    input.ariaExpanded = String(found.length > 0);
    status.textContent = words.length === 0 ? "" : found.length === 0 ? "Nothing found." : `${found.length} found`;
    select(0);
  };
  button.hidden = false;
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener("input", () => void show());
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      select(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      options()[active]?.click();
    }
  });
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

const most = 30;

/**
 * @param {Index} index
 * @param {string[]} words
 * @returns {Found[]}
 */
function find({ services, methods, fields, errors, pages }, words) {
  /** @type {Found[]} */
  const found = [];
  /** @param {string[]} texts the name first, each less important than the one before */
  const rankOf = (...texts) => {
    let rank = 0;
    for (const word of words) {
      const at = texts.findIndex((text) => text.toLowerCase().includes(word));
      if (at < 0) return undefined;
      const text = (texts[at] ?? "").toLowerCase();
      rank += at * 10 + (text === word ? 0 : text.startsWith(word) ? 1 : 3);
    }
    return rank + (texts[0] ?? "").length / 100;
  };
  /** @param {number | undefined} rank @param {Omit<Found, "rank">} what */
  const add = (rank, what) => {
    if (rank !== undefined) found.push({ ...what, rank });
  };
  for (const [title, href, where, text] of pages) add(rankOf(title, where, text), { title, where, text, href });
  /** @param {number} position */
  const methodAt = (position) => {
    const [service = 0, name = "", address = "", text = ""] = methods[position] ?? [];
    const of = services[service] ?? "";
    const isOld = of.includes(".v1.");
    return { name, of, address, text, href: `/docs/${of}/${name}`, late: isOld ? 4 : 0 };
  };
  for (const position of methods.keys()) {
    const { name, of, address, text, href, late } = methodAt(position);
    const rank = rankOf(name, address, of, text);
    add(rank && rank + late, { title: name, where: address || of, text, href });
  }
  for (const [kind, table, target] of /** @type {const} */ ([
    ["Field", fields, ""],
    ["Error", errors, "#errors"],
  ])) {
    for (const [name, positions] of Object.entries(table)) {
      const rank = rankOf(name);
      if (rank === undefined) continue;
      for (const position of positions) {
        const { name: method, of, href, late } = methodAt(position);
        add(rank + late + 2, { title: name, where: `${kind} of ${method}`, text: of, href: href + target });
      }
    }
  }
  return found.sort((left, right) => left.rank - right.rank).slice(0, most);
}

/**
 * @param {Found} found
 * @param {number} position
 * @param {string[]} words
 */
function optionOf({ title, where, text, href }, position, words) {
  const option = document.createElement("div");
  option.role = "option";
  option.id = `found-${position}`;
  const name = document.createElement("span");
  name.append(...marked(title, words));
  const context = document.createElement("span");
  context.className = "where";
  context.textContent = text === "" ? where : `${where} · ${text}`;
  option.append(name, context);
  option.addEventListener("click", () => location.assign(href));
  return option;
}

/**
 * Divides a text so that what was searched for stands out.
 * @param {string} text
 * @param {string[]} words
 * @returns {(string | Node)[]}
 */
function marked(text, words) {
  const [first = ""] = words.filter((word) => text.toLowerCase().includes(word));
  const at = first === "" ? -1 : text.toLowerCase().indexOf(first);
  if (at < 0) return [text];
  const mark = document.createElement("mark");
  mark.textContent = text.slice(at, at + first.length);
  return [text.slice(0, at), mark, text.slice(at + first.length)];
}
