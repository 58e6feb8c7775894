import { type Reader, sql } from "../../database/index.ts";
import { searchedWords } from "./user-fields.store.ts";

/**
 * Parts of three letters that a fifth of the users or more have, as far as a sample of the first and the last ones tells: what PostgreSQL had better
 * not look for in its index. It is read anew for each search, because it takes no time beside what it saves. None on the embedded database.
 */
export async function readCommonParts(reader: Reader, instanceId: string): Promise<ReadonlySet<string>> {
  if (reader.engine === "sqlite") return new Set();
  const sample = await reader.all<{ words: string }>(sql`
    (select ${searchedWords} as "words" from users where instance_id = ${instanceId} order by user_id limit ${half})
    union all (select ${searchedWords} as "words" from users where instance_id = ${instanceId} order by user_id desc limit ${half})`);
  const counts = new Map<string, number>();
  for (const { words } of sample) {
    for (const part of partsOf(words)) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count * 5 >= sample.length).map(([part]) => part));
}

const half = 50;

function partsOf(words: string): Set<string> {
  const letters = [...words];
  return new Set(letters.slice(2).map((_letter, index) => letters.slice(index, index + 3).join("")));
}
