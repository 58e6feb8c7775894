import { attributes, type Html, html } from "../../html/index.ts";

/** What a browser is told of the passkeys that it keeps for us, by the method that takes it (WebAuthn Level 3 §5.1.10). Ids are base64url. */
export interface PasskeySignals {
  readonly signalUnknownCredential?: { readonly rpId: string; readonly credentialId: string };
  readonly signalAllAcceptedCredentials?: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  };
  readonly signalCurrentUserDetails?: {
    readonly rpId: string;
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
  };
}

/** Tells them, where there is a script and a browser that listens. Nobody sees anything of it. */
export const passkeySignals = (signals: PasskeySignals): Html =>
  html`<div hidden${attributes({ "data-passkey-signals": JSON.stringify(signals) })}></div>`;
