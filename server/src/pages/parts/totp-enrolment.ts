import {
  attributes,
  authenticatorHref,
  buttonLink,
  type Html,
  html,
  keepButtons,
  type PageContext,
} from "../../html/index.ts";
import { qrCode } from "./qr-code.ts";

/** The secret of an authenticator app; its bearer can generate the codes. */
export interface TotpSecret {
  /** Base32. */
  readonly secret: string;
  /** The same as an `otpauth:` address. */
  readonly uri: string;
}

/**
 * Renders the secret for an authenticator app: as a link on the device itself, which comes first on a phone, as a
 * picture, and as text (WCAG 3.3.8).
 */
export const totpEnrolment = (context: PageContext, { secret, uri }: TotpSecret): Html =>
  html`<div class="enrolment"><div class="here">${buttonLink(authenticatorHref(uri), context.say("totp.open"), "secondary")}</div>
<img class="qr" width="232" height="232"${attributes({ src: qrCode(uri), alt: context.say("totp.picture") })}>
<div class="stack"><p>${context.say("totp.scan")}</p>
<p class="hint" id="totp-secret">${context.say("totp.secret")}</p>
<p id="totp-key"><code>${secret.match(/.{1,4}/g)?.join(" ") ?? ""}</code></p>
${keepButtons(context, { of: "totp-key", actions: ["copy"] })}</div></div>`;
