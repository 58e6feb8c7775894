import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sealedColumns } from "../../../src/domain/reencryption/index.ts";

const root = join(import.meta.dirname, "../../../src");

/** What is sealed and given away, so that no column holds it. */
const givenAway = ["cookies/", "positions-in-users/", "previews/", "registrations/token", "tickets/"];

/** The context that a file seals with, as its module spells it: `table/part`; a text without slashes as it is. */
function contextsOf(file: string, source: string): string[] {
  const functions = [...source.matchAll(/vault\.encrypt\([^;]*?\b([a-zA-Z]+)\((?:[^()]|\([^()]*\))*\)\)/g)].map(
    ([, name]) => name,
  );
  const beside = globSync("*.ts", { cwd: join(root, dirname(file)) })
    .map((name) => readFileSync(join(root, dirname(file), name), "utf8"))
    .join("\n");
  return functions.flatMap((name) => {
    const definition = new RegExp(`(?:const|function) ${name}\\b[\\s\\S]*?\``).exec(beside);
    assert.ok(definition, `${file}: the context ${name} is not found beside it`);
    const text = beside.slice(definition.index + definition[0].length).split("`", 1)[0] ?? "";
    const [table = "", ...rest] = text.split("/");
    return [rest.length === 0 ? table : `${table}/${rest.at(-1)}`];
  });
}

// A column that is missing here becomes unreadable once the former key is removed.
test("everything that the sources seal is a column that is sealed again, or is given away", () => {
  // The last two seal again what the list of columns names.
  const others = ["base/", "domain/reencryption/", "domain/transfer/"];
  const sealing = globSync("**/*.ts", { cwd: root }).filter((file) => !others.some((each) => file.startsWith(each)));
  const used = new Map<string, string>();
  let calls = 0;
  for (const file of sealing) {
    const source = readFileSync(join(root, file), "utf8");
    const count = source.split("vault.encrypt(").length - 1;
    if (count === 0) continue;
    const contexts = contextsOf(file, source);
    assert.equal(contexts.length, count, `${file}: a call of vault.encrypt whose context is not a function`);
    for (const context of contexts) used.set(context, file);
    calls += count;
  }
  assert.ok(calls >= 12, `only ${calls} calls were found`);
  // One function names the parts of an attempt.
  const parts = (context: string) =>
    context.startsWith("identity_intents/")
      ? ["request", "identity", "answer"].map((part) => `identity_intents/${part}`)
      : [context];
  const found = new Set(
    [...used.keys()].flatMap(parts).filter((context) => !givenAway.some((each) => context.startsWith(each))),
  );
  const known = new Set(sealedColumns.map(({ table, part }) => `${table}/${part}`));
  assert.deepEqual([...found].toSorted(), [...known].toSorted());
});
