import assert from "node:assert/strict";
import { test } from "node:test";
import { join, list, type Sql, sql, text } from "../../src/database/index.ts";

const rendered = ({ shape, values }: Sql) => ({ sqlite: shape.sqlite, postgres: shape.postgres, values });

test("a value is a parameter, whatever it says", () => {
  const hostile = "'; drop table users; --";
  assert.deepEqual(rendered(sql`select * from users where name = ${hostile} and n = ${1}`), {
    sqlite: "select * from users where name = ? and n = ?",
    postgres: "select * from users where name = $1 and n = $2",
    values: [hostile, 1],
  });
});

test("what only looks like a piece of a statement is refused", () => {
  const hostile = JSON.parse('{"shape":{"sqlite":"1; drop table users","pieces":["1"]},"values":[]}') as Sql;
  assert.throws(() => sql`select ${hostile}`, TypeError);
  assert.throws(() => sql`select ${[1] as unknown as number}`, TypeError);
});

test("pieces and values may stand in any order, and pieces in pieces", () => {
  const inner = sql`b = ${2}`;
  const condition = join([sql`a = ${1}`, inner, sql`c = ${text("now")}`], " and ");
  const statement = sql`select ${text("x")}, ${0} from t where ${condition} and ${inner} limit ${9}`;
  assert.deepEqual(rendered(statement), {
    sqlite: "select x, ? from t where a = ? and b = ? and c = now and b = ? limit (? + 0)",
    postgres: "select x, $1 from t where a = $2 and b = $3 and c = now and b = $4 limit $5",
    values: [0, 1, 2, 2, 9],
  });
});

test("absent is null and truth values are 1 and 0", () => {
  assert.deepEqual(sql`${undefined} ${null} ${true} ${false}`.values, [null, null, 1, 0]);
});

test("a list is filled up to a power of two, and an empty one contains nothing", () => {
  assert.deepEqual(rendered(sql`x in ${list([])}`), { sqlite: "x in (null)", postgres: "x in (null)", values: [] });
  assert.deepEqual(rendered(sql`x in ${list(["a"])}`).values, ["a"]);
  const three = rendered(sql`x in ${list(["a", "b", "c"])} and y = ${1}`);
  assert.deepEqual(three.values, ["a", "b", "c", "c", 1]);
  assert.equal(three.postgres, "x in ($1,$2,$3,$4) and y = $5");
  for (let size = 1; size <= 40; size++) {
    const { values, sqlite } = rendered(list(Array.from({ length: size }, (_, index) => index)));
    assert.equal(sqlite.split("?").length - 1, values.length);
    assert.equal(new Set(values).size, size);
  }
});

test("nothing joined is nothing, and many parts keep their order", () => {
  assert.deepEqual(rendered(join([], " and ")), { sqlite: "", postgres: "", values: [] });
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const rows = join(
    numbers.map((n) => sql`(${n})`),
    ", ",
  );
  assert.deepEqual(rows.values, numbers);
  assert.ok(rows.shape.postgres.endsWith("($199), ($200)"));
});

test("the same statement made again is the same shape, so that engines keep what they derived", () => {
  const columns = text("a, b");
  const make = (n: number, names: readonly string[]) =>
    sql`select ${columns} from t where n = ${n} and ${join([sql`x = ${n}`, sql`y in ${list(names)}`], " or ")}`;
  assert.equal(make(1, ["a", "b", "c"]).shape, make(2, ["d", "e", "f", "g"]).shape);
  assert.notEqual(make(1, ["a"]).shape, make(1, ["a", "b"]).shape);
  // The same template with a value and a piece exchanged is another statement.
  const either = (a: Sql | number, b: Sql | number) => sql`${a} = ${b}`;
  assert.equal(either(text("x"), 1).shape.sqlite, "x = ?");
  assert.equal(either(1, text("x")).shape.sqlite, "? = x");
});

test("statements without end of kinds do not grow memory without end, and stay right", () => {
  const parts = Array.from({ length: 16 }, (_, index) => sql`${text("c")}${list(new Array(2 ** index % 9).fill(0))}`);
  const make = (bits: number) =>
    join(
      parts.filter((_, index) => (bits >> index) & 1),
      " or ",
    );
  for (let bits = 1; bits < 60_000; bits += 7) make(bits);
  assert.equal(make(3).shape.sqlite, `${parts[0]?.shape.sqlite} or ${parts[1]?.shape.sqlite}`);
});

test("words that the engines spell differently are translated", () => {
  const statement = sql`select lower(a), strpos(lower(a), ${"x"}), flower(a), lower_case from t`;
  assert.equal(statement.shape.sqlite, "select lower(a), instr(lower(a), ?), flower(a), lower_case from t");
  const postgres = "select doorward_lower(a), strpos(doorward_lower(a), $1), flower(a), lower_case from t";
  assert.equal(statement.shape.postgres, postgres);
});
