import { basename } from "node:path";
import type { Command } from "commander";
import { seconds } from "../../base/clock.ts";
import { systemRandom } from "../../base/random.ts";
import { createApiClient } from "../api-client.ts";
import { answer, tell } from "../command-context.ts";
import { findServer } from "../find-server.ts";
import { ReportedFailure } from "../reported-failure.ts";
import { createDigestTable } from "./checking/digest-table.ts";
import { createRepetitionCheck } from "./checking/find-repetition.ts";
import { serverRules } from "./checking/server-rules.ts";
import { type OpenSource, openSource } from "./create-source.ts";
import { findTarget } from "./find-target.ts";
import { checkOptions, type ImportOptions, readConcurrency } from "./import-options.ts";
import { readRecords } from "./reading/read-records.ts";
import { type Source, UserRefused } from "./sources/source.ts";
import { type Counts, importUsers, type SourceEntry } from "./writing/import-users.ts";
import { patientApi } from "./writing/patient-api.ts";
import { openReport } from "./writing/report.ts";

/** Imports users of other systems, and prints what became of them. */
export async function runUserImport(command: Command, files: readonly string[]): Promise<void> {
  const options = command.opts<ImportOptions>();
  checkOptions(options);
  const concurrency = readConcurrency(options.concurrency);
  const direct = createApiClient(await findServer(command));
  // A wrong address is told at once; patience is for a server that has answered.
  const target = await findTarget(direct, options);
  const api = patientApi(direct, systemRandom);
  const opened = await openSource(options, systemRandom);
  const report = await openReport(options.report);
  const isDryRun = options.dryRun === true;
  try {
    const counts = await importUsers(
      {
        api,
        apiToEnd: api,
        target,
        rules: serverRules,
        report,
        findRepetition: createRepetitionCheck(() => createDigestTable(systemRandom)),
        isDryRun,
        concurrency,
        progress: createProgress(),
      },
      readEntries(files, opened, options),
    );
    answer(
      command,
      { dryRun: isDryRun, ...counts, ...(options.report && { report: options.report }) },
      describe(counts, options),
    );
    if (counts.failed > 0) throw new ReportedFailure(1);
  } finally {
    await opened.close();
    await report.close();
  }
}

async function* readEntries(
  files: readonly string[],
  { source, columns }: OpenSource,
  options: ImportOptions,
): AsyncGenerator<SourceEntry> {
  const delimiter = options.delimiter === "tab" ? "\t" : options.delimiter;
  for (const path of files) {
    const file = basename(path);
    for await (const entry of readRecords(path, { formOf: (first) => source.formOf(first), delimiter, columns })) {
      const { row } = entry;
      if ("problem" in entry) yield { file, row, problem: entry.problem };
      else yield { file, row, ...(await readUser(source, entry.record)) };
    }
  }
}

async function readUser(source: Source, record: Readonly<Record<string, unknown>>) {
  try {
    return { user: await source.toUser(record) };
  } catch (error) {
    if (!(error instanceof UserRefused)) throw error;
    return { problem: error.message, field: error.field };
  }
}

const progressEvery = seconds(10);

function createProgress(): (counts: Counts) => void {
  let told = performance.now();
  return ({ rows, created, existing, failed }) => {
    if (performance.now() - told < progressEvery) return;
    told = performance.now();
    tell(`${rows} read: ${created} created, ${existing} existed, ${failed} failed`);
  };
}

function describe(counts: Counts, { dryRun, report }: ImportOptions): string {
  const { rows, created, existing, completed, failed, skipped, reduced } = counts;
  return [
    `${rows} entries read.`,
    `  ${dryRun === true ? "would be created" : "created"}: ${created}${reduced === 0 ? "" : `, of which ${reduced} with losses or changes`}`,
    ...(existing === 0 ? [] : [`  exist: ${existing}`]),
    ...(completed === 0 ? [] : [`  completed: ${completed}, which an earlier run had left without roles or state`]),
    ...(skipped === 0 ? [] : [`  skipped: ${skipped}`]),
    ...(failed === 0 ? [] : [`  ${dryRun === true ? "would fail" : "failed"}: ${failed}`]),
    ...(report === undefined ? [] : [`Details: ${report}`]),
  ].join("\n");
}
