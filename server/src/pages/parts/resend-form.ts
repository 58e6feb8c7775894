import { attributes, form, type Href, type Html, html, type PageContext } from "../../html/index.ts";

export interface Resend {
  readonly action: Href;
  readonly label: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Milliseconds until another code can be sent; 0 for immediately. */
  readonly wait: number;
}

/**
 * Renders the request for another code, and the time until it can be sent. The script counts the seconds down from the
 * server's value.
 */
export function resendForm(context: PageContext, { action, label, hidden = {}, wait }: Resend): Html {
  const count = Math.ceil(wait / 1000);
  return html`<div class="stack">${form(context, { action, hidden, submit: { kind: "quiet", label } })}
${count > 0 && html`<p class="hint"${attributes({ "data-wait": count })}>${context.sayHtml("code.wait", { count: html`<span>${count}</span>` })}</p>`}</div>`;
}
