import { type Reader, sql } from "../../database/index.ts";
import { type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
import { withDefaults } from "./with-defaults.ts";

/** Settings of a kind as they hold for their owner. */
export interface OwnedSettings<Document> {
  readonly instanceId: string;
  /** Empty for the instance itself. */
  readonly organizationId: string;
  readonly settings: Document;
}

/**
 * Lists the settings of one kind: those of each instance, and those of each organization that differs from its
 * instance.
 */
export async function listSettingsOfKind<Kind extends SettingsKind>(
  reader: Reader,
  kind: Kind,
): Promise<OwnedSettings<SettingsDocuments[Kind]>[]> {
  const rows = await reader.all<{ instanceId: string; organizationId: string; document: string | null }>(
    sql`select i.instance_id as "instanceId", coalesce(s.organization_id, '') as "organizationId", s.document as "document"
      from instances i left join settings s on s.instance_id = i.instance_id and s.kind = ${kind}
      where i.state = 'active' order by 1, 2`,
  );
  return rows.map(({ instanceId, organizationId, document }) => ({
    instanceId,
    organizationId,
    settings: withDefaults(settingsKinds[kind].defaults, document),
  }));
}
