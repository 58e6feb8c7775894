import type { SecondFactorKind } from "../../../domain/sign-in/index.ts";
import { buttonLink, form, type Href, type Html, html, type PageContext, page } from "../../../html/index.ts";
import { type ClientView, clientLine, heading } from "../../parts/client.ts";
import { withFactorIcon } from "../../parts/factor-icon.ts";
import { enteredName } from "../parts/account.ts";

/** The alternatives for the second factor, strongest first. */
export interface MethodsModel {
  readonly client?: ClientView | undefined;
  /** As pages show it (`shownNameOf`). */
  readonly loginName: string;
  readonly changeHref: Href;
  readonly methods: readonly Method[];
}

/** A method: a page, or for sent codes a form that sends one. */
export type Method =
  | { readonly kind: SecondFactorKind; readonly href: Href }
  | { readonly kind: SecondFactorKind; readonly sendAction: Href };

export function methodsPage(context: PageContext, model: MethodsModel): Html {
  // A user with only one method comes here when that method does not work.
  const isStuck = model.methods.length <= 1;
  const title = context.say(isStuck ? "methods.stuck_title" : "methods.title");
  return page(context, {
    title,
    scripts: ["form.js"],
    body: html`${heading(title, clientLine(context, model.client))}
${enteredName(context, model.loginName, model.changeHref)}
${isStuck && html`<p>${context.say("methods.stuck_text")}</p>`}
<ul class="plain">${model.methods.map((method) => html`<li>${choice(context, method)}</li>`)}</ul>`,
  });
}

function choice(context: PageContext, method: Method): Html {
  const label = withFactorIcon(method.kind, context.say(`methods.${method.kind}`));
  if ("href" in method) return buttonLink(method.href, label, "secondary");
  return form(context, {
    action: method.sendAction,
    hidden: { by: method.kind },
    submit: { kind: "secondary", label },
  });
}
