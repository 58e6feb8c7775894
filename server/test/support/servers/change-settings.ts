import { Fault } from "../../../src/base/fault.ts";
import { createAccess } from "../../../src/call/index.ts";
import { sql, type Tx } from "../../../src/database/index.ts";
import { permissionsOf } from "../../../src/domain/administrator-access/index.ts";
import { recordInstanceEvent } from "../../../src/domain/instance/index.ts";
import { recordOrganizationEvent } from "../../../src/domain/organization/index.ts";
import { type SettingsDocuments, type SettingsKind, setSettings } from "../../../src/domain/settings/index.ts";
import { testCall } from "../operations/call.ts";
import type { TestServer } from "./server.ts";

/** Changes some of the settings of the instance, or of an organization, as its owner. */
export async function changeSettings<Kind extends SettingsKind>(
  { app: { domain } }: TestServer,
  kind: Kind,
  change: Partial<SettingsDocuments[Kind]>,
  organizationId?: string,
): Promise<void> {
  const instance = await domain.findInstanceByHost("localhost");
  if (instance === undefined) throw new Error("no instance at localhost");
  const { instanceId } = instance;
  const permissions = new Set(permissionsOf("IAM_OWNER"));
  const access = createAccess([{ level: "instance", resourceId: "", permissions }]);
  const call = testCall({ instanceId, now: domain.clock(), caller: { userId: "owner", organizationId: "", access } });
  const scope = organizationId === undefined ? {} : { organizationId };
  const { settings } = await domain.settings.get(kind, { instanceId, ...scope });
  const changed = { ...settings, ...change };
  try {
    await setSettings(domain, call, { kind, settings: changed, ...scope });
  } catch (error) {
    if (!(error instanceof Fault) || !error.id.startsWith("settings.login.no_")) throw error;
    await domain.database.change(call, (tx) => store(tx, { kind, settings: changed, organizationId }));
  }
}

// Settings that leave no way to sign in are refused today; data of earlier versions have them.
async function store(
  tx: Tx,
  { kind, settings, organizationId = "" }: { kind: SettingsKind; settings: object; organizationId: string | undefined },
): Promise<void> {
  const event = organizationId === "" ? `instance.${kind}_settings.set` : `organization.${kind}_settings.set`;
  const { sequence } =
    organizationId === ""
      ? await recordInstanceEvent(tx, { type: event })
      : await recordOrganizationEvent(tx, organizationId, { type: event });
  await tx.run(sql`insert into settings (instance_id, organization_id, kind, document, sequence, created_at, changed_at)
    values (${tx.instanceId}, ${organizationId}, ${kind}, ${JSON.stringify(settings)}, ${sequence}, ${tx.now}, ${tx.now})
    on conflict (instance_id, organization_id, kind) do update set document = excluded.document`);
}
