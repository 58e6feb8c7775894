import process from "node:process";
import { describe, type TestContext } from "node:test";
import { hasPostgres, howToEnable } from "./postgres.ts";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

export type Start = (t: TestContext, options?: Omit<ServerOptions, "engine">) => Promise<TestServer>;

/** Makes one suite for a server on each engine. Without PostgreSQL its half is skipped, and fails under `CI=true`. */
export function eachServer(suite: (start: Start) => void): void {
  describe("sqlite", () => suite((t, options) => startServer(t, { ...options, engine: "sqlite" })));
  const isMissing = !hasPostgres() && process.env["CI"] !== "true";
  describe("postgres", { skip: isMissing && `PostgreSQL is missing: ${howToEnable}` }, () =>
    suite((t, options) => startServer(t, { ...options, engine: "postgres" })),
  );
}
