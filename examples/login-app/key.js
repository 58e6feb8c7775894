// Asks the browser for a passkey or security key, and sends what it signed. The one script of this application.
const form = document.querySelector("form[data-options]");
const status = document.querySelector("#status");

form.addEventListener("submit", (event) => {
  if (form.elements.namedItem("credential").value !== "") return;
  event.preventDefault();
  void sign();
});

async function sign() {
  status.textContent = "";
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.get({ publicKey });
    form.elements.namedItem("credential").value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    // Canceled, or nothing on this device fits.
    status.textContent = "Nothing was sent. Try again, or choose another way.";
  }
}
