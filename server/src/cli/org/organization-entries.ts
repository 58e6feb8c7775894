import { CommandError } from "../command-error.ts";
import { isStreamed } from "./organization-members.ts";

/** A value of a member of an organization, as `organization-framer.ts` cuts them. */
export interface OrganizationValue {
  /** Number of the organization in the file, from 0. */
  readonly organization: number;
  readonly member: string;
  readonly isElement: boolean;
  readonly value: unknown;
  /** Length as JSON. */
  readonly size: number;
}

/** Reads the values of a file that belong to the wanted members, from its beginning. */
export type ReadValues = (isWanted: (member: string) => boolean) => AsyncIterable<OrganizationValue>;

/** An organization without the lists of its users. */
export interface Frame {
  readonly orgId: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Length as JSON. */
  readonly size: number;
}

const mostMemory = 256 * 1024 * 1024;

/** Gathers the organizations of a file without the lists of their users. `name` is that of the file. */
export async function gatherFrames(name: string, read: ReadValues): Promise<readonly Frame[]> {
  const found: { members: Record<string, unknown>; size: number }[] = [];
  let total = 0;
  for await (const { organization, member, isElement, value, size } of read((each) => !isStreamed(each))) {
    // Without a prototype that a member could replace.
    const frame = found[organization] ?? { members: Object.create(null) as Record<string, unknown>, size: 0 };
    found[organization] = frame;
    const list = frame.members[member];
    if (!isElement) frame.members[member] = value;
    else if (Array.isArray(list)) list.push(value);
    else frame.members[member] = [value];
    frame.size += size;
    total += size;
    if (total > mostMemory) throw new CommandError(`${name} has more than 256 MiB without users`);
  }
  if (found.length === 0) {
    throw new CommandError(`${name} has no organizations`, { fix: "use the response of ExportData" });
  }
  return Array.from(found, (frame, index) => {
    const orgId = frame?.members["orgId"];
    if (typeof orgId !== "string" || orgId === "") {
      throw new CommandError(`${name}: organization ${index + 1} has no orgId`, { fix: "add the id, or remove it" });
    }
    return { orgId, members: frame?.members ?? {}, size: frame?.size ?? 0 };
  });
}
