// Takes the setup code out of the link's fragment, which is never sent to a server, into the form. It can be typed as well.

const field = /** @type {HTMLElement | null} */ (document.querySelector("[data-setup-code]"));
const input = field?.querySelector("input");
const taken = /** @type {HTMLElement | null} */ (document.querySelector("[data-setup-code-taken]"));

function take() {
  const code = decodeURIComponent(location.hash.slice(1));
  // A fragment that names an element is a link of the page itself, such as one of the error summary.
  if (!input || !field || !taken || code === "" || document.getElementById(code)) return;
  input.value = code;
  field.hidden = true;
  taken.hidden = false;
  // Out of the address bar, the history and screenshots.
  history.replaceState(history.state, "", location.pathname + location.search);
}

take();
addEventListener("hashchange", take);
