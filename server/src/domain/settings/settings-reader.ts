import { createCache, type Database } from "../../database/index.ts";
import { listStoredSettings, type StoredSettings } from "./settings.store.ts";
import { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";

/** Where settings are asked for: in an organization, or in the instance as a whole. */
export interface SettingsPlace {
  readonly instanceId: string;
  readonly organizationId?: string | undefined;
}

/** Tells which settings hold at a place: the organization's own, else the instance's. From memory as a rule. */
export interface SettingsReader {
  get<Kind extends SettingsKind>(kind: Kind, place: SettingsPlace): Promise<EffectiveSettings<SettingsDocuments[Kind]>>;
}

interface Loaded {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly documents: ReadonlyMap<string, EffectiveSettings<object>>;
}

/** Reads settings; keeps what it read until the instance or the organization changes. */
export function createSettingsReader(deps: { readonly database: Database }): SettingsReader {
  const cache = createCache<Loaded>(deps.database, {
    load: async (key) => {
      const [instanceId = "", organizationId = ""] = key.split("\n");
      return toLoaded(
        instanceId,
        organizationId,
        await listStoredSettings(deps.database.read, instanceId, organizationId),
      );
    },
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, loaded) =>
      event.instanceId === loaded.instanceId && event.aggregateId === (loaded.organizationId || loaded.instanceId),
  });
  const find = async (instanceId: string, organizationId: string, kind: string) =>
    (await cache.get(`${instanceId}\n${organizationId}`))?.documents.get(kind);

  return {
    get: async (kind, { instanceId, organizationId }) => {
      const { defaults, isForOrganizations } = settingsKinds[kind];
      const own =
        isForOrganizations && organizationId !== undefined ? await find(instanceId, organizationId, kind) : undefined;
      const found = own ?? (await find(instanceId, "", kind)) ?? withoutDocument(instanceId);
      return { ...found, settings: { ...defaults, ...found.settings } };
    },
  };
}

function toLoaded(instanceId: string, organizationId: string, rows: readonly StoredSettings[]): Loaded {
  const documents = rows.map(({ kind, document, ...details }): [string, EffectiveSettings<object>] => [
    kind,
    {
      settings: JSON.parse(document) as object,
      source: organizationId === "" ? "instance" : "organization",
      details: { ...details, ownerId: organizationId || instanceId },
    },
  ]);
  return { instanceId, organizationId, documents: new Map(documents) };
}

// Kinds that came with a newer version have no document in older instances: their defaults hold.
const withoutDocument = (instanceId: string): EffectiveSettings<object> => ({
  settings: {},
  source: "instance",
  details: { sequence: 0, createdAt: 0, changedAt: 0, ownerId: instanceId },
});
