import type { Access, Position } from "./access.ts";

const keyOf = ({ level, resourceId }: Position): string => `${level}/${resourceId}`;

/** Whether everything that an access allowed is allowed by another one, which was read later. */
export function stillHolds(then: Access, now: Access): boolean {
  const held = new Map(now.positions.map((position) => [keyOf(position), position]));
  return then.positions.every((position) => {
    const { permissions = new Set<string>(), readOnlyProjectId } = held.get(keyOf(position)) ?? {};
    return position.permissions.isSubsetOf(permissions) && readOnlyProjectId === position.readOnlyProjectId;
  });
}
