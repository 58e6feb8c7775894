/** A request that the reference shows as code. `$NAME` in it is a variable of the reader's environment. */
export interface SampleCall {
  readonly verb: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly json?: object | undefined;
  /** The body as a form. */
  readonly form?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Whether a client proves itself with `$CLIENT_ID` and `$CLIENT_SECRET`. */
  readonly isByClient?: boolean;
}

/** Part of a text: words as they are, or a variable of the environment. */
export type TextPart = { readonly text: string } | { readonly variable: string };

/** Divides a text at its variables. */
export function partsOf(text: string): readonly TextPart[] {
  return text.split(/(\$[A-Z][A-Z_]+)/).flatMap((part): TextPart[] => {
    if (part === "") return [];
    return /^\$[A-Z][A-Z_]+$/.test(part) ? [{ variable: part.slice(1) }] : [{ text: part }];
  });
}

/** Indents every line but the first. */
export const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);
