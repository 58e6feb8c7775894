import type { EffectiveSettings } from "../../../../domain/settings/index.ts";
import { toObjectDetails } from "../../../contract/index.ts";
import { type FieldsOf, type Written, writeFields } from "../../../settings/fields.ts";

/**
 * Returns settings as a policy of the first generation of the API, which is "default" where the settings of the
 * instance are in effect.
 */
export const toPolicy = <Document extends object, Fields extends FieldsOf<Document>>(
  fields: Fields,
  { settings, details, source }: EffectiveSettings<Document>,
): Policy<Fields> => ({
  ...writeFields<Document, Fields, "v1">(fields, "v1", settings),
  details: toObjectDetails(details),
  isDefault: source === "instance",
});

/** A policy with the fields of a table. */
export type Policy<Fields> = Written<Fields, "v1"> & {
  readonly details: ReturnType<typeof toObjectDetails>;
  readonly isDefault: boolean;
};
