import type { ApiClient } from "../api-call.ts";
import { listOf, recordOf, textOf } from "../app/api-record.ts";
import { CommandError } from "../command-error.ts";
import type { Report, ReportLine } from "../user/writing/report-line.ts";

/** What a run has done. */
interface OrganizationCounts {
  imported: number;
  existing: number;
  failed: number;
}

/** Organizations of a request, with the members that it sends. */
export type Pieces = readonly Readonly<Record<string, unknown>>[];

export interface SendDeps {
  readonly api: ApiClient;
  readonly report: Report;
  readonly file: string;
  readonly isFirstFormat: boolean;
  readonly counts: OrganizationCounts;
}

export interface Request {
  readonly pieces: Pieces;
  /** Refusals that are not reported: of objects that are sent again, and of states of users without data. */
  readonly isExpected?: (error: { readonly type: string; readonly slug: string }) => boolean;
}

// What is there already, or in that state.
const meansExisting = /[._](?:taken|exists)$|\.not_(?:deactivatable|lockable)$/;

// Well below the time that a client waits for an answer. What is not imported by then is sent again.
const timeout = "10s";
// Attempts in a row in which nothing was imported.
const mostIdle = 5;

/** Imports pieces of organizations, and reports what failed or exists. */
export async function sendPieces(deps: SendDeps, { pieces, isExpected = () => false }: Request): Promise<void> {
  const { api, report, file, counts, isFirstFormat } = deps;
  const data = { [isFirstFormat ? "dataOrgsv1" : "dataOrgs"]: { orgs: pieces }, timeout };
  let idle = 0;
  for (let attempt = 1; ; attempt++) {
    const answer = await api("admin.v1.AdminService/ImportData", data);
    const errors = listOf(answer, "errors").map((error) => ({
      type: textOf(error, "type"),
      id: textOf(error, "id"),
      message: textOf(error, "message"),
      slug: /\(([\w.]+)\)$/.exec(textOf(error, "message"))?.[1] ?? "",
    }));
    const imported = countImported(answer);
    counts.imported += imported;
    idle = imported > 0 ? 0 : idle + 1;
    const isOver = errors.every(({ type }) => type !== "timeout");
    const lines: ReportLine[] = [];
    for (const error of errors) {
      const isExisting = meansExisting.test(error.slug);
      // After the first attempt, what exists is what that attempt has imported.
      if (error.type === "timeout" || isExpected(error) || (isExisting && attempt > 1)) continue;
      // What failed for another reason fails again in the last attempt.
      if (!isExisting && !isOver) continue;
      counts[isExisting ? "existing" : "failed"]++;
      const what = isExisting ? "exists" : "failed";
      lines.push({ file, row: 0, user: error.id, field: error.type, what, why: error.message });
    }
    await report.add(lines);
    if (isOver) return;
    if (idle > mostIdle) throw new CommandError("the server has no time for the import", { fix: "run it again later" });
  }
}

/** Counts the entries of all lists of what was imported. */
function countImported(answer: Readonly<Record<string, unknown>>): number {
  const organizations = listOf(recordOf(answer["success"]), "orgs");
  const lists = organizations.flatMap((organization) => Object.values(organization).filter(Array.isArray));
  return lists.reduce((sum, list) => sum + list.length, 0);
}
