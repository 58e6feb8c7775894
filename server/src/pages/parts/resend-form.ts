import { attributes, form, type Href, type Html, html, type PageContext } from "../html/index.ts";

export interface Resend {
  readonly action: Href;
  readonly label: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Milliseconds until another code is sent; 0 when at once. */
  readonly wait: number;
}

/** Asks for another code, and says how long that takes effect not yet. The script counts the seconds down; before, they are those of the server. */
export function resendForm(context: PageContext, { action, label, hidden = {}, wait }: Resend): Html {
  const count = Math.ceil(wait / 1000);
  return html`${form(context, { action, hidden, submit: { kind: "quiet", label } })}
${count > 0 && html`<p class="hint"${attributes({ "data-wait": count })}>${context.sayHtml("code.wait", { count: html`<span>${count}</span>` })}</p>`}`;
}
