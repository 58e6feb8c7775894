import { isRecord } from "../../base/json.ts";
import { CommandError } from "../command-error.ts";
import type { Frame, ReadValues } from "./organization-entries.ts";
import { companions, lateMembers, type StreamedMember, stages, stateMembers } from "./organization-members.ts";
import { type Pieces, type Request, type SendDeps, sendPieces } from "./send-organizations.ts";
import { homesToSend, readHomes, type UserHomes, userIdOf } from "./user-homes.ts";

export interface ImportedFile {
  readonly read: ReadValues;
  readonly frames: readonly Frame[];
  /** Bytes of a request. */
  readonly limit: number;
  readonly concurrency: number;
}

// The server stops at a time limit; fewer entries than that takes.
const mostEntries = 1000;

/**
 * Imports the organizations of a file in requests of limited size: first all organizations without their users, then
 * users, then what belongs to them, and finally states, which would refuse everything else.
 */
export async function importOrganizations(deps: SendDeps, file: ImportedFile): Promise<void> {
  const { frames } = file;
  for (const frame of frames) {
    const late: readonly string[] = lateMembers;
    await sendPieces(deps, { pieces: [pick(frame, file, (name) => !late.includes(name))] });
  }
  const grants = frames.filter(({ members }) => members["projectGrants"] !== undefined);
  for (const members of stages) {
    let homes: UserHomes | undefined;
    if (members.some((member) => member === "userGrants")) {
      for (const frame of grants) {
        await sendPieces(deps, { pieces: [pick(frame, file, (name) => name === "projectGrants")] });
      }
      homes = await readHomes(file.read, frames);
    }
    await sendStage(deps, file, { members, isState: false, homes });
  }
  await sendStage(deps, file, { members: stages[0], isState: true });
  for (const frame of frames) {
    if (frame.members["orgState"] === undefined) continue;
    await sendPieces(deps, { pieces: [pick(frame, file, (name) => stateMembers.includes(name))] });
  }
}

/** Returns what is chosen of an organization. It is sent at once, because its parts name each other. */
function pick({ orgId, members, size }: Frame, { limit }: ImportedFile, isChosen: (name: string) => boolean) {
  if (size > limit) {
    throw new CommandError(`organization ${orgId} has ${size} bytes without its users, and a request ${limit}`, {
      fix: "raise DOORWARD_BODY_LIMIT of the server, and give it as --body-limit",
    });
  }
  return { ...Object.fromEntries(Object.entries(members).filter(([name]) => isChosen(name))), orgId };
}

interface Stage {
  readonly members: readonly StreamedMember[];
  /** Whether the states of users are set, and not their data. */
  readonly isState: boolean;
  /** Where entries are about users who can be those of another organization: whose they are. */
  readonly homes?: UserHomes | undefined;
}

/** Sends the entries of some lists in requests, several at a time. */
async function sendStage(deps: SendDeps, file: ImportedFile, stage: Stage): Promise<void> {
  const requests = toRequests(file, stage);
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    // A generator hands out one request at a time, also to callers that wait for it together.
    for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
      if (failures.length > 0) return;
      await sendPieces(deps, next.value).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: file.concurrency }, work));
  await requests.return(undefined);
  if (failures.length > 0) throw failures[0];
}

async function* toRequests(file: ImportedFile, stage: Stage): AsyncGenerator<Request> {
  const { members, isState, homes = new Map() } = stage;
  for (const member of members) {
    let lists = new Map<number, unknown[]>();
    let named = new Map<number, Set<string>>();
    let size = 0;
    let count = 0;
    const flush = (): Request => {
      const request = toRequest(file.frames, { member, lists, named, isState });
      lists = new Map();
      named = new Map();
      size = 0;
      count = 0;
      return request;
    };
    const own = file.frames.reduce((sum, frame) => sum + sizeOfCompanions(frame, member), 0);
    if (2 * own > file.limit)
      throw new CommandError(`too much is sent along with ${member}`, { fix: "raise --body-limit" });
    for await (const { organization, value, size: bytes } of file.read((name) => name === member)) {
      const sent = isState ? onlyState(value) : withoutState(value);
      if (sent === undefined) continue;
      const sentHomes = homesToSend(homes, organization, value);
      const userId = userIdOf(value);
      const length = bytes + sentHomes.length * JSON.stringify({ userId }).length;
      if (count > 0 && (own + size + length > file.limit || count === mostEntries)) yield flush();
      const list = lists.get(organization) ?? [];
      lists.set(organization, list);
      list.push(sent);
      for (const home of sentHomes) named.set(home, (named.get(home) ?? new Set()).add(userId));
      size += length;
      count++;
    }
    if (count > 0) yield flush();
  }
}

interface Batch {
  readonly member: StreamedMember;
  readonly lists: ReadonlyMap<number, readonly unknown[]>;
  /** Users whom the request names as those of an organization, without their data. */
  readonly named: ReadonlyMap<number, ReadonlySet<string>>;
  readonly isState: boolean;
}

function toRequest(frames: readonly Frame[], { member, lists, named, isState }: Batch): Request {
  const names = companions[member] ?? [];
  const pieces: Pieces = frames.flatMap(({ orgId, members }, index) => {
    const list = lists.get(index);
    const companionsOf = names.flatMap((name) => (name in members ? [[name, members[name]]] : []));
    const ids = [...(named.get(index) ?? [])];
    const along = {
      ...Object.fromEntries(companionsOf),
      ...(ids.length > 0 && { humanUsers: ids.map((userId) => ({ userId })) }),
    };
    // Grants of one organization are named by users of another.
    if (list === undefined && Object.keys(along).length === 0) return [];
    return [{ ...along, orgId, ...(list !== undefined && { [member]: list }) }];
  });
  const hasData = !isState && stages[0].some((name) => name === member);
  return {
    pieces,
    // What is sent along was reported when it was sent first; users who are only named have no data to be created from.
    isExpected: ({ type, slug }) =>
      typesOfCompanions.has(type) || (!hasData && slug === "data.not_imported" && typesOfUsers.has(type)),
  };
}

const typesOfUsers = new Set(["human_user", "machine_user"]);
const typesOfCompanions = new Set(["project_grant", "oidc_idp", "jwt_idp"]);

const sizeOfCompanions = ({ members }: Frame, member: StreamedMember): number =>
  (companions[member] ?? []).reduce(
    (sum, name) => sum + (name in members ? JSON.stringify(members[name]).length : 0),
    0,
  );

function withoutState(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { state: _, ...others } = value;
  return others;
}

// The server sets the others, and ignores what is not a state to be set.
const usualStates = new Set<unknown>([undefined, "USER_STATE_UNSPECIFIED", "USER_STATE_ACTIVE", "USER_STATE_INITIAL"]);

function onlyState(value: unknown): unknown {
  if (!isRecord(value) || usualStates.has(value["state"])) return undefined;
  return { userId: value["userId"], state: value["state"] };
}
