import type { Call } from "../call/index.ts";
import { conclude, TrialSucceeded } from "./companion.ts";
import type { NewEvent, Tx } from "./database.ts";
import type { Sql } from "./sql.ts";
import { TooMuchForOneUnit } from "./too-much.ts";

/** The outcome of a statement: its rows, and how many rows it changed. */
export interface Outcome {
  readonly rows: readonly unknown[];
  readonly changed: number;
}

/** How an engine runs the statements of a unit of work. */
export interface Executor {
  execute(statement: Sql): Outcome | Promise<Outcome>;
  /** The same for the statement that decides the unit (`Tx.decide`), where that makes a difference. */
  decide?(statement: Sql): Promise<Outcome>;
  /**
   * Executes a statement without waiting for its outcome. Returns how many rows it changed, or one when that is not
   * known yet.
   */
  write(statement: Sql): number;
}

export type Work<Result> = (tx: Tx) => Promise<Result>;

/** `change` requires an event when it wrote something, `touch` does not. */
export type Kind = "change" | "touch";

/**
 * The rules of a unit of work that both engines share. An engine opens the transaction, and commits or rolls back
 * accordingly.
 */
export class UnitOfWork implements Tx {
  readonly engine: "sqlite" | "postgres";
  readonly call: Call;
  readonly isStrict: boolean;
  readonly events: NewEvent[] = [];
  /** Rows written so far. */
  written = 0;
  /** Ticks of the watch since the last statement, while none runs (see `stall-watch.ts`). */
  idleTicks = 0;
  running = 0;
  readonly #executor: Executor;
  #state: "open" | "finished" = "open";
  #failure: { readonly error: unknown } | undefined;
  #abandon: ((reason: Error) => void) | undefined;

  constructor(engine: "sqlite" | "postgres", call: Call, executor: Executor, isStrict = false) {
    this.engine = engine;
    this.isStrict = isStrict;
    this.call = call;
    this.#executor = executor;
  }

  get instanceId(): string {
    return this.call.instanceId;
  }

  get now(): number {
    return this.call.now;
  }

  /** Why the unit is lost: the error of the first failed statement, otherwise the error of the work. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#statement(statement)).rows as Row[];
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.#statement(statement)).rows[0] as Row | undefined;
  }

  async decide<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.#statement(statement, "decide")).rows[0] as Row | undefined;
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#statement(statement)).changed;
  }

  write(statement: Sql): void {
    this.written += this.#send(statement);
  }

  precede(statement: Sql): void {
    this.#send(statement);
  }

  record(event: NewEvent): void {
    if (this.#state === "finished")
      throw new Error(`event ${event.type} was recorded after its unit of work had ended`);
    this.events.push(event);
  }

  /** Does the work and checks the rules before the engine commits. Throws when it must roll back. */
  async perform<Result>(kind: Kind, work: Work<Result>): Promise<Result> {
    try {
      const result = await new Promise<Result>((resolve, reject) => {
        this.#abandon = reject;
        this.#complete(kind, work).then(resolve, reject);
      });
      if (this.#failure !== undefined) throw this.#failure.error;
      return result;
    } catch (thrown) {
      // What could refuse comes before that of which there is too much for one unit.
      const isTried = this.call.companion?.isTrial === true && thrown instanceof TooMuchForOneUnit;
      const error = isTried ? new TrialSucceeded() : thrown;
      // The first failed statement is the reason; a later error of the work may only be its consequence. A fault that
      // the work made of it is the better answer, and its cause names the origin.
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#state = "finished";
      this.#abandon = undefined;
    }
  }

  async #complete<Result>(kind: Kind, work: Work<Result>): Promise<Result> {
    const result = await work(this);
    if (kind === "touch" || this.#failure !== undefined) return result;
    if (this.written > 0 && this.events.length === 0) {
      throw new Error(
        "a change wrote rows but recorded no event; history needs one, and touch() is for what is not history",
      );
    }
    await conclude(this);
    return result;
  }

  /** Aborts work that waits for something that may never come. */
  abandon(): void {
    this.#abandon?.(
      new Error(`the unit of work of request ${this.call.requestId} waited too long for something outside of it`),
    );
  }

  #check(): void {
    if (this.#state === "finished") throw new Error("a statement came after its unit of work had ended");
    if (this.#failure !== undefined) {
      throw new Error("a statement of this unit of work failed before, so it is lost", { cause: this.#failure.error });
    }
  }

  #send(statement: Sql): number {
    this.#check();
    try {
      return this.#executor.write(statement);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.idleTicks = 0;
    }
  }

  async #statement(statement: Sql, how: "decide" | "execute" = "execute"): Promise<Outcome> {
    this.#check();
    this.running++;
    try {
      const decided = how === "decide" ? this.#executor.decide?.(statement) : undefined;
      const outcome = await (decided ?? this.#executor.execute(statement));
      this.written += outcome.changed;
      return outcome;
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.running--;
      this.idleTicks = 0;
    }
  }
}
