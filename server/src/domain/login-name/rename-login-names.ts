import { Fault } from "../../base/fault.ts";
import { canonicalName } from "../../base/names/canonical.ts";
import { DatabaseUnavailable, performAll, performPrepared, type Tx, UniqueViolation } from "../../database/index.ts";
import { readSettings } from "../settings/index.ts";
import {
  deleteNaming,
  doNamesCollide,
  hasDomain,
  isNaming,
  type LoginNameRule,
  listOtherwiseNamed,
  putNaming,
  updateAllLoginNames,
  updateLoginNames,
} from "./login-name-rule.store.ts";

interface RenamedOrganization {
  readonly organizationId: string;
  readonly primaryDomain: string;
}

/**
 * Step: forms the login names of an organization's users again, because its primary domain or the settings about names
 * changed. The event belongs to the organization or the instance, because nothing else about the users has changed.
 * Refused when two users would have the same login name.
 *
 * Many are formed in batches before the change itself. An earlier request is given up when a later one begins, so that
 * two do not undo each other's batches without end. The rule must not depend on what the unit wrote. While the mark
 * stays, even after a crash, the organization gives no domain away (`removeOrganizationDomain`); each batch asks
 * whether it has the one of the rule.
 */
export async function renameLoginNames(tx: Tx, organization: RenamedOrganization): Promise<void> {
  const rule = await readRule(tx, organization);
  const { organizationId } = organization;
  const naming = JSON.stringify([tx.call.requestId, rule.primaryDomainKey, rule.isBare]);
  let after = "";
  const form = () =>
    performAll<string>(tx, {
      list: async (own, limit) => {
        if (own === tx) return listOtherwiseNamed(own, rule, { after: "", limit });
        if (!(await isNaming(own, organizationId, naming))) {
          throw new DatabaseUnavailable("a later request forms the login names of the organization");
        }
        await refuseLostDomain(own, rule);
        return listOtherwiseNamed(own, rule, { after, limit });
      },
      perform: async (own, userIds) => {
        await updateLoginNames(own, rule, userIds).catch(refuseCollision);
        if (own !== tx) after = userIds.at(-1) ?? "";
      },
    });
  if (await isNaming(tx, organizationId, naming)) await form();
  else {
    await performPrepared(form, async (own) => {
      await putNaming(own, organizationId, naming);
      await refuseLostDomain(own, rule);
      if (await doNamesCollide(own, rule)) throw collision();
    });
  }
  await deleteNaming(tx, organizationId);
}

// The unit that had found the domain was rolled back, so the organization may have given it away since.
async function refuseLostDomain(tx: Tx, rule: LoginNameRule): Promise<void> {
  if (!(await hasDomain(tx, rule))) throw new DatabaseUnavailable("the organization lost the domain of its names");
}

/**
 * Step: the same in one statement, for users of an organization whose names another organization takes by proving a
 * domain. Few have such names, and the rule depends on the proof.
 */
export async function renameLoginNamesAtOnce(tx: Tx, organization: RenamedOrganization): Promise<void> {
  await updateAllLoginNames(tx, await readRule(tx, organization)).catch(refuseCollision);
}

async function readRule(tx: Tx, { organizationId, primaryDomain }: RenamedOrganization): Promise<LoginNameRule> {
  const { settings } = await readSettings(tx, "domain", { instanceId: tx.instanceId, organizationId });
  const isBare = !settings.loginNameIncludesDomain;
  return { organizationId, primaryDomain, primaryDomainKey: canonicalName(primaryDomain), isBare };
}

function refuseCollision(error: unknown): never {
  throw error instanceof UniqueViolation ? collision(error) : error;
}

const collision = (cause?: unknown): Fault =>
  new Fault("failed_precondition", "user.login_names_collide", { field: "domain", cause });
