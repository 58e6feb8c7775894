import { describe } from "node:test";
import type { Ending } from "../databases/databases.ts";
import { reasonWithoutPostgres } from "../databases/engines.ts";
import { enginesInTurn, type Suite } from "../databases/turns.ts";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

export type Start = (t: Ending, options?: Omit<ServerOptions, "engine">) => Promise<TestServer>;

/** Makes one suite for a server on each engine. Without PostgreSQL its half is skipped, and fails under `CI=true`. */
export function eachServer(suite: (start: Start) => void): void {
  describe("sqlite", () => suite((t, options) => startServer(t, { ...options, engine: "sqlite" })));
  const skip = reasonWithoutPostgres();
  describe("postgres", { skip }, () => suite((t, options) => startServer(t, { ...options, engine: "postgres" })));
}

/** Makes one suite for a server on each engine, whose tests take turns (`enginesInTurn`). */
export function serversInTurn(suite: Suite<Start>): void {
  enginesInTurn((engine, ...declare) => suite((t, options) => startServer(t, { ...options, engine }), ...declare));
}
