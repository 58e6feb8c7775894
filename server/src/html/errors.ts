import type { PageContext } from "./context.ts";
import { type Html, html } from "./html.ts";
import { notice } from "./notice.ts";

/**
 * An error in the input. `field` is the name of the input to correct; without it the sentence concerns the whole form.
 */
export interface FormError<Field extends string = string> {
  readonly field?: Field;
  /** The sentence for people, already in their language. */
  readonly message: string;
}

/** How an input shows its error. */
export interface FieldError {
  /** Id of the element with the message. */
  readonly id: string;
  /** The sentence beneath the input; absent when the summary already contains it. */
  readonly message: string | undefined;
}

/** The errors of a form, arranged: the summary, the message of each field, and the focus. */
export interface FormErrors<Field extends string> {
  readonly any: boolean;
  readonly summary: Html | undefined;
  of(field: Field): FieldError | undefined;
  /** Whether the input takes the focus: the only invalid one, or the first one when nothing is invalid. */
  focuses(field: Field, isFirst?: boolean): boolean;
}

/**
 * Arranges errors by the pattern of GOV.UK: a summary that is an alert and links to the fields. A single error appears
 * only in the summary, and its field has the focus and is described by it. Several are repeated beneath their fields,
 * and the summary has the focus.
 */
export function arrangeErrors<Field extends string>(
  context: PageContext,
  errors: readonly FormError<Field>[] = [],
): FormErrors<Field> {
  const [first] = errors;
  const isOnly = errors.length === 1;
  const idOf = (field: Field): string => `${field}-error`;
  return {
    any: first !== undefined,
    summary: first === undefined ? undefined : isOnly ? one(first) : several(context, errors),
    of: (field) => {
      const error = errors.find((candidate) => candidate.field === field);
      return error && { id: idOf(field), message: isOnly ? undefined : error.message };
    },
    focuses: (field, isFirst = false) =>
      !context.isStill &&
      (first === undefined ? isFirst : isOnly && (first.field === field || (first.field === undefined && isFirst))),
  };
}

const linked = (error: FormError): Html =>
  error.field === undefined ? html`${error.message}` : html`<a href="#${error.field}">${error.message}</a>`;

const one = (error: FormError): Html =>
  notice("error", html`<p id="${error.field ?? "form"}-error">${linked(error)}</p>`, { role: "alert" });

const several = (context: PageContext, errors: readonly FormError[]): Html =>
  notice(
    "error",
    html`<h2>${context.say("form.problems")}</h2>
<ul>${errors.map((error) => html`<li>${linked(error)}</li>`)}</ul>`,
    { role: "alert", tabindex: "-1", autofocus: !context.isStill },
  );
