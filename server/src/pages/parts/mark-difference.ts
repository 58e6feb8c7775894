import { type Html, html } from "../../html/index.ts";

/** Marks the part of a text that differs from another: what is left between their common beginning and end. */
export function markDifference(text: string, other: string): Html {
  const { start, end } = agreement(text, other);
  const middle = text.slice(start, text.length - end);
  return html`${text.slice(0, start)}${middle !== "" && html`<mark>${middle}</mark>`}${text.slice(text.length - end)}`;
}

/** Returns the candidate that agrees with the text over the largest part of both. */
export function closest(text: string, candidates: readonly string[]): string | undefined {
  const share = (candidate: string): number => {
    const { start, end } = agreement(text, candidate);
    return (start + end) / Math.max(text.length, candidate.length, 1);
  };
  return candidates.toSorted((left, right) => share(right) - share(left))[0];
}

/** Counts the equal characters at the beginning and, beyond that, at the end. */
function agreement(left: string, right: string): { start: number; end: number } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return { start, end };
}
