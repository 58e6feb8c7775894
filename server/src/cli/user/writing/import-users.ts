import { CommandError } from "../../command-error.ts";
import { type PreparedUser, prepareUser, type Target } from "../checking/prepare-user.ts";
import type { Rules } from "../checking/rules.ts";
import { type Loss, type SourceUser, UserRefused } from "../sources/source.ts";
import { completeUser, createUser, type ImportApi, type Outcome } from "./create-user.ts";
import { findByIds, findByUsernames, type KnownUser } from "./known-users.ts";
import type { Report, ReportLine, What } from "./report-line.ts";

/** An entry of a file: a user, or why there is none. */
export type SourceEntry = { readonly file: string; readonly row: number } & (
  | { readonly user: SourceUser }
  | { readonly problem: string; readonly field?: string }
);

/** What a run has done. */
export interface Counts {
  rows: number;
  created: number;
  existing: number;
  /** Users that an earlier run had created, and whose roles or state were set now. */
  completed: number;
  failed: number;
  skipped: number;
  /** Users of whose data something was lost or changed. */
  reduced: number;
}

export interface ImportDeps extends ImportApi {
  readonly target: Target;
  readonly rules: Rules;
  readonly report: Report;
  readonly findRepetition: (user: PreparedUser, entry: number) => readonly Loss[];
  readonly isDryRun: boolean;
  /** Calls in flight. */
  readonly concurrency: number;
  /** Stops the run: no further user is begun, and those who are created get all that belongs to them. */
  readonly signal?: AbortSignal;
  readonly progress: (counts: Counts) => void;
  /** Told of each user who was created or existed. What else became of entries is in the report. */
  readonly onUser?: (entry: SourceEntry, outcome: Outcome) => void;
}

const batchSize = 100;

/** Imports entries batch by batch, and reports what failed, existed, was lost or changed, in the order of the file. */
export async function importUsers(deps: ImportDeps, entries: AsyncIterable<SourceEntry>): Promise<Counts> {
  const counts = { rows: 0, created: 0, existing: 0, completed: 0, failed: 0, skipped: 0, reduced: 0 };
  let batch: SourceEntry[] = [];
  const flush = async (): Promise<void> => {
    await importBatch(deps, batch, counts);
    batch = [];
    deps.progress(counts);
  };
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return counts;
}

interface Row {
  readonly entry: SourceEntry;
  readonly name: string;
  readonly prepared?: PreparedUser;
  readonly lines: ReportLine[];
}

async function importBatch(deps: ImportDeps, batch: readonly SourceEntry[], counts: Counts): Promise<void> {
  const rows = batch.map((entry) => prepare(deps, entry, counts));
  const ready = rows.flatMap((row) => (row.prepared === undefined ? [] : [{ row, prepared: row.prepared }]));
  const ids = ready.flatMap(({ prepared }) => prepared.id ?? []);
  const known = new Map((await findByIds(deps.api, ids)).map((user) => [user.id, user]));
  const names = deps.isDryRun
    ? await findNames(
        deps,
        ready.map(({ prepared }) => prepared),
        known,
      )
    : new Map();
  const queue = ready.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const { row, prepared } of queue) {
      // What ends the run ends all workers.
      if (failures.length > 0 || deps.signal?.aborted === true) return;
      await importRow(deps, row, { prepared, known, names, counts }).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: deps.concurrency }, work));
  await deps.report.add(rows.flatMap(({ lines }) => lines));
  deps.signal?.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

function prepare({ target, rules, findRepetition }: ImportDeps, entry: SourceEntry, counts: Counts): Row {
  counts.rows++;
  if ("problem" in entry) {
    counts.failed++;
    const { field = "", problem: why } = entry;
    return { entry, name: "", lines: [line(entry, "", { field, what: "failed", why })] };
  }
  const { user } = entry;
  const name = user.username || user.email || user.id;
  if (user.skipReason !== "") {
    counts.skipped++;
    return { entry, name, lines: [line(entry, name, { field: "", what: "skipped", why: user.skipReason })] };
  }
  try {
    const prepared = prepareUser(user, target, rules);
    const shared = findRepetition(prepared, counts.rows);
    const losses = [...prepared.losses, ...shared];
    return { entry, name, prepared, lines: losses.map((loss) => line(entry, name, loss)) };
  } catch (error) {
    if (!(error instanceof UserRefused)) throw error;
    counts.failed++;
    return { entry, name, lines: [line(entry, name, { field: error.field, what: "failed", why: error.message })] };
  }
}

interface RowInput {
  readonly prepared: PreparedUser;
  readonly known: ReadonlyMap<string, KnownUser>;
  /** Users with the usernames of a dry run, by their folded usernames. */
  readonly names: ReadonlyMap<string, KnownUser>;
  readonly counts: Counts;
}

async function importRow(deps: ImportDeps, row: Row, input: RowInput): Promise<void> {
  const { counts } = input;
  try {
    const outcome = await decide(deps, input);
    deps.onUser?.(row.entry, outcome);
    if (outcome === "exists") {
      counts.existing++;
      row.lines.splice(0, row.lines.length, line(row.entry, row.name, exists));
      return;
    }
    counts[outcome]++;
    if (row.lines.length > 0) counts.reduced++;
  } catch (error) {
    if (!(error instanceof UserRefused)) throw error;
    // A token that may create nothing would be refused a million times.
    if (error.isForbidden && counts.created + counts.completed === 0) throw new CommandError(error.message, { fix });
    counts.failed++;
    const failure = { field: error.field, what: "failed", why: error.message } as const;
    row.lines.splice(0, row.lines.length, line(row.entry, row.name, failure));
  }
}

const fix = "use the token of a user who may write users of the organization (--organization)";

const exists = { field: "id", what: "exists", why: "the user exists and stays as they are" } as const;

async function decide(deps: ImportDeps, { prepared, known, names }: RowInput): Promise<Outcome> {
  const { target, isDryRun } = deps;
  const same = prepared.id === undefined ? undefined : known.get(prepared.id);
  if (!isDryRun) {
    return same === undefined
      ? createUser(deps, prepared, target)
      : completeUser(deps, prepared, { known: same, target });
  }
  const namesake = names.get(prepared.username.toLowerCase());
  const found = same ?? (prepared.id === undefined ? namesake : undefined);
  if (found !== undefined) {
    if (found.organizationId === target.organizationId) return "exists";
    throw new UserRefused("id", "a user of another organization has this id or username");
  }
  if (namesake !== undefined) throw new UserRefused("username", `another user has this username: ${namesake.id}`);
  return "created";
}

async function findNames(
  { api }: ImportDeps,
  users: readonly PreparedUser[],
  known: ReadonlyMap<string, KnownUser>,
): Promise<ReadonlyMap<string, KnownUser>> {
  const unknown = users.filter(({ id }) => id === undefined || !known.has(id)).map(({ username }) => username);
  const found = await findByUsernames(api, unknown);
  return new Map(found.map((user) => [user.username.toLowerCase(), user]));
}

const line = (
  { file, row }: SourceEntry,
  user: string,
  { field, what, why }: { readonly field: string; readonly what: What; readonly why: string },
): ReportLine => ({ file, row, user, field, what, why });
