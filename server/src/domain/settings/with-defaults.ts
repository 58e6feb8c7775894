/**
 * Returns a stored document (JSON) with the defaults of the fields that it does not have: a document that was stored
 * before a field existed needs no migration. The defaults alone when none is stored.
 */
export const withDefaults = <Document extends object>(
  defaults: Document,
  stored: string | null | undefined,
): Document => ({ ...defaults, ...JSON.parse(stored ?? "{}") });
