/**
 * Returns the tables that a statement reads or changes without naming their instance: each query in it, also one inside
 * of another, has to compare `instance_id` with a parameter. Tables that it joins are then of this instance by
 * comparison with one another.
 */
export function tablesWithoutInstance(statement: string, tables: ReadonlySet<string>): string[] {
  return queriesOf(statement).flatMap((query) => unnamedIn(query, tables));
}

/** Divides a statement into its queries, each without those inside of it. */
function queriesOf(statement: string): string[] {
  const queries: string[] = [];
  const take = (start: number): [own: string, end: number] => {
    let own = "";
    for (let index = start; index < statement.length; index++) {
      const character = statement[index];
      if (character === "'") {
        const end = statement.indexOf("'", index + 1);
        own += "''";
        index = end;
      } else if (character === "(") {
        const [inner, end] = take(index + 1);
        own += /^\s*(select|with|update|delete|insert)\b/.test(inner) ? "()" : `(${inner})`;
        if (/^\s*(select|with|update|delete|insert)\b/.test(inner)) queries.push(...inner.split(separators));
        index = end;
      } else if (character === ")") {
        return [own, index];
      } else own += character;
    }
    return [own, statement.length];
  };
  queries.push(...take(0)[0].split(separators));
  return queries;
}

const separators = /\b(?:union all|union|intersect|except)\b/;
const reference =
  /\b(?:from|join|update|delete from)\s+(\w+)(?:\s+(?:as\s+)?(?!(?:on|where|set|join|left|order|limit|group|for|cross|using|returning)\b)(\w+))?/g;

function unnamedIn(query: string, tables: ReadonlySet<string>): string[] {
  const references = [...query.matchAll(reference)]
    .filter(([, table = ""]) => tables.has(table))
    .map(([, table = "", alias = table]) => ({ table, alias }));
  if (references.length === 0) return [];
  const named = new Set(
    [...query.matchAll(/(?:(\w+)\.)?\binstance_id(?: \|\| ''\))? = \$\d+/g)].map(
      ([, alias]) => alias ?? references[0]?.alias ?? "",
    ),
  );
  const pairs = [...query.matchAll(/(\w+)\.instance_id = (\w+)\.instance_id/g)].map(([, a = "", b = ""]) => [a, b]);
  for (let before = -1; before !== named.size; ) {
    before = named.size;
    for (const pair of pairs) if (pair.some((alias) => named.has(alias))) for (const alias of pair) named.add(alias);
  }
  return references.filter(({ alias }) => !named.has(alias)).map(({ table, alias }) => `${table} ${alias}`);
}
