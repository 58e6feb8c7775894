import { createHash } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import type { DatabaseLocation } from "../../../src/database/index.ts";
import { isLong } from "../data/random.ts";
import { type Engine, onPostgres } from "./databases.ts";
import { reasonWithoutPostgres } from "./engines.ts";

/** Declares a test, as `test` of `node:test` does. */
type DeclareTest = (name: string, work: (t: TestContext) => unknown) => void;

/** Declares the tests of a suite: each on one engine, or on both. */
export type Suite<Subject> = (subject: Subject, test: DeclareTest, both: DeclareTest) => void;

/**
 * Makes one suite on each engine. Its tests take turns: the name of one decides on which engine it runs, always the
 * same. That is for what protocols and pages answer, where other tests run the statements behind it on both engines.
 * Tests of statements, races and storage are declared with `both`. In full (`--whole`), and where one engine is
 * missing, every test runs wherever it can.
 */
export function enginesInTurn(suite: Suite<Engine>): void {
  const both: DeclareTest = (name, work) => void test(name, async (t) => void (await work(t)));
  const on = (engine: Engine): void =>
    suite(engine, (name, work) => (isTurnOf(engine, name) ? both(name, work) : undefined), both);
  describe("sqlite", () => on("sqlite"));
  onPostgres(() => on("postgres"));
}

/** Whether an engine has the turn for a test or for one of the many cases of a test, named alike every time. */
export function isTurnOf(engine: Engine, name: string): boolean {
  if (isLong() || reasonWithoutPostgres() !== false) return true;
  const isEven = ((createHash("sha256").update(name).digest()[0] ?? 0) & 1) === 0;
  return engine === (isEven ? "sqlite" : "postgres");
}

/** The engine of a database. */
export const engineOf = ({ url }: DatabaseLocation): Engine => (url === undefined ? "sqlite" : "postgres");
