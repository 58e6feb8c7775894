import { form, given, type Href, type Html, html, type PageContext } from "../../html/index.ts";
import type { ClientView } from "./client.ts";

/** Renders the button that cancels and returns to the application; nothing when none is waiting. */
export const returnForm = (
  context: PageContext,
  { client, returnAction }: { readonly client?: ClientView | undefined; readonly returnAction?: Href | undefined },
): Html | undefined =>
  client !== undefined && returnAction !== undefined
    ? form(context, {
        action: returnAction,
        submit: {
          kind: "quiet",
          label: html`<span>${context.sayHtml("error.return", { client: given(client.name) })}</span>`,
        },
      })
    : undefined;
