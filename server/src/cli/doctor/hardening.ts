import { findingsOf } from "./finding.ts";

/** Creates the findings of `doctor --hardening`. */
export const hardening = findingsOf("hardening");

/** Returns the owner of settings in words: `instance 1`, or `organization 2`. */
export const ownerName = (instanceId: string, organizationId = ""): string =>
  organizationId === "" ? `instance ${instanceId}` : `organization ${organizationId}`;

const mostNames = 5;

/** Groups what was found by instance, so that a line says how many there are and names the first of them. */
export function byInstance<Found extends { readonly instanceId: string }>(
  found: readonly Found[],
  nameOf: (found: Found) => string,
): { readonly instanceId: string; readonly count: number; readonly names: string }[] {
  const groups = Map.groupBy(found, ({ instanceId }) => instanceId);
  return [...groups].map(([instanceId, members]) => {
    const names = members.slice(0, mostNames).map(nameOf);
    const rest = members.length - names.length;
    return { instanceId, count: members.length, names: names.join(", ") + (rest > 0 ? ` and ${rest} more` : "") };
  });
}
