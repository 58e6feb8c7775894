import { createCache, type Database, type Reader } from "../../database/index.ts";
import { administersAnything, administersInstance, administersOrganization } from "./instance-administrator.store.ts";
import { offeredIn, offeredKind, withAllOffered } from "./offered.ts";
import { raiseSettings } from "./raise-settings.ts";
import { listStoredKinds, listStoredSettings, type StoredSettings } from "./settings.store.ts";
import { type EffectiveSettings, type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
import { demandSecondFactor, raiseToStrict } from "./strict-settings.ts";

/** The scope of settings: an organization, or the instance as a whole. */
export interface SettingsScope {
  readonly instanceId: string;
  readonly organizationId?: string | undefined;
  /** The user whom the settings judge: for administrators, the settings of the instance can be the floor. */
  readonly userId?: string | undefined;
}

/** Returns the effective settings of a scope: the organization's own, otherwise the instance's. Usually from memory. */
export interface SettingsReader {
  get<Kind extends SettingsKind>(kind: Kind, scope: SettingsScope): Promise<EffectiveSettings<SettingsDocuments[Kind]>>;
  /**
   * Returns what is committed now, whichever node wrote it. For settings that a caller who was just answered by another
   * node relies on: switches that permit something to others (security), and answers about settings themselves.
   */
  getCommitted<Kind extends SettingsKind>(
    kind: Kind,
    scope: SettingsScope,
  ): Promise<EffectiveSettings<SettingsDocuments[Kind]>>;
}

/** What a level has of a kind. */
interface AtLevel {
  readonly document: EffectiveSettings<object> | undefined;
  /** The providers that an organization offers beside those of its instance, as long as it has no document. */
  readonly offered: readonly string[];
}

type FindDocument = (instanceId: string, organizationId: string, kind: SettingsKind) => Promise<AtLevel>;

interface Loaded {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly documents: ReadonlyMap<string, EffectiveSettings<object>>;
  readonly offered: readonly string[];
  /** The characters of the documents. */
  readonly length: number;
}

/**
 * Reads settings; caches them until the instance or the organization changes. In the strict profile they are at least
 * as strict as it asks, whatever is stored.
 */
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
    lengthOf: ({ length }) => length,
  });
  const findKept: FindDocument = async (instanceId, organizationId, kind) => {
    const loaded = await cache.get(`${instanceId}\n${organizationId}`);
    return { document: loaded?.documents.get(kind), offered: loaded?.offered ?? [] };
  };
  const { read } = deps.database;
  return { get: createGet(findKept, read), getCommitted: createGet(findStored(read), read) };
}

/** Step: returns the settings as they hold in the unit of work. */
export function readSettings<Kind extends SettingsKind>(
  reader: Reader,
  kind: Kind,
  scope: SettingsScope,
): Promise<EffectiveSettings<SettingsDocuments[Kind]>> {
  return createGet(findStored(reader), reader)(kind, scope);
}

/** Returns a reader of settings as they hold in the unit of work. */
export function settingsReaderOf(reader: Reader): SettingsReader {
  const get = createGet(findStored(reader), reader);
  return { get, getCommitted: get };
}

const findStored =
  (reader: Reader): FindDocument =>
  async (instanceId, organizationId, kind) => {
    const kinds = kind === "login" ? [kind, offeredKind] : [kind];
    const rows = await listStoredKinds(reader, instanceId, { organizationId, kinds });
    const row = rows.find((each) => each.kind === kind);
    return { document: row && toDocument(row, { instanceId, organizationId }), offered: offeredOf(rows) };
  };

const offeredOf = (rows: readonly StoredSettings[]): readonly string[] =>
  offeredIn(rows.find(({ kind }) => kind === offeredKind)?.document);

// The one way from stored documents to settings that hold: every reader is held to the profile here.
function createGet(find: FindDocument, reader: Reader): SettingsReader["get"] {
  const get = createPlainGet(find, reader);
  return reader.isStrict === true ? createStrictGet(get, reader) : get;
}

function createPlainGet(find: FindDocument, reader: Reader): SettingsReader["get"] {
  return async (kind, { instanceId, organizationId, userId }) => {
    const { defaults, isForOrganizations } = settingsKinds[kind];
    const level =
      isForOrganizations && organizationId !== undefined ? await find(instanceId, organizationId, kind) : undefined;
    const own = level?.document;
    const found = own ?? (await find(instanceId, "", kind)).document ?? withoutDocument(instanceId);
    const stored = { ...defaults, ...found.settings };
    const settings = own === undefined ? withAllOffered(stored, level?.offered ?? []) : stored;
    const effective = { ...found, settings };
    const { raises, isRaisedForOwnAdministrators = false } = settingsKinds[kind];
    if (own === undefined || raises === undefined || userId === undefined) return effective;
    const isRaised =
      isRaisedForOwnAdministrators && organizationId !== undefined
        ? await administersOrganization(reader, instanceId, { userId, organizationId })
        : await administersInstance(reader, instanceId, userId);
    if (!isRaised) return effective;
    const ofInstance = await find(instanceId, "", kind);
    return {
      ...effective,
      settings: raiseSettings(raises, effective.settings, { ...defaults, ...ofInstance.document?.settings }),
      isRaised: true,
    };
  };
}

function createStrictGet(get: SettingsReader["get"], reader: Reader): SettingsReader["get"] {
  return async (kind, scope) => {
    const found = await get(kind, scope);
    const raised = { ...found, settings: raiseToStrict(kind, found.settings) };
    if (!isLogin(kind, raised) || scope.userId === undefined) return raised;
    if (!(await administersAnything(reader, scope.instanceId, scope.userId))) return raised;
    return { ...raised, settings: { ...raised.settings, ...demandSecondFactor(raised.settings) }, isRaised: true };
  };
}

const isLogin = (
  kind: SettingsKind,
  _found: EffectiveSettings<object>,
): _found is EffectiveSettings<SettingsDocuments["login"]> => kind === "login";

function toLoaded(instanceId: string, organizationId: string, rows: readonly StoredSettings[]): Loaded {
  const owner = { instanceId, organizationId };
  const length = rows.reduce((sum, { document }) => sum + document.length, 100);
  const documents = new Map(rows.map((row) => [row.kind, toDocument(row, owner)]));
  return { ...owner, documents, offered: offeredOf(rows), length };
}

function toDocument(
  { document, kind: _, ...details }: StoredSettings,
  { instanceId, organizationId }: { readonly instanceId: string; readonly organizationId: string },
): EffectiveSettings<object> {
  return {
    settings: JSON.parse(document) as object,
    source: organizationId === "" ? "instance" : "organization",
    details: { ...details, ownerId: organizationId || instanceId },
  };
}

// Older instances have no document for kinds that a newer version introduced, so the defaults apply.
const withoutDocument = (instanceId: string): EffectiveSettings<object> => ({
  settings: {},
  source: "instance",
  details: { sequence: 0, createdAt: 0, changedAt: 0, ownerId: instanceId },
});
