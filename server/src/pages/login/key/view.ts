import {
  arrangeErrors,
  type FormError,
  type Href,
  type Html,
  html,
  link,
  type PageContext,
  page,
} from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { type KeyCeremony, keyForm } from "../parts/key-form.ts";
import { passkeyNeeds } from "../parts/passkey-needs.ts";
import { type PasskeySignals, passkeySignals } from "../parts/passkey-signals.ts";

/** Signs in with a passkey, without username and password. */
export interface KeyModel {
  readonly client?: ClientView | undefined;
  readonly ceremony: KeyCeremony;
  /** To the other sign-in methods. */
  readonly otherHref: Href;
  /** A passkey that was used but is unknown here: the browser need not offer it again. */
  readonly unknown?: PasskeySignals["signalUnknownCredential"] | undefined;
  readonly errors?: readonly FormError<never>[];
}

export function keyPage(context: PageContext, model: KeyModel): Html {
  const title = context.say("key.title");
  const errors = arrangeErrors(context, model.errors);
  return page(context, {
    title,
    hasErrors: errors.any,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${errors.summary}
<p>${context.say("key.text")}</p>
${passkeyNeeds(context.say("key.script_needed"))}
${model.unknown !== undefined && passkeySignals({ signalUnknownCredential: model.unknown })}
${keyForm(context, model.ceremony)}
<p class="links">${link(model.otherHref, context.say("key.other"))}</p>`,
  });
}
