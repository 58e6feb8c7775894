import { readFile } from "node:fs/promises";
import { seconds } from "../clock.ts";

/** Returns the names to ask for in turn when a name is to be resolved, as resolv.conf(5) orders them. */
export type SearchNames = (name: string) => Promise<readonly string[]>;

const freshness = seconds(30);
const mostSuffixes = 6;

interface Search {
  readonly suffixes: readonly string[];
  readonly dots: number;
}

const none: Search = { suffixes: [], dots: 1 };

/**
 * Creates the reader of `search`, `domain` and `options ndots` in resolv.conf: short names of clusters depend on them.
 */
export function createSearchNames({ file, now }: { readonly file: string; readonly now: () => number }): SearchNames {
  let known: Promise<Search> | undefined;
  let readAt = 0;
  return async (name) => {
    if (known === undefined || now() - readAt > freshness) {
      readAt = now();
      known = readFile(file, "utf8").then(parseSearch, () => none);
    }
    const { suffixes, dots } = await known;
    const longer = suffixes.map((suffix) => `${name}.${suffix}`);
    return name.split(".").length - 1 >= dots ? [name, ...longer] : [...longer, name];
  };
}

function parseSearch(text: string): Search {
  let { suffixes, dots } = none;
  for (const line of text.split("\n")) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    if (word === "search" || word === "domain") {
      suffixes = rest
        .map((suffix) => suffix.replace(/\.$/, ""))
        .filter((suffix) => suffix !== "")
        .slice(0, mostSuffixes);
    }
    if (word !== "options") continue;
    const stated = rest.map((option) => /^ndots:(\d{1,2})$/.exec(option)?.[1]).find((number) => number !== undefined);
    if (stated !== undefined) dots = Math.min(Number(stated), 15);
  }
  return { suffixes, dots };
}
