import { basename } from "node:path";
import type { Command } from "commander";
import { supportOf } from "../../base/password/password-hash.ts";
import { systemRandom } from "../../base/random.ts";
import { createApiClient } from "../api-client.ts";
import { findDefaultOrganization } from "../app/register-application.ts";
import { answer } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { findServer } from "../find-server.ts";
import { ReportedFailure } from "../reported-failure.ts";
import { readConcurrency } from "../user/import-options.ts";
import { readStart } from "../user/reading/read-items.ts";
import { patientApi } from "../user/writing/patient-api.ts";
import { openReport } from "../user/writing/report.ts";
import type { Report } from "../user/writing/report-line.ts";
import { checkOrganizations } from "./check-organizations.ts";
import { importOrganizations } from "./import-organizations.ts";
import { readFrames, readValues } from "./read-organizations.ts";

interface Options {
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly bodyLimit: string;
  readonly concurrency: string;
}

// What a request has around the entries of its lists.
const overhead = 0.9;

/** Imports organizations from a file, and prints how many entries were imported. */
export async function runOrganizationImport(command: Command, path: string): Promise<void> {
  const options = command.opts<Options>();
  const limit = readLimit(options.bodyLimit);
  const concurrency = readConcurrency(options.concurrency);
  const server = await findServer(command);
  const frames = await readFrames(path);
  const report = await openReport(options.report);
  const file = basename(path);
  try {
    const failed =
      options.dryRun === true
        ? await check(command, { file, frames, read: readValues(path), judgeHash: supportOf, report })
        : await send(command, { path, file, frames, report, server, limit, concurrency });
    if (failed > 0) throw new ReportedFailure(1);
  } finally {
    await report.close();
  }
}

type Checked = Parameters<typeof checkOrganizations>[0];

async function check(command: Command, checked: Checked): Promise<number> {
  const { entries, failed } = await checkOrganizations(checked);
  const organizations = checked.frames.length;
  const text = `${organizations} organizations with ${entries} entries read; ${failed} would fail.`;
  answer(command, { dryRun: true, organizations, entries, failed }, text);
  return failed;
}

interface Sent {
  readonly path: string;
  readonly file: string;
  readonly frames: Checked["frames"];
  readonly report: Report;
  readonly server: Parameters<typeof createApiClient>[0];
  readonly limit: number;
  readonly concurrency: number;
}

async function send(command: Command, { path, file, frames, report, server, limit, concurrency }: Sent) {
  const counts = { imported: 0, existing: 0, failed: 0 };
  const direct = createApiClient(server);
  // A wrong address or token is told at once; patience is for a server that has answered.
  await findDefaultOrganization(direct);
  const api = patientApi(direct, systemRandom);
  const isFirstFormat = (await readStart(path, 4096)).includes('"dataOrgsv1"');
  await importOrganizations(
    { api, report, file, isFirstFormat, counts },
    { read: readValues(path), frames, limit, concurrency },
  );
  const { imported, existing, failed } = counts;
  const text = `${frames.length} organizations: ${imported} entries imported, ${existing} exist, ${failed} failed.`;
  answer(command, { dryRun: false, organizations: frames.length, ...counts }, text);
  return failed;
}

function readLimit(text: string): number {
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= 65_536) return Math.floor(bytes * overhead);
  throw new CommandError(`--body-limit ${text} is not a number of bytes from 65536`, { fix: "use 1048576" });
}
