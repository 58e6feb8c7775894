import { foldCase } from "../../base/names/fold-case.ts";
import { type Candidates, fold, type Part, type Reader, sql, text } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/** The scope of a search for users. */
export interface SearchContext {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
  /** Parts that are too common to narrow a search (`readCommonParts`). */
  readonly commonParts: ReadonlySet<string>;
}

type WordCandidates = Candidates & { readonly parts: readonly Part[] };

// The number of parts of three letters in a search: each is read from its own list of the index.
const mostParts = { sqlite: 16, postgres: 8 } as const;

/**
 * Returns candidates for users with a text that contains the value, without regard to case; the index needs at least
 * three letters.
 */
export function wordCandidates(context: SearchContext, value: string): WordCandidates | undefined {
  // PostgreSQL folds by itself, because it may fold other letters.
  const letters = [...(context.engine === "postgres" ? value : foldCase(value))];
  if (letters.length < 3 || value.includes("\0")) return undefined;
  return context.engine === "postgres" ? byPattern(context, letters) : byMatch(context, letters);
}

function byPattern({ commonParts }: SearchContext, letters: readonly string[]): WordCandidates {
  const positions = rare(letters, known(letters), commonParts);
  const wanted = spread(positions, Math.min(mostParts.postgres, Math.ceil(letters.length / 3)));
  // One pattern for all parts: separate comparisons would each build the searched text again, which takes longer than
  // the index.
  const pattern = `%${piecesOf(letters, wanted, new Set(positions)).map(escapePattern).join("%")}%`;
  const condition = sql`${searchedWords} like ${fold(sql`${pattern}`)}`;
  return { condition, isExact: false, parts: [{ from: text("users"), where: condition }] };
}

function byMatch({ instanceId, commonParts }: SearchContext, letters: readonly string[]): WordCandidates {
  const wanted = spread(rare(letters, positionsOf(letters), commonParts), mostParts.sqlite);
  const match = wanted.map((position) => `"${partAt(letters, position).replaceAll('"', '""')}"`).join(" AND ");
  // Joined by ids in this order: the other way round SQLite would scan all users of the instance, which it estimates at
  // ten.
  const found = sql`select found.user_id as "id" from user_words cross join users found on found.search_number = user_words.rowid
    where user_words match ${match} and found.instance_id = ${instanceId}`;
  // A subquery of a condition is read to its end first.
  return {
    condition: sql`users.user_id in (${found})`,
    isExact: false,
    first: (count) => sql`${found} limit ${count}`,
    parts: [
      {
        from: text("user_words cross join users on users.search_number = user_words.rowid"),
        where: sql`user_words match ${match}`,
      },
    ],
  };
}

/** Returns the positions at which parts of three letters begin. */
const positionsOf = (letters: readonly string[]): readonly number[] => [...letters.slice(2).keys()];

const partAt = (letters: readonly string[], position: number): string => letters.slice(position, position + 3).join("");

/** Keeps the positions whose part the index of PostgreSQL has, those of letters and digits; all, when there is none. */
function known(letters: readonly string[]): readonly number[] {
  const positions = positionsOf(letters);
  const words = positions.filter((position) => /^[\p{L}\p{N}]+$/u.test(partAt(letters, position)));
  return words.length > 0 ? words : positions;
}

/** Keeps the positions whose part is not common; all, when there is none. */
function rare(
  letters: readonly string[],
  positions: readonly number[],
  common: ReadonlySet<string>,
): readonly number[] {
  const words = positions.filter((position) => !common.has(foldCase(partAt(letters, position))));
  return words.length > 0 ? words : positions;
}

/** Picks at most `most` of the positions, spread evenly. */
function spread(positions: readonly number[], most: number): number[] {
  const count = Math.min(most, positions.length);
  const step = (positions.length - 1) / Math.max(1, count - 1);
  return [...new Set(Array.from({ length: count }, (_each, index) => positions[Math.round(index * step)] ?? 0))];
}

/**
 * Joins the parts to pieces of the text that do not overlap, in their order. Overlapping parts become one piece; the
 * later part is dropped where that piece would contain a part that is to be left out.
 */
function piecesOf(letters: readonly string[], wanted: readonly number[], meant: ReadonlySet<number>): string[] {
  const pieces: { begin: number; end: number }[] = [];
  for (const position of wanted) {
    const last = pieces.at(-1);
    if (last === undefined || position >= last.end) pieces.push({ begin: position, end: position + 3 });
    else if (position === last.end - 2 || meant.has(position - 1)) last.end = position + 3;
  }
  return pieces.map(({ begin, end }) => letters.slice(begin, end).join(""));
}

const escapePattern = (piece: string): string => piece.replace(/[\\%_]/g, "\\$&");
