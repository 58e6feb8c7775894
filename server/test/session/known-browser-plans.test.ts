import assert from "node:assert/strict";
import { test } from "node:test";
import { type Reader, type Sql, sql } from "../../src/database/index.ts";
import { findSessionOfUserAt, findSessionOfUserIn } from "../../src/domain/session/browser-session.store.ts";
import { eachEngine } from "../support/databases/databases.ts";

eachEngine((open, engine) => {
  test("the former sessions of a browser are found by the browser, not among all of the instance", async (t) => {
    const { read } = await open(t);
    const statements: Sql[] = [];
    const note = (statement: Sql): void => void statements.push(statement);
    const reader: Reader = {
      engine: read.engine,
      all: (statement) => {
        note(statement);
        return read.all(statement);
      },
      maybe: (statement) => {
        note(statement);
        return read.maybe(statement);
      },
    };
    const userId = "1";
    assert.equal(await findSessionOfUserIn(reader, "1", { browserHash: "b", userId }), undefined);
    assert.equal(await findSessionOfUserAt(reader, "1", { fingerprintId: "f", creatorId: "c", userId }), undefined);
    assert.equal(statements.length, 2);
    for (const [index, statement] of statements.entries()) {
      const explain = engine === "sqlite" ? sql`explain query plan ${statement}` : sql`explain ${statement}`;
      const plan = JSON.stringify(await read.all(explain));
      assert.match(plan, index === 0 ? /sessions_by_browser/ : /sessions_by_fingerprint/);
    }
  });
});
