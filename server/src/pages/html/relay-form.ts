import { attributes, type Html, html } from "./html.ts";

/** What a relay page does where there is a script; a press of its button does the same. Its hash stands in the policy of the page. */
export const relayScript = "document.forms[0].submit()";

export interface RelayForm {
  /** Address of an application, proven to be its own: http or https. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Words of the button. */
  readonly label: string;
}

/** A form that the browser posts on to an application by itself. It proves nothing to us, so it is the one form without such a proof. */
export const relayForm = ({
  target,
  parameters,
  label,
}: RelayForm): Html => html`<form method="post" action="${target}">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden"${attributes({ name, value })}>\n`)}
<button class="button primary" type="submit">${label}</button>
</form>
<script>${relayScript}</script>`;
