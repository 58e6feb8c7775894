import type { Outcome } from "../../../../server/src/cli/user/writing/create-user.ts";
import type { SourceEntry } from "../../../../server/src/cli/user/writing/import-users.ts";
import type { Report, ReportLine } from "../../../../server/src/cli/user/writing/report-line.ts";

/** What became of an entry of a file. */
export const outcomes = ["created", "exists", "failed", "skipped"] as const;
export type ResultOutcome = (typeof outcomes)[number];

export interface Result {
  readonly key: string;
  readonly row: number;
  readonly name: string;
  readonly outcome: ResultOutcome;
  /** Why it failed, or what of a user was lost or changed. */
  readonly lines: readonly ReportLine[];
}

/** How far an import is. */
export interface Progress {
  readonly isDryRun: boolean;
  readonly isRunning: boolean;
  /** Whether the user ended it. */
  readonly isStopped: boolean;
  readonly total: number;
  readonly done: number;
  readonly counts: Readonly<Record<ResultOutcome, number>>;
  readonly results: readonly Result[];
  readonly lines: readonly ReportLine[];
  /** What ended it before its end, in words for the user. */
  readonly failure: string | undefined;
}

/** Gathers what an import reports. */
export interface ResultCollector {
  readonly report: Report;
  readonly onUser: (entry: SourceEntry, outcome: Outcome) => void;
  /** In the order of the file. */
  results(): readonly Result[];
  lines(): readonly ReportLine[];
}

export function collectResults(): ResultCollector {
  const results = new Map<number, Result>();
  const lines: ReportLine[] = [];
  const put = (row: number, name: string, outcome: ResultOutcome): void => {
    results.set(row, { key: String(row), row, name, outcome, lines: results.get(row)?.lines ?? [] });
  };
  return {
    report: {
      add: (added) => {
        for (const line of added) {
          lines.push(line);
          const { row, user, what } = line;
          if (what === "failed" || what === "skipped" || what === "exists") put(row, user, what);
          const known = results.get(row);
          if (known !== undefined && what !== "exists") results.set(row, { ...known, lines: [...known.lines, line] });
        }
        return Promise.resolve();
      },
    },
    onUser: (entry, outcome) => {
      put(entry.row, "user" in entry ? nameOf(entry.user) : "", outcome === "exists" ? "exists" : "created");
    },
    results: () => [...results.values()].sort((one, other) => one.row - other.row),
    lines: () => lines,
  };
}

const nameOf = ({ username, email, id }: { readonly username: string; readonly email: string; readonly id: string }) =>
  username || email || id;
