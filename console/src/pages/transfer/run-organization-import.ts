import { checkOrganizations } from "../../../../server/src/cli/org/check-organizations.ts";
import { importOrganizations } from "../../../../server/src/cli/org/import-organizations.ts";
import type { Report, ReportLine } from "../../../../server/src/cli/user/writing/report-line.ts";
import type { Session } from "../../session/session.ts";
import { browserRules } from "./browser-rules.ts";
import { jsonApi } from "./json-api.ts";
import type { OrganizationFile } from "./organization-file.ts";
import type { Progress, Result } from "./results.ts";

interface Run {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly isDryRun: boolean;
  readonly organizations: OrganizationFile;
  readonly onProgress: (progress: Progress) => void;
}

// The room for entries in a request of the default size (DOORWARD_BODY_LIMIT), without what surrounds them.
const requestBytes = Math.floor(1024 * 1024 * 0.9);
const concurrency = 2;

/** Imports organizations request by request, as `doorward org import` does, and tells how far it is. */
export async function runOrganizationImport(run: Run): Promise<void> {
  const { session, signal, isDryRun, organizations, onProgress } = run;
  const { name, isFirstFormat, read, frames } = organizations;
  const counts = { imported: 0, existing: 0, failed: 0 };
  const lines: ReportLine[] = [];
  const tell = (isRunning: boolean, failure?: string): void => {
    const done = counts.imported + counts.existing + counts.failed;
    const total = Math.max(organizations.size, done);
    onProgress({
      isDryRun,
      isRunning,
      isStopped: signal.aborted,
      total,
      done: isRunning || failure !== undefined || signal.aborted ? done : total,
      counts: { created: counts.imported, exists: counts.existing, failed: counts.failed, skipped: 0 },
      results: isRunning ? [] : lines.map(toResult),
      lines,
      failure,
    });
  };
  const report: Report = {
    add: (added) => {
      lines.push(...added);
      tell(true);
      return Promise.resolve();
    },
  };
  tell(true);
  try {
    if (isDryRun) {
      const checked = await checkOrganizations({ file: name, frames, read, judgeHash: browserRules.judgeHash, report });
      counts.failed = checked.failed;
      counts.imported = checked.entries - checked.failed;
    } else {
      const api = jsonApi(session, signal);
      const deps = { api, report, file: name, isFirstFormat, counts };
      await importOrganizations(deps, { read, frames, limit: requestBytes, concurrency });
    }
    tell(false);
  } catch (error) {
    tell(false, signal.aborted ? undefined : error instanceof Error ? error.message : String(error));
  }
}

const toResult = (line: ReportLine, index: number): Result => ({
  key: String(index),
  row: 0,
  name: line.user,
  outcome: line.what === "exists" ? "exists" : "failed",
  lines: [line],
});
