import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import { findInstance, updateDefaultLanguage, updateDefaultOrganization } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";

/** Step: sets a default of the instance. The current value changes nothing. */
export async function setInstanceDefault(
  tx: Tx,
  value: { readonly organizationId: string } | { readonly language: string },
): Promise<Details> {
  const isOrganization = "organizationId" in value;
  const sequence = isOrganization
    ? await updateDefaultOrganization(tx, value.organizationId)
    : await updateDefaultLanguage(tx, value.language);
  if (sequence !== undefined) {
    const type = isOrganization ? "instance.default_organization.set" : "instance.default_language.set";
    tx.record({ type, ...instanceAggregate(tx.instanceId), sequence, payload: { ...value } });
  }
  const instance = await findInstance(tx, tx.instanceId);
  if (instance === undefined) throw new Fault("not_found", "instance.not_found");
  return instance.details;
}
