import { isRecord } from "../../base/json.ts";
import { supportOf } from "../../base/password/password-hash.ts";
import type { Report } from "../user/writing/report.ts";
import { isStreamed } from "./organization-members.ts";
import { type Frame, readEntries } from "./read-organizations.ts";

interface CheckedFile {
  readonly path: string;
  readonly file: string;
  readonly frames: readonly Frame[];
  readonly report: Report;
}

/** Reads all entries of a file, and reports passwords that the server would not take. Returns how many there are. */
export async function checkOrganizations({ path, file, frames, report }: CheckedFile) {
  const counts = { entries: 0, failed: 0 };
  const problems = { unsupported: "the hash is of an unknown kind", too_costly: "checking the hash takes too long" };
  for (const { members } of frames) {
    for (const value of Object.values(members)) counts.entries += Array.isArray(value) ? value.length : 1;
  }
  for await (const { organization, member, value } of readEntries(path, isStreamed)) {
    counts.entries++;
    if (member !== "humanUsers" || !isRecord(value)) continue;
    const support = supportOfUser(value);
    if (support === "supported") continue;
    counts.failed++;
    const user = String(value["userId"] ?? "");
    const field = "hashedPassword";
    await report.add([{ file, row: organization + 1, user, field, what: "failed", why: problems[support] }]);
  }
  return counts;
}

function supportOfUser({ user }: Readonly<Record<string, unknown>>) {
  const hashed = isRecord(user) ? user["hashedPassword"] : undefined;
  const hash = isRecord(hashed) ? hashed["value"] : undefined;
  return typeof hash === "string" && hash !== "" ? supportOf(hash) : "supported";
}
