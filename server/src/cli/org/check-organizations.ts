import { isRecord } from "../../base/json.ts";
import type { HashVerdict } from "../user/checking/rules.ts";
import type { Report } from "../user/writing/report-line.ts";
import type { Frame, ReadValues } from "./organization-entries.ts";
import { isStreamed } from "./organization-members.ts";

interface CheckedFile {
  readonly file: string;
  readonly frames: readonly Frame[];
  readonly read: ReadValues;
  readonly judgeHash: (hash: string) => HashVerdict;
  readonly report: Report;
}

/** Reads all entries of a file, and reports passwords that the server would not take. Returns how many there are. */
export async function checkOrganizations({ file, frames, read, judgeHash, report }: CheckedFile) {
  const counts = { entries: 0, failed: 0 };
  const problems = { unsupported: "the hash is of an unknown kind", too_costly: "checking the hash takes too long" };
  for (const { members } of frames) {
    for (const value of Object.values(members)) counts.entries += Array.isArray(value) ? value.length : 1;
  }
  for await (const { organization, member, value } of read(isStreamed)) {
    counts.entries++;
    if (member !== "humanUsers" || !isRecord(value)) continue;
    const support = verdictOf(value, judgeHash);
    if (support === "supported") continue;
    counts.failed++;
    const user = String(value["userId"] ?? "");
    const field = "hashedPassword";
    await report.add([{ file, row: organization + 1, user, field, what: "failed", why: problems[support] }]);
  }
  return counts;
}

function verdictOf({ user }: Readonly<Record<string, unknown>>, judgeHash: (hash: string) => HashVerdict): HashVerdict {
  const hashed = isRecord(user) ? user["hashedPassword"] : undefined;
  const hash = isRecord(hashed) ? hashed["value"] : undefined;
  return typeof hash === "string" && hash !== "" ? judgeHash(hash) : "supported";
}
