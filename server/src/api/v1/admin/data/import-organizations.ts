import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ImportDataResponseSchema } from "@doorward/api/service/admin/v1/data_pb";
import type { Call } from "../../../../call/index.ts";
import type { Together } from "../../../contract/index.ts";
import { EntryRefused } from "./entry-refused.ts";
import { grantEntries, stateEntries } from "./grant-entries.ts";
import type { Entries, Entry, Imported, ImportedOrganization } from "./imported.ts";
import { organizationEntries } from "./organization-entries.ts";
import { projectEntries } from "./project-entries.ts";
import { type DataDeps, type Run, TimeIsOver } from "./run.ts";
import { inPortions, portionsOf } from "./side-by-side.ts";
import { textEntries } from "./text-entries.ts";
import { userEntries } from "./user-entries.ts";

/**
 * Every kind of entry, in the order of the calls. Each kind is imported for all organizations before the next, because
 * grants and administrators are about users and projects of other organizations.
 */
const kinds: readonly Entries[] = [
  ...organizationEntries,
  ...projectEntries,
  ...userEntries,
  ...textEntries,
  ...grantEntries,
  ...stateEntries,
];

/**
 * Imports organizations entry by entry. What fails is told, and the rest goes on; what exists already is told too and
 * stays as it is, so that a request can be repeated. When the time is over, the last error says so.
 */
export async function importOrganizations(
  { texts }: DataDeps,
  call: Call,
  run: Run,
  organizations: readonly ImportedOrganization[],
): Promise<MessageInitShape<typeof ImportDataResponseSchema>> {
  const errors: EntryError[] = [];
  const imported = organizations.map((organization) => ({ organization, done: nothingOf(organization.orgId) }));
  const result = { errors, success: { orgs: imported.map(({ done }) => done) } };
  for (const entriesOf of kinds) {
    for (const { organization, done } of imported) {
      for (const portion of portionsOf(entriesOf(organization))) {
        if (await performPortion(run, portion, { done, errors })) continue;
        const message = texts.translate(call.language, "fault.data.time_over");
        errors.push({ type: "timeout", id: organization.orgId, message: `${message} (data.time_over)` });
        return result;
      }
    }
  }
  return result;
}

interface EntryError {
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

/** Performs entries side by side, and tells what became of them in their order. False when the time is over. */
async function performPortion(
  run: Run,
  portion: readonly Entry[],
  { done, errors }: { readonly done: Imported; readonly errors: EntryError[] },
): Promise<boolean> {
  const parts = portion.map(() => nothingOf(done.orgId));
  const outcomes = await performAll(run, portion, parts);
  let isInTime = true;
  for (const [index, entry] of portion.entries()) {
    const [part, outcome] = [parts[index], outcomes[index]];
    if (part !== undefined) append(done, part);
    if (outcome?.status !== "rejected") continue;
    if (outcome.reason instanceof TimeIsOver) isInTime = false;
    else errors.push(toError(entry, outcome.reason));
  }
  return isInTime;
}

type Outcome = PromiseSettledResult<void> | undefined;

/** Creates people together, and performs all others, and what is left of them, side by side. */
async function performAll(
  run: Run,
  portion: readonly Entry[],
  parts: readonly Imported[],
): Promise<readonly Outcome[]> {
  const people = portion.flatMap(({ person }) => person ?? []);
  const outcomes: Outcome[] = [];
  let together: readonly Together[] = [];
  try {
    if (people.length > 0) together = await run.createTogether(people);
  } catch (reason) {
    return portion.map(() => ({ status: "rejected", reason }));
  }
  const counted = { ...run, perform: run.performCounted };
  const left = portion.map((entry, index) => ({ entry, index, part: parts[index] as Imported }));
  await inPortions(left, async ({ entry, index, part }) => {
    if (together[index] === "done" && entry.person !== undefined) {
      part.humanUserIds.push(entry.person.userId);
      return;
    }
    const [outcome] = await Promise.allSettled([entry.perform(together[index] === "counted" ? counted : run, part)]);
    outcomes[index] = outcome;
  });
  return outcomes;
}

function append(done: Imported, part: Imported): void {
  for (const [kind, items] of Object.entries(part)) {
    if (Array.isArray(items)) (done[kind as keyof Imported] as unknown[]).push(...items);
  }
}

function toError({ type, id }: Entry, error: unknown): EntryError {
  if (!(error instanceof EntryRefused)) throw error;
  const { message, id: slug } = error.refusal;
  return { type, id, message: `${message} (${slug})` };
}

const nothingOf = (orgId: string): Imported => ({
  orgId,
  projectIds: [],
  projectRoles: [],
  oidcAppIds: [],
  apiAppIds: [],
  humanUserIds: [],
  machineUserIds: [],
  actionIds: [],
  triggerActions: [],
  projectGrants: [],
  userGrants: [],
  orgMembers: [],
  projectMembers: [],
  projectGrantMembers: [],
  oidcIpds: [],
  jwtIdps: [],
  idpLinks: [],
  userLinks: [],
  userMetadata: [],
  domains: [],
  appKeys: [],
  machineKeys: [],
});
