import { createReadStream } from "node:fs";
import { JsonError, parseJson } from "../../base/json.ts";
import { CommandError } from "../command-error.ts";
import { FramingError } from "../user/reading/framer.ts";
import { decodeItem } from "../user/reading/parse-item.ts";
import { largestItem, readStart } from "../user/reading/read-items.ts";
import { createOrganizationFramer, type OrganizationEntry } from "./organization-framer.ts";
import { isStreamed } from "./organization-members.ts";

/** An organization without the lists of its users. */
export interface Frame {
  readonly orgId: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Length as JSON. */
  readonly size: number;
}

const mostMemory = 256 * 1024 * 1024;

/** Reads the entries of a file that `isWanted` names, one at a time. */
export async function* readEntries(
  path: string,
  isWanted: (member: string) => boolean,
): AsyncGenerator<OrganizationEntry & { readonly value: unknown }> {
  const framer = createOrganizationFramer(largestItem);
  const entries: OrganizationEntry[] = [];
  const emit = (entry: OrganizationEntry): void => {
    if (isWanted(entry.member)) entries.push(entry);
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      framer.push(chunk as Buffer, emit);
      for (const entry of entries.splice(0)) yield { ...entry, value: parse(path, entry) };
    }
    framer.end();
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    throw new CommandError(`${path} cannot be read: ${error.message}`, { fix: "check that the export is complete" });
  }
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
  const found: { members: Record<string, unknown>; size: number }[] = [];
  let total = 0;
  for await (const { organization, member, isElement, item, value } of readEntries(path, (name) => !isStreamed(name))) {
    // Without a prototype that a member could replace.
    const frame = found[organization] ?? { members: Object.create(null) as Record<string, unknown>, size: 0 };
    found[organization] = frame;
    const list = frame.members[member];
    if (!isElement) frame.members[member] = value;
    else if (Array.isArray(list)) list.push(value);
    else frame.members[member] = [value];
    frame.size += item.bytes?.length ?? 0;
    total += item.bytes?.length ?? 0;
    if (total > mostMemory) throw new CommandError(`${path} has more than 256 MiB without users`);
  }
  if (found.length === 0) {
    throw new CommandError(`${path} has no organizations`, { fix: "use the response of ExportData" });
  }
  return Array.from(found, (frame, index) => {
    const orgId = frame?.members["orgId"];
    if (typeof orgId !== "string" || orgId === "") {
      throw new CommandError(`${path}: organization ${index + 1} has no orgId`, { fix: "add the id, or remove it" });
    }
    return { orgId, members: frame?.members ?? {}, size: frame?.size ?? 0 };
  });
}
