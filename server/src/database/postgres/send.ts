import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { toDatabaseError } from "./errors.ts";

/** The part of `pg`'s client that its types omit: the socket. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/**
 * Sends all statements to a pipelined connection in one packet, and resolves with their results in the same order. When
 * several fail, it throws the first error, which is the cause of the others.
 */
export async function send(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult[]> {
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  const sent = queries.map((query) => client.query(query));
  stream.uncork();
  const settled = await Promise.allSettled(sent);
  const failed = settled.find((each) => each.status === "rejected");
  if (failed !== undefined) throw toDatabaseError(failed.reason);
  return settled.map((each) => (each as PromiseFulfilledResult<QueryResult>).value);
}
