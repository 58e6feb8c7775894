// Lets the browser make a passkey. The page says so where this cannot be.

const capability = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=passkeys]"));
if (capability && "PublicKeyCredential" in window) capability.value = "1";

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-passkey-options]"));
const form = place?.closest("form");
if (place && form) register(form, JSON.parse(place.dataset["passkeyOptions"] ?? "{}"));

/**
 * Asks the browser for the passkey before the form is sent. Who cancels can press the button again.
 * @param {HTMLFormElement} form
 * @param {any} options
 */
function register(form, options) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
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
      const made = await navigator.credentials.create({ publicKey: fromJson(options.publicKey) });
      field.value = JSON.stringify(toJson(/** @type {PublicKeyCredential} */ (made)));
      form.submit();
    } catch {
      isAsking = false;
      if (!problem) return;
      // Read out now, and not when the page came.
      problem.role = "alert";
      problem.hidden = false;
    }
  }
}

/**
 * WebAuthn §5.4 from JSON, where binary members are base64url.
 * @param {any} options
 * @returns {PublicKeyCredentialCreationOptions}
 */
function fromJson(options) {
  return {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((/** @type {any} */ one) => ({ ...one, id: toBytes(one.id) })),
  };
}

/** @param {PublicKeyCredential} credential */
function toJson({ id, rawId, type, response }) {
  const answer = /** @type {AuthenticatorAttestationResponse} */ (response);
  return {
    ...{ id, type, rawId: toText(rawId), clientExtensionResults: {} },
    response: {
      clientDataJSON: toText(answer.clientDataJSON),
      attestationObject: toText(answer.attestationObject),
      transports: answer.getTransports?.() ?? [],
    },
  };
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
