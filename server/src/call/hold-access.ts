import type { Access, Reach, Scope } from "./access.ts";
import { stillHolds } from "./still-holds.ts";

/** The access of a call that goes on. */
export interface HeldAccess {
  /** Answers by what was read last, and keeps what it allowed. */
  readonly access: Access;
  /**
   * Answers by another access from now on, which was read later. Returns whether all that was allowed is allowed by
   * that one too. What was not asked for does not count: others can give and take positions on what is theirs.
   */
  renew(latest: Access): boolean;
}

type Rule = (access: Access) => Access;
type Still = (latest: Access) => boolean;

/**
 * Returns what holds an access while a call goes on, so that its decisions can be made once more. Where its positions
 * were listed, what was decided by them is not known, so all of them have to hold.
 */
export function holdAccess(first: Access): HeldAccess {
  let latest = first;
  const allowed = new Map<string, Still>();
  const keep = (key: string, still: Still): true => {
    allowed.set(key, still);
    return true;
  };
  const keeping = (name: string, rule: Rule): Access => {
    let current: { readonly of: Access; readonly access: Access } | undefined;
    const now = (): Access => {
      if (current?.of !== latest) current = { of: latest, access: rule(latest) };
      return current.access;
    };
    return {
      get positions() {
        const listed = now();
        keep(`${name} positions`, (later) => stillHolds(listed, rule(later)));
        return listed.positions;
      },
      allows: (permission, { organizationId, projectId, projectGrantId }) => {
        const scope = { organizationId, projectId, projectGrantId } as Scope;
        return (
          now().allows(permission, scope) &&
          keep(JSON.stringify([name, permission, scope]), (later) => rule(later).allows(permission, scope))
        );
      },
      reach: (permission) => {
        const reached = now().reach(permission);
        keep(`${name} reach ${permission}`, (later) => covers(rule(later).reach(permission), reached));
        return reached;
      },
      holdsAnywhere: (permission, levels) =>
        now().holdsAnywhere(permission, levels) &&
        keep(`${name} anywhere ${permission} ${levels?.join() ?? ""}`, (later) =>
          rule(later).holdsAnywhere(permission, levels),
        ),
      hasLoginClient: () =>
        now().hasLoginClient() && keep(`${name} login client`, (later) => rule(later).hasLoginClient()),
      derive: (inner, next) => keeping(`${name}, ${inner}`, (access) => next(rule(access))),
    };
  };
  return {
    access: keeping("", (access) => access),
    renew: (later) => {
      latest = later;
      return allowed.values().every((still) => still(later));
    },
  };
}

function covers(now: Reach, then: Reach): boolean {
  if (now.everywhere) return true;
  const has = (ids: readonly string[], wanted: readonly string[]): boolean => new Set(wanted).isSubsetOf(new Set(ids));
  return (
    !then.everywhere &&
    has(now.organizationIds, then.organizationIds) &&
    has(now.projectIds, then.projectIds) &&
    has(now.projectGrantIds, then.projectGrantIds)
  );
}
