import { Fault } from "../../base/fault.ts";
import { type IdGenerator, isChosenId } from "../../base/id.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import { authorize, type Call } from "../../call/index.ts";
import { type Database, firstSequence, type Tx } from "../../database/index.ts";
import { claimIdentifier, requireChoiceOfIdentifier } from "../instance/index.ts";
import { holdOrganization } from "../organization/index.ts";
import { findGroup, insertGroup } from "./group.store.ts";
import { type Group, groupAggregate } from "./group.ts";

export interface NewGroup {
  readonly organizationId: string;
  /** Chosen by the caller, or generated. */
  readonly groupId?: string | undefined;
  readonly name: string;
  readonly description: string;
}

/**
 * Creates a group without users in an organization. Rejects a name that is taken, and an id that anything in the
 * instance has or had: roles that are assigned to a group by its id must not reach the users of another.
 */
export function createGroup(
  deps: { readonly database: Database; readonly newId: IdGenerator },
  call: Call,
  input: NewGroup,
): Promise<Group> {
  return deps.database.change(call, async (tx) => {
    const { organizationId, name, description } = input;
    const organization = await holdOrganization(tx, organizationId);
    authorize(call, organization, {
      permission: "group.create",
      readPermission: "org.read",
      absent: "organization.not_found",
    });
    requireChoiceOfIdentifier(call, "group.create", { identifier: input.groupId, field: "id" });
    if (!isName(name)) throw new Fault("invalid_argument", "group.name_invalid", { field: "name" });
    if (input.groupId !== undefined && !isChosenId(input.groupId)) {
      throw new Fault("invalid_argument", "group.id_invalid", { field: "id" });
    }
    const groupId = input.groupId ?? deps.newId();
    const sequence = await firstSequence(tx, "group", input.groupId);
    const nameKey = canonicalName(name);
    const group = await insertGroup(tx, { groupId, organizationId, name, nameKey, description, sequence });
    if (group === undefined) throw await conflict(tx, groupId);
    await claimIdentifier(tx, "group", { identifier: groupId, field: "id" });
    tx.record({
      type: "group.created",
      ...groupAggregate(group),
      sequence: group.details.sequence,
      payload: { name, description },
    });
    return group;
  });
}

async function conflict(tx: Tx, groupId: string): Promise<Fault> {
  const isIdTaken = (await findGroup(tx, tx.instanceId, groupId)) !== undefined;
  return isIdTaken
    ? new Fault("already_exists", "group.id_taken", { field: "id" })
    : new Fault("already_exists", "group.name_taken", { field: "name" });
}
