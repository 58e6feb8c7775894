import type { FieldError } from "./errors.ts";
import { attributes, type Html, html } from "./html.ts";

export interface FileField {
  /** Name in the form; also the id that errors link to. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Types that the browser offers to choose from. The server checks the bytes. */
  readonly accept: readonly string[];
  readonly error?: FieldError | undefined;
  readonly autofocus?: boolean;
  /** The word beside its label that says so, for one that may be left out. */
  readonly optional?: string;
}

/** Renders a labeled file input, with its hint and its error. */
export function fileField({ name, label, hint, accept, error, autofocus, optional }: FileField): Html {
  const hintId = `${name}-hint`;
  return html`<div class="field">
<label for="${name}">${label}${optional !== undefined && html` <span class="muted">${optional}</span>`}</label>
<p class="hint" id="${hintId}">${hint}</p>
${error?.message !== undefined && html`<p class="error" id="${error.id}">${error.message}</p>`}
<div class="control"><input type="file" id="${name}"${attributes({
    name,
    accept: accept.join(","),
    required: optional === undefined,
    autofocus,
    "aria-invalid": error === undefined ? undefined : "true",
    "aria-describedby": error === undefined ? hintId : `${error.id} ${hintId}`,
  })}></div>
</div>`;
}
