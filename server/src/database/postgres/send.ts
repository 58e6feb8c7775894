import type { ClientBase, QueryConfig } from "pg";
import { toDatabaseError } from "./errors.ts";
import { Packet, type StatementResult } from "./packet.ts";

/**
 * Sends all statements to a pipelined connection in one packet, and resolves with their results in the same order. The
 * server commits them together, unless they begin a transaction, and executes none after the first that fails.
 */
export function send(client: ClientBase, queries: readonly QueryConfig[]): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Packet(client, queries, (error, results) => (error ? reject(toDatabaseError(error)) : resolve(results))),
    );
  });
}
