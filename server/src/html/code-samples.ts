import { attributes, type Html, html } from "./html.ts";

/** Code in one language, or in one form. */
export interface CodeSample {
  readonly label: string;
  readonly code: string;
}

/**
 * Renders lines of code. The button that copies them is hidden until the script that makes it work has loaded. The
 * label says what they are.
 */
export const codeBlock = ({ label, code }: CodeSample): Html =>
  html`<div class="code-block"><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>
<button type="button" class="copy" data-copy hidden aria-label="Copy: ${label}">Copy</button></div>`;

/**
 * Renders the same code in several languages, one of which is open: elements of the browser that open one at a time, so
 * that they also work without script. The title tells the groups of a page apart.
 */
export const codeChoice = (title: string, samples: readonly CodeSample[]): Html =>
  html`<div class="code-choice" data-code-choice>${samples.map(
    (sample, index) =>
      html`<details${attributes({ name: title, open: index === 0, "data-language": sample.label })}><summary>${sample.label}</summary>
${codeBlock({ label: `${title}: ${sample.label}`, code: sample.code })}</details>`,
  )}</div>`;
