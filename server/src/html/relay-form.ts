import { attributes, type Html, html } from "./html.ts";

/** The script of a relay page; its button does the same. Its hash is in the content security policy of the page. */
export const relayScript = "document.forms[0].submit()";

export interface RelayForm {
  /** Address proven to belong to the application: http or https. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Label of the button. */
  readonly label: string;
}

/**
 * Renders a form that the browser posts to an application. It sends nothing to us, so it is the only form without a
 * CSRF token.
 */
export const relayForm = ({
  target,
  parameters,
  label,
}: RelayForm): Html => html`<form method="post" action="${target}">
${Object.entries(parameters).map(([name, value]) => html`<input type="hidden"${attributes({ name, value })}>\n`)}
<button class="button primary" type="submit">${label}</button>
</form>
<script>${relayScript}</script>`;
