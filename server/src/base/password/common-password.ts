import list from "./common-passwords.json" with { type: "json" };

const commonPasswords = new Set(list.words.flatMap((line) => line.split(" ")));

const longestWord = Math.max(...[...commonPasswords].map((word) => word.length));
const shortestContextWord = 4;
// Enough for a year and a mark.
const mostDecoration = 5;
const longestRepeatedUnit = 4;

/**
 * Whether an attacker would guess this password early (NIST 800-63B §3.1.1.2: common, expected and context-specific
 * ones). That is a password on the list of common ones, or such a word with at most five digits or marks around it
 * (`Football2026!`). It is also a word of its context (username, email address, organization, product) with as few
 * other characters, a short piece repeated, or a run of neighboring characters. Case is ignored.
 */
export function isCommonPassword(password: string, contextWords: readonly string[] = []): boolean {
  const candidate = fold(password);
  return (
    isRepetition(candidate) ||
    isRun(candidate) ||
    commonPasswords.has(candidate) ||
    isDecorated(candidate) ||
    isNearContext(compact(candidate), contextWords)
  );
}

const fold = (text: string): string => text.normalize("NFKC").toLowerCase().trim();
const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");

// Letters around a list word would make it another word; digits and marks do not.
function isDecorated(candidate: string): boolean {
  if (candidate.length > longestWord + mostDecoration) return false;
  const cores = [/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, /^[^\p{L}]+|[^\p{L}]+$/gu].map((edges) =>
    candidate.replace(edges, ""),
  );
  return cores.some((core) => candidate.length - core.length <= mostDecoration && commonPasswords.has(core));
}

// `jane.doe@example.com` gives itself, `jane.doe`, `example.com` and the parts between marks; marks do not count.
function isNearContext(candidate: string, contextWords: readonly string[]): boolean {
  const words = contextWords
    .map(fold)
    .flatMap((whole) => [whole, ...whole.split("@"), ...whole.split(/[^\p{L}\p{N}]+/u)]);
  return words
    .map(compact)
    .filter((word) => word.length >= shortestContextWord)
    .some((word) => candidate.includes(word) && candidate.length - word.length <= mostDecoration);
}

function isRepetition(candidate: string): boolean {
  for (let unit = 1; unit <= longestRepeatedUnit && unit * 2 <= candidate.length; unit++) {
    if (candidate.startsWith(candidate.slice(0, candidate.length - unit), unit)) return true;
  }
  return false;
}

// `abcdefgh`, `87654321`: every difference is +1, or every difference is -1. A digit run may wrap (`7890123`).
function isRun(candidate: string): boolean {
  const steps = new Set<number>();
  for (let index = 1; index < candidate.length; index++) {
    const step = candidate.charCodeAt(index) - candidate.charCodeAt(index - 1);
    steps.add(Math.abs(step) === 9 && /\d/.test(candidate[index] ?? "") ? -Math.sign(step) : step);
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
