import { DatabaseUnavailable, performAll, performPrepared, type Tx } from "../../database/index.ts";
import { shareDomains } from "../organization/index.ts";
import {
  deleteNaming,
  doNamesCollide,
  hasDomain,
  isNaming,
  type LoginNameRule,
  listOtherwiseNamed,
  putNaming,
  updateLoginNames,
} from "./login-name-rule.store.ts";
import { collision, type NamedOrganization, readRule, refuseCollision } from "./read-rule.ts";

/**
 * Step: forms the login names of an organization's users again, because its primary domain or the settings about names
 * changed. The event belongs to the organization or the instance, because nothing else about the users has changed.
 * Refused when two users would have the same login name.
 *
 * Many are formed in batches before the change itself. An earlier request is given up when a later one begins, so that
 * two do not undo each other's batches without end. No domain is proven while names are formed (`shareDomains`, which
 * the unit of the change calls before it holds the organization). The rule must not depend on what the unit wrote.
 * While the mark stays, even after a crash, the organization gives no domain away (`removeOrganizationDomain`); each
 * batch asks whether it has the one of the rule. Where the change fails, the mark says so (`orLeaveNames`).
 */
export async function renameLoginNames(tx: Tx, organization: NamedOrganization): Promise<void> {
  const rule = await readRule(tx, organization);
  const { organizationId } = organization;
  const naming = JSON.stringify([tx.call.requestId, rule.primaryDomainKey, rule.isBare]);
  let after = "";
  const form = () =>
    performAll<string>(tx, {
      list: async (own, limit) => {
        shareDomains(own);
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
