import { type Html, html } from "./html.ts";
import type { Attempt, Jar } from "./jar.ts";
import { sentenceOf } from "./sentences.ts";

/** A whole page. */
export const page = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>${title}</h1>
${body}
</main>
</html>`;

/** A form that posts to a path, of an attempt. */
export const form = (
  jar: Jar,
  action: string,
  attempt: Attempt | undefined,
  fields: Html,
): Html => html`<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${jar.csrf}">
${attempt && html`<input type="hidden" name="attempt" value="${attempt.id}">`}
${fields}
</form>`;

/** A field with its label. Attributes are markup of ours. */
export const field = (name: string, label: string, attributes: Html, value = ""): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" required ${attributes}>`;

export const button = (label: string, attributes: Html = html``): Html => html`<button ${attributes}>${label}</button>`;

/** What was wrong with the last step; shown this once. */
export function alertOf(attempt: Attempt): Html | undefined {
  const { problem } = attempt;
  delete attempt.problem;
  return problem === undefined ? undefined : html`<div role="alert">${sentenceOf(problem)}</div>`;
}

/** Who is signing in, and how to cancel. */
export const footer = (jar: Jar, attempt: Attempt): Html => html`
${attempt.loginName !== undefined && attempt.loginName !== "" ? html`<p class="who">Signing in as <strong>${attempt.loginName}</strong></p>` : undefined}
${form(jar, "/cancel", attempt, button("Cancel", html`class="quiet"`))}`;
