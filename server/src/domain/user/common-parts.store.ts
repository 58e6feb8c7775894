import { join, type Reader, type Sql, sql, text } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/**
 * Parts of three letters that a fifth of the users or more have, as far as samples tell: what had better not be looked for in an index that has a list of
 * users for each part. Samples are of four times between the first and the last user, and a part is common in two of them at least: people who came
 * one after the other have much in common (numbers that count up) that others do not have. They are read anew for each search, because that takes no
 * time beside what it saves.
 */
export async function readCommonParts(reader: Reader, instanceId: string): Promise<ReadonlySet<string>> {
  const times = await readTimes(reader, instanceId);
  const sample = await reader.all<{ sample: number; words: string }>(sampleOf(instanceId, times));
  const counts = new Map<string, number[]>();
  for (const { sample: number, words } of sample) {
    for (const part of partsOf(words)) {
      const ofPart = counts.get(part) ?? samples.map(() => 0);
      ofPart[number] = (ofPart[number] ?? 0) + 1;
      counts.set(part, ofPart);
    }
  }
  const isCommon = (ofPart: readonly number[]): boolean =>
    ofPart.filter((count) => count * 5 >= sampleSize).length >= 2;
  return new Set([...counts].filter(([, ofPart]) => isCommon(ofPart)).map(([part]) => part));
}

const samples = [0, 1, 2, 3] as const;
const sampleSize = 25;

/** When the first and the last user were created. */
async function readTimes(
  reader: Reader,
  instanceId: string,
): Promise<{ readonly first: number; readonly last: number }> {
  const edge = (direction: Sql): Sql =>
    sql`(select created_at from users where instance_id = ${instanceId} order by created_at ${direction} limit 1)`;
  const times = await reader.maybe<{ first: number | null; last: number | null }>(
    sql`select ${edge(text("asc"))} as "first", ${edge(text("desc"))} as "last"`,
  );
  return { first: times?.first ?? 0, last: times?.last ?? 0 };
}

function sampleOf(instanceId: string, { first, last }: { readonly first: number; readonly last: number }): Sql {
  const each = samples.map((number) => {
    const since = first + Math.floor(((last - first) * number) / samples.length);
    return sql`select * from (select ${text(`${number}`)} as "sample", ${searchedWords} as "words" from users
      where instance_id = ${instanceId} and created_at >= ${since} order by created_at, user_id limit ${sampleSize}) sample${text(`${number}`)}`;
  });
  return join(each, " union all ");
}

function partsOf(words: string): Set<string> {
  const letters = [...words];
  return new Set(letters.slice(2).map((_letter, index) => letters.slice(index, index + 3).join("")));
}
