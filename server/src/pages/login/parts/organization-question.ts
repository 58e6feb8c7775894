import { type Html, html, type PageContext, strong } from "../../../html/index.ts";

/**
 * Renders the warning that the account is one of an organization that only the address of the request names; nothing
 * without a name.
 */
export const organizationQuestion = (context: PageContext, name: string | undefined): Html | undefined =>
  name === undefined
    ? undefined
    : html`<p>${context.sayHtml("organization.question", { organization: strong(name) })}</p>`;
