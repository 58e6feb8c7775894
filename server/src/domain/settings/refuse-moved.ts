import { Fault } from "../../base/fault.ts";
import { isRecord } from "../../base/json.ts";
import type { Details, Tx } from "../../database/index.ts";
import { findRecordedSettings, type RecordedSettings } from "./settings-history.store.ts";

/** The state of settings that a caller read, and means to change. */
export interface ExpectedSettings<Document> {
  readonly etag: string;
  /** Returns the contract's names of the fields in which two documents differ. */
  readonly namesOfDifferences: (former: Document, present: Document) => readonly string[];
}

/** Returns the name of a state of settings: whose they are, and their sequence. */
export const etagOfSettings = ({ ownerId, sequence }: Pick<Details, "ownerId" | "sequence">): string =>
  `${ownerId}-${sequence}`;

interface Present<Document> {
  readonly kind: string;
  /** Empty for the instance. */
  readonly organizationId: string;
  readonly settings: Document;
  readonly defaults: Document;
  readonly details: Details;
}

/**
 * Step: refuses a change of settings that are not in the state in which the caller read them. The refusal names the
 * fields that differ; and, where the settings belong to the level that was to change, who changed them.
 */
export async function refuseMoved<Document extends object>(
  tx: Tx,
  { etag, namesOfDifferences }: ExpectedSettings<Document>,
  present: Present<Document>,
): Promise<void> {
  const { kind, organizationId, settings, defaults, details } = present;
  const now = etagOfSettings(details);
  if (etag === now) return;
  const [, ownerId = "", digits = ""] = /^(.+)-(\d{1,15})$/.exec(etag) ?? [];
  const isOfScope = ownerId !== "" && (ownerId === tx.instanceId || ownerId === organizationId);
  const event = isOfScope ? await find(tx, ownerId, Number(digits)) : undefined;
  const recorded = event && documentIn(event, kind);
  // What was read cannot be found: then all that is known is that it was something else.
  const former = recorded === undefined ? defaults : { ...defaults, ...recorded };
  const latest =
    details.ownerId === (organizationId || tx.instanceId)
      ? await find(tx, details.ownerId, details.sequence)
      : undefined;
  throw new Fault("failed_precondition", "settings.changed", {
    values: {
      fields: namesOfDifferences(former as Document, settings).join(", "),
      changedAt: details.changedAt,
      changedBy: latest?.editorUserId ?? "",
      etag: now,
    },
  });
}

const find = (tx: Tx, ownerId: string, sequence: number): Promise<RecordedSettings | undefined> =>
  findRecordedSettings(tx, tx.instanceId, {
    aggregateType: ownerId === tx.instanceId ? "instance" : "organization",
    aggregateId: ownerId,
    sequence,
  });

function documentIn({ type, payload }: RecordedSettings, kind: string): object | undefined {
  const recorded: unknown = JSON.parse(payload);
  if (!isRecord(recorded)) return undefined;
  if (type.endsWith(`.${kind}_settings.set`) || type.endsWith(`.${kind}_settings.activated`)) return recorded;
  const first = type === "instance.settings.created" ? recorded[kind] : undefined;
  return isRecord(first) ? first : undefined;
}
