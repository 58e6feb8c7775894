import { join, type Reader, type Sql, sql, text } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/**
 * Returns parts of three letters that a fifth or more of the users have, as far as samples tell. They are not worth a
 * search in an index that has a list of users for each part. Samples are taken at four times between the first user and
 * the last, and a part is common if it is so in two of them. Users created one after the other share much (numbers that
 * count up) that others do not have. They are read again for each search, because that takes little compared to what it
 * saves.
 */
export async function readCommonParts(reader: Reader, instanceId: string): Promise<ReadonlySet<string>> {
  const samples = await readSamples(reader, instanceId);
  const countsOf = samples.map((sample) => ({ least: sample.length / 5, counts: countParts(sample) }));
  const all = new Set(countsOf.flatMap(({ counts }) => [...counts.keys()]));
  const isCommon = (part: string): boolean =>
    countsOf.filter(({ least, counts }) => (counts.get(part) ?? 0) >= least).length >= Math.min(2, samples.length);
  return new Set([...all].filter(isCommon));
}

const sampleCount = 4;
const sampleSize = 25;
// A smaller sample says nothing about the others.
const leastSample = 10;

interface Sampled {
  readonly sample: number;
  readonly userId: string;
  readonly words: string;
}

/** Reads the texts of each sample. A user in two of them, because none was created in between, counts in the first. */
async function readSamples(reader: Reader, instanceId: string): Promise<string[][]> {
  const rows = await reader.all<Sampled>(samplesOf(instanceId, await readTimes(reader, instanceId)));
  const samples: string[][] = Array.from({ length: sampleCount }, () => []);
  const seen = new Set<string>();
  for (const { sample, userId, words } of rows) {
    if (!seen.has(userId)) samples[sample]?.push(words);
    seen.add(userId);
  }
  return samples.filter((sample) => sample.length >= leastSample);
}

/** Returns when the first and the last user were created. */
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

/** The first users, and the last before each later time: most may have been created at once, and hardly any since. */
function samplesOf(instanceId: string, { first, last }: { readonly first: number; readonly last: number }): Sql {
  const each = Array.from({ length: sampleCount }, (_each, number) => {
    const at = first + Math.floor(((last - first) * number) / (sampleCount - 1));
    const since = number === 0 ? sql`created_at >= ${at}` : sql`created_at <= ${at}`;
    const direction = number === 0 ? text("asc") : text("desc");
    return sql`select * from (select ${text(`${number}`)} as "sample", user_id as "userId", ${searchedWords} as "words" from users
      where instance_id = ${instanceId} and ${since} order by created_at ${direction}, user_id ${direction} limit ${sampleSize}) sample${text(`${number}`)}`;
  });
  return join(each, " union all ");
}

function countParts(sample: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const words of sample) for (const part of partsOf(words)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return counts;
}

function partsOf(words: string): Set<string> {
  const letters = [...words];
  return new Set(letters.slice(2).map((_letter, index) => letters.slice(index, index + 3).join("")));
}
