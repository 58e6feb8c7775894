import type { ClientConfig } from "pg";
import type { Reader } from "../database.ts";
import type { Sql } from "../sql.ts";
import { Lanes } from "./lanes.ts";
import { keyedSettings } from "./settings.ts";
import { SharedReads } from "./shared-reads.ts";
import { toQuery } from "./statements.ts";

/**
 * Pipelines reads of single statements over `connections`, and reads by key (`byKey`) over as many others, whose
 * planner has settings for them.
 */
export class PipelinedReads implements Reader {
  readonly engine = "postgres";
  readonly isStrict: boolean;
  readonly atLength: Reader | undefined;
  readonly #lanes: Lanes;
  readonly #keyed: Lanes;
  readonly #shared: SharedReads;

  constructor(
    settings: ClientConfig,
    connections: number,
    { isStrict = false, atLength }: Pick<Reader, "isStrict" | "atLength"> = {},
  ) {
    this.isStrict = isStrict;
    this.atLength = atLength;
    this.#lanes = new Lanes(settings, connections);
    this.#keyed = new Lanes(keyedSettings(settings), connections);
    this.#shared = new SharedReads(() => this.#keyed.leastBusy());
  }

  async all<Row>(statement: Sql): Promise<Row[]> {
    if (statement.sharedIn !== undefined) return (await this.#shared.all(statement)) as Row[];
    return (await this.#lanes.leastBusy()(toQuery(statement))).rows as Row[];
  }

  async maybe<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(statement))[0];
  }

  /** Resolves when the reads that were asked for are answered and the connections are closed. */
  async close(): Promise<void> {
    this.#shared.sendAll();
    await Promise.all([this.#lanes.close(), this.#keyed.close()]);
  }
}
