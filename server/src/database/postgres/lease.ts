import type pg from "pg";
import type { PoolClient } from "pg";
import { createFairTurns, type FairTurns } from "../../base/budget/fair-turns.ts";
import { currentPayer } from "../../base/budget/payer.ts";
import { seconds } from "../../base/clock.ts";
import { DatabaseUnavailable } from "../database.ts";
import { toDatabaseError } from "./errors.ts";

/** A connection of a pool that is in use. */
export interface Lease {
  readonly client: PoolClient;
  /** Gives it back; it is closed when it may be broken. */
  release(isBroken?: boolean): void;
}

/** How long a caller waits for a connection. */
const longestWait = seconds(5);

/**
 * Divides the connections of a pool among payers: units of one source that wait for the locks of one another would
 * otherwise keep all connections from everyone. An instance has four fifths of them, a block and a source a bit less.
 */
export function createLeases(pool: pg.Pool, connections: number): () => Promise<Lease> {
  const shares = [0.8, 0.7, 0.6].map((share) => Math.max(1, Math.floor(connections * share)));
  const turns = createFairTurns({ permits: connections, shares, queueLimits: [10_000], queueLimit: 10_000 });
  return async () => {
    const endTurn = await takeTurn(turns);
    try {
      const { client, release } = await leaseFrom(pool);
      return {
        client,
        release: (isBroken) => {
          release(isBroken);
          endTurn();
        },
      };
    } catch (error) {
      endTurn();
      throw error;
    }
  };
}

/** Takes a connection of a pool that has a single user. */
export async function leaseFrom(pool: pg.Pool): Promise<Lease> {
  try {
    const client = await pool.connect();
    return { client, release: (isBroken = false) => client.release(isBroken) };
  } catch (error) {
    throw toDatabaseError(error);
  }
}

async function takeTurn(turns: FairTurns): Promise<() => void> {
  try {
    return await turns.take(currentPayer(), longestWait);
  } catch (cause) {
    throw new DatabaseUnavailable("all connections to the database are in use", { cause });
  }
}
