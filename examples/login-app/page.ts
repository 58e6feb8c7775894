import { type Html, html } from "./html.ts";
import type { Jar, Way } from "./jar.ts";
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

/** A form that posts to a path, for a way. */
export const form = (
  jar: Jar,
  action: string,
  way: Way | undefined,
  fields: Html,
): Html => html`<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${jar.csrf}">
${way && html`<input type="hidden" name="way" value="${way.id}">`}
${fields}
</form>`;

/** A field with its label. Attributes are markup of ours. */
export const field = (name: string, label: string, attributes: Html, value = ""): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" required ${attributes}>`;

export const button = (label: string, attributes: Html = html``): Html => html`<button ${attributes}>${label}</button>`;

/** What was wrong with the last step; shown this once. */
export function alertOf(way: Way): Html | undefined {
  const { problem } = way;
  delete way.problem;
  return problem === undefined ? undefined : html`<div role="alert">${sentenceOf(problem)}</div>`;
}

/** Who is signing in, and the way out. */
export const footer = (jar: Jar, way: Way): Html => html`
${way.loginName !== undefined && way.loginName !== "" ? html`<p class="who">Signing in as <strong>${way.loginName}</strong></p>` : undefined}
${form(jar, "/cancel", way, button("Cancel", html`class="quiet"`))}`;
