import { createAccess } from "../../src/call/index.ts";
import { permissionsOf } from "../../src/domain/membership/index.ts";
import { type SettingsDocuments, type SettingsKind, setSettings } from "../../src/domain/settings/index.ts";
import { testCall } from "./call.ts";
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
  const place = organizationId === undefined ? {} : { organizationId };
  const { settings } = await domain.settings.get(kind, { instanceId, ...place });
  await setSettings(domain, call, { kind, settings: { ...settings, ...change }, ...place });
}
