import { foldCase } from "../../base/fold-case.ts";
import { type Candidates, fold, type Reader, sql } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/** Where users are looked for. */
export interface SearchPlace {
  readonly engine: Reader["engine"];
  readonly instanceId: string;
  /** What finds hardly anybody by itself (`readCommonParts`). */
  readonly commonParts: ReadonlySet<string>;
}

// So many parts of three letters are looked for: each is read on in its own list of the index.
const mostParts = { sqlite: 16, postgres: 8 } as const;

/** Users one of whose texts contains a text, without regard to case; an index knows all that have three letters. */
export function wordCandidates(place: SearchPlace, value: string): Candidates | undefined {
  // PostgreSQL folds by itself, because it may know other letters.
  const letters = [...(place.engine === "postgres" ? value : foldCase(value))];
  if (letters.length < 3 || value.includes("\0")) return undefined;
  return place.engine === "postgres" ? byPattern(place, letters) : byMatch(place, letters);
}

function byPattern({ commonParts }: SearchPlace, letters: readonly string[]): Candidates {
  const places = rare(letters, known(letters), commonParts);
  const wanted = spread(places, Math.min(mostParts.postgres, Math.ceil(letters.length / 3)));
  // One pattern for all: a comparison for each would make the text that is searched anew for each, and takes longer than the index does.
  const pattern = `%${piecesOf(letters, wanted, new Set(places)).map(escapePattern).join("%")}%`;
  return { condition: sql`${searchedWords} like ${fold(sql`${pattern}`)}`, isExact: false };
}

function byMatch({ instanceId, commonParts }: SearchPlace, letters: readonly string[]): Candidates {
  const wanted = spread(rare(letters, placesOf(letters), commonParts), mostParts.sqlite);
  const match = wanted.map((place) => `"${partAt(letters, place).replaceAll('"', '""')}"`).join(" AND ");
  // By their ids, and never the other way round: among numbers SQLite would look for all users of the instance, whom it takes for ten.
  const found = sql`select found.user_id as "id" from user_words cross join users found on found.search_number = user_words.rowid
    where user_words match ${match} and found.instance_id = ${instanceId}`;
  // What a condition is in is read to its end first.
  return {
    condition: sql`users.user_id in (${found})`,
    isExact: false,
    first: (count) => sql`${found} limit ${count}`,
  };
}

/** Where parts of three letters begin. */
const placesOf = (letters: readonly string[]): readonly number[] => [...letters.slice(2).keys()];

const partAt = (letters: readonly string[], place: number): string => letters.slice(place, place + 3).join("");

/** Those that the index of PostgreSQL knows, which are of letters and digits; all, when it knows none. */
function known(letters: readonly string[]): readonly number[] {
  const places = placesOf(letters);
  const words = places.filter((place) => /^[\p{L}\p{N}]+$/u.test(partAt(letters, place)));
  return words.length > 0 ? words : places;
}

/** Those that only some people have; all, when there is none. */
function rare(letters: readonly string[], places: readonly number[], common: ReadonlySet<string>): readonly number[] {
  const words = places.filter((place) => !common.has(foldCase(partAt(letters, place))));
  return words.length > 0 ? words : places;
}

/** So many of the places, spread over all. */
function spread(places: readonly number[], most: number): number[] {
  const count = Math.min(most, places.length);
  const step = (places.length - 1) / Math.max(1, count - 1);
  return [...new Set(Array.from({ length: count }, (_each, index) => places[Math.round(index * step)] ?? 0))];
}

/** The parts as pieces of the text that do not overlap, in their order. Parts that do are one piece, unless there is one between them that is not meant. */
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
