import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../call/index.ts";
import type { Database, Details } from "../../database/index.ts";
import { recordInstanceEvent } from "../instance/index.ts";
import { recordOrganizationEvent } from "../organization/index.ts";
import { authorizeSettings } from "./authorize-settings.ts";
import { findStoredSettings, putStoredSettings, toDetails } from "./settings.store.ts";
import { type SettingsDocuments, type SettingsKind, settingsKinds } from "./settings.ts";

export interface SetSettings<Kind extends SettingsKind> {
  readonly kind: Kind;
  /** The organization that shall differ from its instance; the instance itself when not given. */
  readonly organizationId?: string;
  /** The whole document: what it was before is forgotten. */
  readonly settings: SettingsDocuments[Kind];
}

/** Replaces settings of the instance or of an organization. The document that is there already changes nothing. */
export function setSettings<Kind extends SettingsKind>(
  deps: { readonly database: Database },
  call: Call,
  input: SetSettings<Kind>,
): Promise<Details> {
  const { kind, settings, organizationId = "" } = input;
  const { defaults, isForOrganizations, check } = settingsKinds[kind];
  if (organizationId !== "" && !isForOrganizations) throw new Error(`organizations have no ${kind} settings`);
  return deps.database.change(call, async (tx) => {
    await authorizeSettings(tx, call, organizationId, "write");
    check(settings);
    const ownerId = organizationId || tx.instanceId;
    const stored = await findStoredSettings(tx, tx.instanceId, { organizationId, kind });
    if (stored !== undefined && isSame({ ...defaults, ...JSON.parse(stored.document) }, settings)) {
      return toDetails(stored, ownerId);
    }
    const payload = Object.fromEntries(Object.entries(settings));
    const { sequence } =
      organizationId === ""
        ? await recordInstanceEvent(tx, { type: `instance.${kind}_settings.set`, payload })
        : await recordOrganizationEvent(tx, organizationId, { type: `organization.${kind}_settings.set`, payload });
    const document = JSON.stringify(settings);
    return toDetails(await putStoredSettings(tx, { organizationId, kind, document, sequence }), ownerId);
  });
}

// As JSON, because that is what is stored: a member that is undefined is not there.
const isSame = (left: object, right: object): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
