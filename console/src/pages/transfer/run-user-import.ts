import { createRepetitionCheck, type EntryTable } from "../../../../server/src/cli/user/checking/find-repetition.ts";
import type { Target } from "../../../../server/src/cli/user/checking/prepare-user.ts";
import { type Counts, importUsers, type SourceEntry } from "../../../../server/src/cli/user/writing/import-users.ts";
import type { Session } from "../../session/session.ts";
import { browserRules } from "./browser-rules.ts";
import { jsonApi } from "./json-api.ts";
import { collectResults, type Progress, type Result } from "./results.ts";

interface Run {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly isDryRun: boolean;
  readonly entries: readonly SourceEntry[];
  readonly target: Target;
  readonly onProgress: (progress: Progress) => void;
}

// Calls at a time: enough to be fast, and few beside what others ask of the server.
const concurrency = 4;
// Between two looks of the page at the results.
const pause = 300;

/** Creates the users of a file one after the other, as `doorward user import` does, and tells how far it is. */
export async function runUserImport(run: Run): Promise<void> {
  const { session, signal, isDryRun, entries, target, onProgress } = run;
  const collector = collectResults();
  let done = 0;
  let told = Number.NEGATIVE_INFINITY;
  const tell = (isRunning: boolean, failure?: string): void => {
    const results = collector.results();
    const count = (outcome: Result["outcome"]): number => results.filter((result) => result.outcome === outcome).length;
    onProgress({
      isDryRun,
      isRunning,
      isStopped: signal.aborted,
      total: entries.length,
      done: isRunning ? done : Math.max(done, results.length),
      counts: {
        created: count("created"),
        exists: count("exists"),
        failed: count("failed"),
        skipped: count("skipped"),
      },
      results,
      lines: collector.lines(),
      failure,
    });
  };
  tell(true);
  // Users who are created at that moment get all that belongs to them first.
  const tellOfStop = (): void => tell(true);
  signal.addEventListener("abort", tellOfStop, { once: true });
  try {
    await importUsers(
      {
        api: jsonApi(session, signal, { cutsCalls: false }),
        apiToEnd: jsonApi(session, new AbortController().signal),
        signal,
        target,
        rules: browserRules,
        report: collector.report,
        onUser: collector.onUser,
        findRepetition: createRepetitionCheck(createTable),
        isDryRun,
        concurrency,
        progress: ({ rows }: Counts) => {
          done = rows;
          if (performance.now() - told < pause) return;
          told = performance.now();
          tell(true);
        },
      },
      inTurn(entries),
    );
    tell(false);
  } catch (error) {
    tell(false, signal.aborted ? undefined : reasonOf(error));
  } finally {
    signal.removeEventListener("abort", tellOfStop);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function* inTurn(entries: readonly SourceEntry[]): AsyncGenerator<SourceEntry> {
  for (const entry of entries) yield await Promise.resolve(entry);
}

function createTable(): EntryTable {
  const entries = new Map<string, number>();
  return {
    get: (text) => entries.get(text),
    add: (text, entry) => {
      if (!entries.has(text)) entries.set(text, entry);
    },
  };
}
