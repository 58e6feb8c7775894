import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import type { Call } from "../../call/index.ts";
import { type Database, type Details, UniqueViolation } from "../../database/index.ts";
import { holdAuthorizedGroup } from "./authorize-group.ts";
import { updateGroupRow } from "./group.store.ts";
import { groupAggregate } from "./group.ts";

/** Changes the given fields of a group. The current values change nothing. */
export function updateGroup(
  deps: { readonly database: Database },
  call: Call,
  input: {
    readonly groupId: string;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
  },
): Promise<Details> {
  return deps.database.change(call, async (tx) => {
    const group = await holdAuthorizedGroup(tx, input.groupId, "group.write");
    const { name = group.name, description = group.description } = input;
    if (!isName(name)) throw new Fault("invalid_argument", "group.name_invalid", { field: "name" });
    if (name === group.name && description === group.description) return group.details;
    const wanted = { groupId: group.groupId, name, nameKey: canonicalName(name), description };
    const updated = await updateGroupRow(tx, wanted).catch(refuseTakenName);
    if (updated === undefined) throw new Fault("not_found", "group.not_found");
    tx.record({
      type: "group.updated",
      ...groupAggregate(updated),
      sequence: updated.details.sequence,
      payload: { name, description },
    });
    return updated.details;
  });
}

function refuseTakenName(error: unknown): never {
  if (!(error instanceof UniqueViolation)) throw error;
  throw new Fault("already_exists", "group.name_taken", { field: "name", cause: error });
}
