import { attributes, type Html, html } from "../../../html/index.ts";

/**
 * The current passkeys for the browser's own list, by the method that takes them (WebAuthn Level 3 §5.1.10). Ids are
 * base64url.
 */
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

/** Passes them to a script, in browsers that support it. Nothing is visible. */
export const passkeySignals = (signals: PasskeySignals): Html =>
  html`<div hidden${attributes({ "data-passkey-signals": JSON.stringify(signals) })}></div>`;
