// Conveniences for forms, and passkeys. Every form works without this file, except passkey forms, which say so.

/** @type {NodeListOf<HTMLButtonElement>} */
const reveals = document.querySelectorAll("button.reveal");
for (const button of reveals) reveal(button);

/** @type {NodeListOf<HTMLElement>} */
const rules = document.querySelectorAll("[data-rules-for]");
for (const list of rules) tick(list);

for (const form of document.forms) sendOnce(form);

/** @type {NodeListOf<HTMLInputElement>} */
const invalid = document.querySelectorAll("input[aria-invalid]");
for (const input of invalid) forgive(input);

/** @type {NodeListOf<HTMLElement>} */
const waits = document.querySelectorAll("[data-wait]");
for (const hint of waits) countDown(hint);

/** @type {NodeListOf<HTMLElement>} */
const keepers = document.querySelectorAll("[data-keep]");
for (const keeper of keepers) keep(keeper);

for (const time of document.querySelectorAll("time")) localize(time);

const knowsPasskeys = "PublicKeyCredential" in window;
const capability = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=passkeys]"));
if (capability && knowsPasskeys) capability.value = "1";
for (const needed of document.querySelectorAll("[data-passkey-needed]"))
  needed.toggleAttribute("hidden", knowsPasskeys);

/** @type {NodeListOf<HTMLElement>} */
const signals = document.querySelectorAll("[data-passkey-signals]");
for (const { dataset } of signals) if (knowsPasskeys) signal(JSON.parse(dataset["passkeySignals"] ?? "{}"));

const element = /** @type {HTMLElement | null} */ (document.querySelector("[data-passkey-options]"));
const registration = element?.closest("form");
if (element && registration && knowsPasskeys) {
  const { passkeyOptions = "{}", now } = element.dataset;
  register(registration, JSON.parse(passkeyOptions));
  // The user has just asked for it. Where the browser wants another press, the button is there.
  if (now !== undefined) registration.requestSubmit();
}

const request = /** @type {HTMLElement | null} */ (document.querySelector("[data-passkey-request]"));
const proof = request?.closest("form");
if (request && proof && knowsPasskeys) signIn(proof, request.dataset);

/**
 * Lets the user look at the password while typing it. It is hidden again before submission, so that password managers
 * see a password field.
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
 * Takes the error from an input that the user corrects; whether it is right now, the server says. Its line stays, so
 * that nothing moves.
 * @param {HTMLInputElement} input
 */
function forgive(input) {
  const error = document.getElementById(`${input.id}-error`);
  input.addEventListener(
    "input",
    () => {
      input.removeAttribute("aria-invalid");
      const described = input.getAttribute("aria-describedby")?.split(" ") ?? [];
      input.setAttribute("aria-describedby", described.filter((id) => id !== error?.id).join(" "));
      if (error?.className === "error") error.style.visibility = "hidden";
    },
    { once: true },
  );
}

/**
 * Sends a form once, however often its button is pressed. It becomes usable again when the user returns to the page, or
 * when no answer came.
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

/**
 * Counts the seconds down until another code is sent. It stays where it is, so that nothing moves.
 * @param {HTMLElement} hint
 */
function countDown(hint) {
  const [shown] = hint.children;
  const end = performance.now() + Number(hint.dataset["wait"]) * 1000;
  const timer = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1000);
    if (shown && left > 0) shown.textContent = String(left);
    else {
      hint.style.visibility = "hidden";
      clearInterval(timer);
    }
  }, 1000);
}

/**
 * Shows a time in the browser's zone, and how long ago it was if that is less than a week. The server writes it in UTC,
 * which stays as the title.
 * @param {HTMLTimeElement} time
 */
function localize(time) {
  const { lang } = document.documentElement;
  const then = new Date(time.dateTime);
  const minutes = (then.getTime() - Date.now()) / 60_000;
  const hours = Math.abs(minutes) / 60;
  const shown = then.toLocaleString(lang, { dateStyle: "long", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  /** @param {number} of @param {Intl.RelativeTimeFormatUnit} unit */
  const count = (of, unit) => relative.format(Math.round(minutes / of), unit);
  const ago = hours < 1 ? count(1, "minute") : hours < 24 ? count(60, "hour") : count(1440, "day");
  time.title = time.textContent ?? "";
  time.textContent = hours < 168 ? `${shown} (${ago})` : shown;
  // The button beside it may name the same time.
  const labeled = time.closest("li")?.querySelector("[aria-label]");
  if (labeled) labeled.ariaLabel = labeled.ariaLabel?.replace(time.title, shown) ?? null;
}

/**
 * Copies, downloads and prints what is shown only once, or what has to be typed elsewhere.
 * @param {HTMLElement} keeper
 */
function keep(keeper) {
  const { keep: id = "", file = "" } = keeper.dataset;
  const codes = document.getElementById(id)?.querySelectorAll("code") ?? [];
  const text = [...codes].map(({ textContent }) => textContent?.replaceAll(" ", "")).join("\n");
  /** @type {Record<string, () => unknown>} */
  const actions = {
    copy: () => navigator.clipboard.writeText(text),
    download: () => {
      const link = document.createElement("a");
      link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
      link.download = file;
      link.click();
    },
    print: () => print(),
  };
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = keeper.querySelectorAll("button");
  for (const button of buttons) {
    const { action = "", done } = button.dataset;
    const tell = () => {
      if (done) button.textContent = done;
    };
    button.addEventListener("click", () => {
      // A browser that refuses tells the user itself.
      Promise.resolve(actions[action]?.()).then(tell, () => {});
    });
  }
  // Browsers offer no clipboard to pages that were loaded over an insecure connection.
  const copy = keeper.querySelector("[data-action=copy]");
  if (copy && !navigator.clipboard) copy.remove();
  keeper.hidden = keeper.children.length === 0;
}

/**
 * Tells the browser the user's current passkeys and name (WebAuthn Level 3 §5.1.10), so that it does not offer a
 * deleted passkey. Browsers without this interface ignore it.
 * @param {Record<string, unknown>} facts
 */
function signal(facts) {
  for (const [name, fact] of Object.entries(facts)) {
    // Called as a method, because it needs its `this`.
    const told = /** @type {any} */ (PublicKeyCredential)[name]?.(fact);
    void told?.catch(() => {});
  }
}

/**
 * Asks the browser for the passkey before the form is sent. A user who cancels can press the button again.
 * @param {HTMLFormElement} form
 * @param {any} options
 */
function register(form, options) {
  askFirst(form, () => navigator.credentials.create({ publicKey: fromJson(options.publicKey) }));
}

/**
 * Asks for a passkey when the button is pressed. Where the user types a username, also offers the passkeys of this
 * device for autofill.
 * @param {HTMLFormElement} form
 * @param {DOMStringMap} data
 */
function signIn(form, data) {
  /** @type {AbortController | undefined} */
  let offer;
  /** @param {Partial<CredentialRequestOptions>} more */
  const get = async (more) => {
    const { publicKey } = await challenge(form, data["passkeyRequest"] ?? "");
    return navigator.credentials.get({ publicKey: fromJson(publicKey), ...more });
  };
  askFirst(form, () => {
    // A browser handles only one request at a time.
    offer?.abort();
    return get({});
  });
  if (data["autofill"] === undefined) return;
  const renew = async () => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    offer?.abort();
    offer = new AbortController();
    const { signal } = offer;
    try {
      send(form, await get({ mediation: "conditional", signal }));
    } catch {
      // The user did not ask for this, so there is nothing to report.
    }
  };
  void renew();
  // Renews the challenge before it expires.
  setInterval(() => void renew(), 240_000);
}

/**
 * Fetches the options for the browser, with a new challenge for each request.
 * @param {HTMLFormElement} form
 * @param {string} address
 */
async function challenge(form, address) {
  const token = /** @type {HTMLInputElement} */ (form.elements.namedItem("csrf_token"));
  const body = new URLSearchParams({ csrf_token: token.value });
  const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
  return answer.json();
}

/**
 * Sends the form with the credential that the browser returns, and not before.
 * @param {HTMLFormElement} form
 * @param {() => Promise<Credential | null>} give
 */
function askFirst(form, give) {
  const problem = /** @type {HTMLElement | null} */ (document.querySelector("[data-passkey-problem]"));
  let isAsking = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    if (problem) problem.hidden = true;
    void ask();
  });

  async function ask() {
    try {
      send(form, await give());
    } catch {
      isAsking = false;
      const button = form.querySelector("button[type=submit]");
      if (button) button.ariaDisabled = null;
      if (!problem) return;
      // Announced now rather than when the page was loaded; nothing went wrong.
      problem.role = "status";
      problem.hidden = false;
    }
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {Credential | null} given
 */
function send(form, given) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
  field.value = JSON.stringify(toJson(/** @type {PublicKeyCredential} */ (given)));
  form.submit();
}

/**
 * Converts WebAuthn options (§5.4) from JSON, where binary members are base64url.
 * @param {any} options
 * @returns {any}
 */
function fromJson(options) {
  const { user, excludeCredentials, allowCredentials } = options;
  /** @param {any[] | undefined} list */
  const toKeys = (list) => list?.map((one) => ({ ...one, id: toBytes(one.id) })) ?? [];
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: toKeys(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: toKeys(allowCredentials) }),
  };
}

/** @param {PublicKeyCredential} credential */
function toJson({ id, rawId, type, response }) {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = /** @type {any} */ (response);
  const common = { clientDataJSON: toText(clientDataJSON) };
  const made = {
    ...common,
    attestationObject: attestationObject && toText(attestationObject),
    transports: /** @type {any} */ (response).getTransports?.() ?? [],
  };
  const signed = {
    ...common,
    authenticatorData: authenticatorData && toText(authenticatorData),
    signature: signature && toText(signature),
    ...(userHandle && { userHandle: toText(userHandle) }),
  };
  const answer = signature ? signed : made;
  return { id, type, rawId: toText(rawId), clientExtensionResults: {}, response: answer };
}

/** @param {string} text */
function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function toText(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
