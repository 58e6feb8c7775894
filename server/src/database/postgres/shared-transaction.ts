import type { QueryConfig } from "pg";
import { DatabaseUnavailable } from "../database.ts";
import { isLockTimeout, isRefusal, isWorthRepeating } from "./errors.ts";
import type { Lease } from "./lease.ts";
import { mergeUnits } from "./merge-inserts.ts";
import type { StatementResult } from "./packet.ts";
import { send } from "./send.ts";
import { commitStatement } from "./statements.ts";

/** Milliseconds until all units of a transaction have to be ready: each keeps the rows of the others locked. */
const longest = 100;

/** The transaction that a unit of work shared was taken back; the unit is repeated in its own. */
export class SharedTransactionBroken extends DatabaseUnavailable {
  constructor(options?: ErrorOptions) {
    super("a transaction that several units of work shared was taken back", options);
  }
}

/** The part of a unit of work in a transaction that it shares. */
export interface SharedPart {
  /** What its deciding statement returned. */
  readonly decision: StatementResult;
  /** Executes further statements of the unit. */
  execute(queries: readonly QueryConfig[]): Promise<StatementResult[]>;
  /** Adds the last statements of the unit. Resolves when they are committed with those of all others. */
  commit(queries: readonly QueryConfig[]): Promise<void>;
  /** Takes back the whole transaction. */
  giveUp(): Promise<void>;
}

interface Ready {
  readonly queries: readonly QueryConfig[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Member {
  readonly sources: readonly string[];
  ready: Ready | undefined;
}

/** A transaction that is open for units of work which it has decided, until all are ready or one of them is not. */
export class SharedTransaction {
  readonly #lease: Lease;
  readonly #members: Member[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #isBroken = false;
  /** Whether the connection is closed afterwards: what the server refused it would refuse on it again. */
  #isWorn = false;
  readonly #outcome = Promise.withResolvers<"ready" | "late" | Member>();

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  /** Adds a unit, for which `decision` was returned. All of them join before the first continues. */
  join(decision: StatementResult, sources: readonly string[]): SharedPart {
    const member: Member = { sources, ready: undefined };
    this.#members.push(member);
    return {
      decision,
      execute: async (queries) => {
        if (this.#isBroken) throw new SharedTransactionBroken();
        return send(this.#lease.client, queries).catch((cause: unknown) => {
          this.note(cause);
          this.#break(member);
          throw new SharedTransactionBroken({ cause });
        });
      },
      commit: (queries) => {
        if (this.#isBroken) return Promise.reject(new SharedTransactionBroken());
        return new Promise((resolve, reject) => {
          member.ready = { queries, resolve, reject };
          if (this.#members.every(({ ready }) => ready !== undefined)) this.#outcome.resolve("ready");
        });
      },
      giveUp: () => {
        this.#break(member);
        return this.#ended.promise;
      },
    };
  }

  /**
   * Commits when all units are ready, and gives the connection back. Otherwise takes everything back, and returns the
   * sources of those that gave up or were not ready in time: all of them where the server refused what they wrote.
   */
  async finish(): Promise<(readonly string[])[]> {
    if (this.#members.length === 0) {
      await this.takeBack();
      return [];
    }
    // After a stall, what arrived during it comes first.
    const timer = setTimeout(() => setImmediate(() => this.#outcome.resolve("late")), longest);
    const outcome = await this.#outcome.promise;
    clearTimeout(timer);
    if (outcome === "ready" && (await this.#commit())) return [];
    const reason = this.#members.filter(({ ready }) => outcome === "ready" || ready === undefined);
    await this.takeBack();
    return (typeof outcome === "object" ? [outcome] : reason).map(({ sources }) => sources);
  }

  /** Notes why a statement failed: whether only because of other transactions. */
  note(error: unknown): void {
    this.#isWorn ||= error instanceof DatabaseUnavailable && !isLockTimeout(error) && !isWorthRepeating(error);
  }

  /** Rolls back, and gives the connection back. */
  async takeBack(): Promise<void> {
    this.#isBroken = true;
    try {
      await this.#lease.client.query("rollback");
      this.#lease.release(this.#isWorn);
    } catch {
      this.#lease.release(true);
    }
    this.#ended.resolve();
    for (const { ready } of this.#members) ready?.reject(new SharedTransactionBroken());
  }

  #break(member: Member): void {
    this.#isBroken = true;
    this.#outcome.resolve(member);
  }

  /** Commits, or tells every unit that the outcome is unknown. False when the server refused it. */
  async #commit(): Promise<boolean> {
    const units = this.#members.map(({ ready }) => ready?.queries ?? []);
    try {
      const results = await send(this.#lease.client, [...mergeUnits(units), commitStatement]);
      // The server answers `commit` with ROLLBACK when the transaction had failed before.
      if (results.at(-1)?.command !== "COMMIT") return false;
    } catch (error) {
      this.note(error);
      if (isRefusal(error)) return false;
      this.#isBroken = true;
      this.#lease.release(true);
      this.#ended.resolve();
      for (const { ready } of this.#members) ready?.reject(error);
      return true;
    }
    this.#lease.release();
    this.#ended.resolve();
    for (const { ready } of this.#members) ready?.resolve();
    return true;
  }
}
