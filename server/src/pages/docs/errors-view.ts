import type { ErrorReference } from "../../api/index.ts";
import { type Html, html, type PageContext } from "../../html/index.ts";
import { overviewHref } from "./addresses.ts";
import { type DocsFrame, docsPage } from "./frame.ts";
import { badge, prose, withCode } from "./prose.ts";

/** A refusal with its sentence. */
export interface ShownError extends ErrorReference {
  readonly sentence: string;
}

/** Renders refusals, each with its sentence; `{…}` in it stands for a value. */
export const errorList = (errors: readonly ShownError[]): Html =>
  html`<dl class="fields">${errors.map(
    ({ code, id, status, sentence }) =>
      html`<div><dt><code>${id}</code>${badge(`${status} ${code}`)}</dt><dd>${sentence}</dd></div>`,
  )}</dl>`;

const example = {
  code: 5,
  message: "The user does not exist.",
  details: [
    {
      "@type": "type.googleapis.com/service.v1.ErrorDetail",
      id: "user.not_found",
      message: "The user does not exist.",
    },
  ],
};

/** Renders the page about errors: their form, and those that any method can answer with. */
export const docsErrorsPage = (context: PageContext, frame: DocsFrame, general: readonly ShownError[]): Html =>
  docsPage(context, frame, {
    title: "Errors",
    above: [{ label: "API reference", href: overviewHref }],
    body: html`${prose(
      "An error has a code, a sentence for people in their language, and an `id` that never changes. Programs compare the id.\n\nThe page of each method lists what it alone can be refused with.",
    )}
<section class="stack"><h2>Any method</h2>${errorList(general)}</section>
<section class="stack"><h2>Form</h2>
<p>${withCode("REST answers with the code of gRPC as a number, Connect with its name. gRPC has the same detail as `service.v1.ErrorDetail`.")}</p>
<pre tabindex="0" role="region" aria-label="Example error"><code>${JSON.stringify(example, undefined, 2)}</code></pre></section>`,
  });
