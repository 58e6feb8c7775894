import { type Html, html } from "../../html/index.ts";

/**
 * Marks the parts of an address that differ from another: in each of scheme, host, port, path, query and fragment, what
 * is left between their common beginning and end. Compared as a whole, equal letters of different parts would pair up.
 */
export function markDifference(address: string, other: string): Html {
  const others = partsOf(other);
  return html`${partsOf(address).map((part, index) => markPart(part, others[index] ?? ""))}`;
}

function markPart(text: string, other: string): Html {
  const { start, end } = agreement(text, other);
  const middle = text.slice(start, text.length - end);
  return html`${text.slice(0, start)}${middle !== "" && html`<mark>${middle}</mark>`}${text.slice(text.length - end)}`;
}

/** Returns the candidate whose parts agree with those of the address over the largest share of both. */
export function closest(address: string, candidates: readonly string[]): string | undefined {
  const parts = partsOf(address);
  const share = (candidate: string): number => {
    const agreed = partsOf(candidate).map((part, index) => agreement(part, parts[index] ?? ""));
    const common = agreed.reduce((sum, { start, end }) => sum + start + end, 0);
    return common / Math.max(address.length, candidate.length, 1);
  };
  return candidates.toSorted((left, right) => share(right) - share(left))[0];
}

// Scheme, authority without its port, port, path, query and fragment (RFC 3986 appendix B); together they are the text.
const anatomy = /^([^:/?#]+:)?(\/\/(?:\[[^\]/?#]*\]|[^:/?#]*))?(:\d*)?([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/;

const partsOf = (address: string): readonly string[] => {
  const found = anatomy.exec(address);
  return found === null ? [address] : found.slice(1).map((part: string | undefined) => part ?? "");
};

/** Counts the equal characters at the beginning and, beyond that, at the end. */
function agreement(left: string, right: string): { start: number; end: number } {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return { start, end };
}
