// Comfort for forms. Every form works without this file.

/** @type {NodeListOf<HTMLButtonElement>} */
const reveals = document.querySelectorAll("button.reveal");
for (const button of reveals) reveal(button);

/** @type {NodeListOf<HTMLElement>} */
const rules = document.querySelectorAll("[data-rules-for]");
for (const list of rules) tick(list);

for (const form of document.forms) sendOnce(form);

/**
 * Lets somebody look at the password that they type. It is hidden again before it is sent, so that managers see a password.
 * @param {HTMLButtonElement} button
 */
function reveal(button) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(button.getAttribute("aria-controls") ?? ""));
  const states = {
    password: { text: button.textContent, label: button.ariaLabel },
    text: { text: button.dataset["conceal"] ?? "", label: button.dataset["concealLabel"] ?? "" },
  };
  /** @param {"password" | "text"} type */
  const show = (type) => {
    input.type = type;
    button.textContent = states[type].text;
    button.ariaLabel = states[type].label;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    show(input.type === "password" ? "text" : "password");
    input.focus();
  });
  input.form?.addEventListener("submit", () => show("password"));
}

/**
 * Ticks the rules that a new password fulfils while it is typed. The server decides; this only tells early.
 * @param {HTMLElement} list
 */
function tick(list) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(list.dataset["rulesFor"] ?? ""));
  /** @type {Record<string, (password: string, count: number) => boolean>} */
  const checks = {
    length: (password, count) => [...password].length >= count,
    upper_case: (password) => /\p{Lu}/u.test(password),
    lower_case: (password) => /\p{Ll}/u.test(password),
    number: (password) => /\p{Nd}/u.test(password),
    symbol: (password) => /[^\p{L}\p{M}\p{N}\s]/u.test(password),
  };
  input.addEventListener("input", () => {
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-rule]"))) {
      const isMet = checks[item.dataset["rule"] ?? ""]?.(input.value, Number(item.dataset["count"])) ?? false;
      item.classList.toggle("met", isMet);
      for (const said of item.querySelectorAll("span > span")) said.toggleAttribute("hidden", !isMet);
    }
  });
}

/**
 * Sends a form once, however often its button is pressed. It is ready again when the page is come back to, or when no answer came.
 * @param {HTMLFormElement} form
 */
function sendOnce(form) {
  const button = form.querySelector("button[type=submit]");
  if (!button) return;
  const ready = () => {
    button.ariaDisabled = null;
  };
  form.addEventListener("submit", (event) => {
    if (button.ariaDisabled === "true") return event.preventDefault();
    button.ariaDisabled = "true";
    setTimeout(ready, 8000);
  });
  addEventListener("pageshow", ready);
}
