import { createHash } from "node:crypto";
import { type ProviderConfiguration, rulesOf } from "./provider-kinds.ts";

/**
 * Returns the speaker of a provider, which identifies the server behind it: a digest (SHA-256, base64url) of its
 * protocol and of the fields that `KindRules.fields` names. Links belong to a provider and its speaker, so a link made
 * for one server is of no use to the next one.
 */
export function speakerOf(configuration: ProviderConfiguration): string {
  const { protocol, fields, speaksAs } = rulesOf(configuration);
  const values: Readonly<Record<string, unknown>> = { ...configuration };
  const decisive = Object.entries(fields).filter(([, meaning]) => meaning === "speaker");
  const named = speaksAs?.(configuration) ?? Object.fromEntries(decisive.map(([name]) => [name, values[name]]));
  const sorted = Object.entries(named).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([protocol, sorted]))
    .digest("base64url");
}
