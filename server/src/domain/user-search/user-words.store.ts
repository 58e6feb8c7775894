import { foldCase } from "../../base/fold-case.ts";
import { type Candidates, fold, type Reader, sql } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/** The scope of a search for users. */
export interface SearchPlace {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
  /** Parts that are too common to narrow a search (`readCommonParts`). */
  readonly commonParts: ReadonlySet<string>;
}

// The number of parts of three letters in a search: each is read from its own list of the index.
const mostParts = { sqlite: 16, postgres: 8 } as const;

/**
 * Returns candidates for users with a text that contains the value, without regard to case; the index needs at least
 * three letters.
 */
export function wordCandidates(place: SearchPlace, value: string): Candidates | undefined {
  // PostgreSQL folds by itself, because it may fold other letters.
  const letters = [...(place.engine === "postgres" ? value : foldCase(value))];
  if (letters.length < 3 || value.includes("\0")) return undefined;
  return place.engine === "postgres" ? byPattern(place, letters) : byMatch(place, letters);
}

function byPattern({ commonParts }: SearchPlace, letters: readonly string[]): Candidates {
  const places = rare(letters, known(letters), commonParts);
  const wanted = spread(places, Math.min(mostParts.postgres, Math.ceil(letters.length / 3)));
  // One pattern for all parts: separate comparisons would each build the searched text again, which takes longer than
  // the index.
  const pattern = `%${piecesOf(letters, wanted, new Set(places)).map(escapePattern).join("%")}%`;
  return { condition: sql`${searchedWords} like ${fold(sql`${pattern}`)}`, isExact: false };
}

function byMatch({ instanceId, commonParts }: SearchPlace, letters: readonly string[]): Candidates {
  const wanted = spread(rare(letters, placesOf(letters), commonParts), mostParts.sqlite);
  const match = wanted.map((place) => `"${partAt(letters, place).replaceAll('"', '""')}"`).join(" AND ");
  // Joined by ids in this order: the other way round SQLite would scan all users of the instance, which it estimates at
  // ten.
  const found = sql`select found.user_id as "id" from user_words cross join users found on found.search_number = user_words.rowid
    where user_words match ${match} and found.instance_id = ${instanceId}`;
  // A subquery of a condition is read to its end first.
  return {
    condition: sql`users.user_id in (${found})`,
    isExact: false,
    first: (count) => sql`${found} limit ${count}`,
  };
}

/** Returns the positions at which parts of three letters begin. */
const placesOf = (letters: readonly string[]): readonly number[] => [...letters.slice(2).keys()];

const partAt = (letters: readonly string[], place: number): string => letters.slice(place, place + 3).join("");

/** Keeps the positions whose part the index of PostgreSQL has, those of letters and digits; all, when there is none. */
function known(letters: readonly string[]): readonly number[] {
  const places = placesOf(letters);
  const words = places.filter((place) => /^[\p{L}\p{N}]+$/u.test(partAt(letters, place)));
  return words.length > 0 ? words : places;
}

/** Keeps the positions whose part is not common; all, when there is none. */
function rare(letters: readonly string[], places: readonly number[], common: ReadonlySet<string>): readonly number[] {
  const words = places.filter((place) => !common.has(foldCase(partAt(letters, place))));
  return words.length > 0 ? words : places;
}

/** Picks at most `most` of the positions, spread evenly. */
function spread(places: readonly number[], most: number): number[] {
  const count = Math.min(most, places.length);
  const step = (places.length - 1) / Math.max(1, count - 1);
  return [...new Set(Array.from({ length: count }, (_each, index) => places[Math.round(index * step)] ?? 0))];
}

/**
 * Joins the parts to pieces of the text that do not overlap, in their order. Overlapping parts become one piece; the
 * later part is dropped where that piece would contain a part that is to be left out.
 */
function piecesOf(letters: readonly string[], wanted: readonly number[], meant: ReadonlySet<number>): string[] {
  const pieces: { begin: number; end: number }[] = [];
  for (const place of wanted) {
    const last = pieces.at(-1);
    if (last === undefined || place >= last.end) pieces.push({ begin: place, end: place + 3 });
    else if (place === last.end - 2 || meant.has(place - 1)) last.end = place + 3;
  }
  return pieces.map(({ begin, end }) => letters.slice(begin, end).join(""));
}

const escapePattern = (piece: string): string => piece.replace(/[\\%_]/g, "\\$&");
