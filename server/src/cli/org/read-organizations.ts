import { createReadStream } from "node:fs";
import { JsonError, parseJson } from "../../base/json.ts";
import { CommandError } from "../command-error.ts";
import { FramingError } from "../user/reading/framer.ts";
import { decodeItem } from "../user/reading/parse-item.ts";
import { largestItem, readStart } from "../user/reading/read-items.ts";
import { type Frame, gatherFrames, type OrganizationValue, type ReadValues } from "./organization-entries.ts";
import { createOrganizationFramer, type OrganizationEntry } from "./organization-framer.ts";

/** Returns how the values of a file are read, one at a time. */
export const readValues =
  (path: string): ReadValues =>
  (isWanted) =>
    readEntries(path, isWanted);

async function* readEntries(path: string, isWanted: (member: string) => boolean): AsyncGenerator<OrganizationValue> {
  const framer = createOrganizationFramer(largestItem);
  const entries: OrganizationEntry[] = [];
  const emit = (entry: OrganizationEntry): void => {
    if (isWanted(entry.member)) entries.push(entry);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      framer.push(chunk as Buffer, emit);
      for (const entry of entries.splice(0)) yield toValue(path, entry);
    }
    framer.end();
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    throw new CommandError(`${path} cannot be read: ${error.message}`, { fix: "check that the export is complete" });
  }
}

function toValue(path: string, entry: OrganizationEntry): OrganizationValue {
  const { organization, member, isElement, item } = entry;
  return { organization, member, isElement, value: parse(path, entry), size: item.bytes?.length ?? 0 };
}

function parse(path: string, { organization, member, item }: OrganizationEntry): unknown {
  const decoded = decodeItem(item);
  try {
    if ("text" in decoded) return parseJson(decoded.text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  const problem = "problem" in decoded ? decoded.problem : "it is not JSON";
  throw new CommandError(`${path}: ${member} of organization ${organization + 1}, byte ${item.offset}: ${problem}`, {
    fix: "check that the export is complete",
  });
}

/** Reads the organizations of a file without the lists of their users. */
export async function readFrames(path: string): Promise<readonly Frame[]> {
  const start = await readStart(path, 4096);
  if (start[0] !== 0x7b && !/^\s*\{/.test(start.toString("latin1"))) {
    throw new CommandError(`${path} is not an export of organizations`, { fix: "use the response of ExportData" });
  }
  return gatherFrames(path, readValues(path));
}
