import { isDeepStrictEqual } from "node:util";
import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { authorizeDocument, holdForSettings } from "./authorize-document.ts";
import { offeredIn, offeredKind, withAllOffered } from "./offered.ts";
import { type ExpectedSettings, refuseMoved } from "./refuse-moved.ts";
import {
  deleteStoredSettings,
  findSettingsToCopy,
  lockStoredSettings,
  putStoredSettings,
  toDetails,
} from "./settings.store.ts";
import { type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";
import { withoutRaises } from "./strict-settings.ts";
import { withDefaults } from "./with-defaults.ts";

export interface SettingsChange<Kind extends SettingsKind> {
  readonly kind: Kind;
  /** The organization that is to differ from its instance; the instance itself when absent. */
  readonly organizationId?: string;
  /** Refuses a scope that already has a document of its own. */
  readonly isNew?: boolean;
  /** Verb of the event; `set` when absent. */
  readonly verb?: "set" | "activated";
  /**
   * Returns the new document, made from the stored one (`isOwn`), otherwise from the effective one. What `change` does
   * not touch stays as it was.
   */
  readonly change: (current: SettingsDocuments[Kind], isOwn: boolean) => SettingsDocuments[Kind];
  /** Refuses the change when the settings are not, or are no longer, what the caller read. */
  readonly expected?: ExpectedSettings<SettingsDocuments[Kind]>;
}

/**
 * Step: writes the result of `change` on the stored document, which is locked against concurrent changes. The same
 * document changes nothing.
 */
export async function writeSettings<Kind extends SettingsKind>(
  tx: Tx,
  { kind, organizationId = "", isNew = false, verb = "set", change, expected }: SettingsChange<Kind>,
): Promise<Details> {
  const { defaults, isForOrganizations, check, checkIn } = settingsKinds[kind];
  if (organizationId !== "" && !isForOrganizations) throw new Error(`organizations have no ${kind} settings`);
  await authorizeDocument(tx, tx.call, { organizationId, kind }, "write");
  // Of two that begin the document of an organization, the second finds the first's.
  if (organizationId !== "") await holdForSettings(tx, organizationId);
  const stored = await lockStoredSettings(tx, { organizationId, kind });
  if (isNew && stored !== undefined) throw new Fault("already_exists", "settings.exists");
  const base = stored ?? (await findSettingsToCopy(tx, kind));
  // What it offered beside its instance becomes part of its first document.
  const offered = kind === "login" && stored === undefined ? await findOffered(tx, organizationId) : undefined;
  const current: SettingsDocuments[Kind] = withAllOffered(withDefaults(defaults, base?.document), offeredIn(offered));
  const ownerId = organizationId || tx.instanceId;
  if (expected !== undefined) {
    const details = toDetails(base ?? nothingStored, stored === undefined ? tx.instanceId : ownerId);
    await refuseMoved(tx, expected, { kind, organizationId, settings: current, defaults, details });
  }
  const wanted = change(current, stored !== undefined);
  const settings = tx.isStrict === true ? withoutRaises(kind, current, wanted) : wanted;
  check(settings);
  if (stored !== undefined && isSame(current, settings)) return toDetails(stored, ownerId);
  await checkIn?.(tx, organizationId, settings);
  const payload = Object.fromEntries(Object.entries(settings));
  const { sequence } =
    organizationId === ""
      ? await recordInstanceEvent(tx, { type: `instance.${kind}_settings.${verb}`, payload })
      : await recordOrganizationEvent(tx, organizationId, { type: `organization.${kind}_settings.${verb}`, payload });
  if (offered !== undefined) await deleteStoredSettings(tx, { organizationId, kind: offeredKind });
  const document = JSON.stringify(settings);
  return toDetails(await putStoredSettings(tx, { organizationId, kind, document, sequence }), ownerId);
}

const findOffered = async (tx: Tx, organizationId: string): Promise<string | undefined> =>
  organizationId === "" ? undefined : (await lockStoredSettings(tx, { organizationId, kind: offeredKind }))?.document;

const nothingStored = { kind: "", document: "{}", sequence: 0, createdAt: 0, changedAt: 0 } as const;

// Compared as JSON, because that is what is stored: an undefined member is absent.
const isSame = (left: object, right: object): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
