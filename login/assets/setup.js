// Copies the setup code from the link's fragment, which is never sent to a server, into the form. It can also be typed.

const field = /** @type {HTMLElement | null} */ (document.querySelector("[data-setup-code]"));
const input = field?.querySelector("input");
const taken = /** @type {HTMLElement | null} */ (document.querySelector("[data-setup-code-taken]"));

function take() {
  const code = decodeURIComponent(location.hash.slice(1));
  // A fragment that names an element is a link within the page, such as one in the error summary.
  if (!input || !field || !taken || code === "" || document.getElementById(code)) return;
  input.value = code;
  field.hidden = true;
  taken.hidden = false;
  // Removes the code from the address bar, the history and screenshots.
  history.replaceState(history.state, "", location.pathname + location.search);
}

take();
addEventListener("hashchange", take);
