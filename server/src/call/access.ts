/** Where a resource lives. The more fields are set, the fewer roles reach it. */
export interface Scope {
  readonly organizationId?: string;
  readonly projectId?: string;
  readonly projectGrantId?: string;
}

/** One administrative position of a user: its level, its resource, and the permissions that its roles grant there. */
export interface Position {
  readonly level: "system" | "instance" | "organization" | "project" | "project_grant";
  /** Organization, project or project grant id; empty for system and instance. */
  readonly resourceId: string;
  readonly permissions: ReadonlySet<string>;
  /** The names of these roles; absent where the position was narrowed to fewer permissions. */
  readonly roles?: readonly string[] | undefined;
  /**
   * The instance's own project, where this position reads but changes nothing: every administrator of the instance
   * signs in by its applications, and it lies in an organization that may be a tenant's.
   */
  readonly readOnlyProjectId?: string | undefined;
  /** Whether it was that of a sign-in application before it was narrowed: fewer permissions never make it more. */
  readonly wasOfLogin?: boolean | undefined;
}

/** Everywhere a permission holds; a list's `where` is built from it. */
export interface Reach {
  readonly everywhere: boolean;
  readonly organizationIds: readonly string[];
  readonly projectIds: readonly string[];
  readonly projectGrantIds: readonly string[];
}

export interface DecisionOptions {
  /**
   * Whether there is something to do without it as well. A call that rests on it is refused once where it holds no
   * longer, and then decides without it: those who give and take positions on what is theirs could refuse it forever.
   */
  readonly isOptional?: boolean;
}

/** What a caller may do. */
export interface Access {
  /** For what is decided by all of them together: where they are held (`holdAccess`), all have to hold to the end. */
  readonly positions: readonly Position[];
  /** The same, for what is only noted of the caller, or decided by answers of an access that is derived. */
  readonly noted: readonly Position[];
  /** Whether the permission holds for a resource in this scope. */
  allows(permission: string, scope: Scope): boolean;
  /** Whether all of these permissions do. */
  allowsAll(permissions: ReadonlySet<string>, scope: Scope): boolean;
  /** Returns everywhere that the permission holds. */
  reach(permission: string): Reach;
  /** Whether the permission holds anywhere at all, at one of these levels where they are named. */
  holdsAnywhere(permission: string, levels?: readonly Position["level"][]): boolean;
  /** Whether a position of a sign-in application is among those of this access. */
  hasLoginClient(): boolean;
  /**
   * Returns what a rule makes of this access, whose answers are kept with those of this one; absent where none are kept
   * (`holdAccess`). `name` tells rules apart.
   */
  readonly derive?: (name: string, rule: (access: Access) => Access) => Access;
  /** Decides by a rule, which is kept instead of the answers that it looks at (`decideBy`); absent as `derive`. */
  readonly decide?: (name: string, rule: (access: Access) => boolean, options?: DecisionOptions) => boolean;
}

/**
 * Decides by a rule that looks at an access as a whole. Where answers are kept (`holdAccess`), what counts later is
 * that the rule still decides so: another way to the same decision is as good, and what led nowhere is forgotten.
 * `name` tells decisions apart.
 */
export const decideBy = (
  access: Access,
  name: string,
  rule: (access: Access) => boolean,
  options: DecisionOptions = {},
): boolean => (access.decide === undefined ? rule(access) : access.decide(name, rule, options));

/**
 * Creates access from administrative positions. A position reaches what lies inside its resource, never beside or above
 * it.
 */
export function createAccess(positions: readonly Position[]): Access {
  let index: Index | undefined;
  const listIn = (scope: Scope): readonly Position[] => {
    index ??= indexOf(positions);
    return listContaining(index, scope);
  };
  const isAllowed = (containing: readonly Position[], permission: string, scope: Scope): boolean =>
    containing.some((position) => position.permissions.has(permission) && mayChange(position, permission, scope));
  return {
    positions,
    noted: positions,
    allows: (permission, scope) => isAllowed(listIn(scope), permission, scope),
    allowsAll: (permissions, scope) => {
      const containing = listIn(scope);
      return [...permissions].every((permission) => isAllowed(containing, permission, scope));
    },
    reach: (permission) => {
      const holding = positions.filter((position) => position.permissions.has(permission));
      const ids = (level: Position["level"]): string[] =>
        holding.filter((position) => position.level === level).map(({ resourceId }) => resourceId);
      return {
        everywhere: holding.some(({ level }) => level === "system" || level === "instance"),
        organizationIds: ids("organization"),
        projectIds: ids("project"),
        projectGrantIds: ids("project_grant"),
      };
    },
    holdsAnywhere: (permission, levels) =>
      positions.some(
        ({ level, permissions }) => permissions.has(permission) && (levels === undefined || levels.includes(level)),
      ),
    hasLoginClient: () => positions.some(isOfLoginClient),
  };
}

/**
 * Whether a position is that of a sign-in application: answering requests of applications for users makes it one, and
 * owning the instance does not.
 */
export const isOfLoginClient = ({ permissions, wasOfLogin }: Position): boolean =>
  wasOfLogin ?? (permissions.has("session.link") && !permissions.has("iam.write"));

/** Returns a membership with only the kept permissions; the result no longer represents a role. */
export const narrowPosition = (position: Position, isKept: (permission: string) => boolean): Position => ({
  ...position,
  permissions: new Set([...position.permissions].filter(isKept)),
  roles: undefined,
  wasOfLogin: isOfLoginClient(position),
});

/**
 * Returns what two of a caller's accesses have in common, position by position: what the roles allow now, of what the
 * credential covers. Whatever is derived from its positions is no more than that either.
 */
export function commonAccess(now: Access, covered: Access): Access {
  const coveredAt = indexOf(covered.positions);
  return createAccess(
    now.positions.map((position) => {
      const { permissions } = position;
      const same = coveredAt.get(keyOf(position)) ?? [];
      const isCovered = (permission: string): boolean => same.some((each) => each.permissions.has(permission));
      const isWhole = same.some(({ roles }) => roles !== undefined) && [...permissions].every(isCovered);
      if (isWhole) return position;
      const narrowed = narrowPosition(position, isCovered);
      return { ...narrowed, wasOfLogin: narrowed.wasOfLogin === true || same.some(isOfLoginClient) };
    }),
  );
}

/** The access of a user without any administrative position. */
export const noAccess: Access = createAccess([]);

const mayChange = ({ readOnlyProjectId }: Position, permission: string, { projectId }: Scope): boolean =>
  projectId === undefined || projectId !== readOnlyProjectId || permission.endsWith(".read");

/** Positions by level and resource: what a permission costs does not follow the number of positions. */
type Index = ReadonlyMap<string, readonly Position[]>;

const keyOf = ({ level, resourceId }: Pick<Position, "level" | "resourceId">): string => `${level} ${resourceId}`;

const indexOf = (positions: readonly Position[]): Index => Map.groupBy(positions, keyOf);

/** Returns the positions that contain a resource in this scope. */
function listContaining(index: Index, { organizationId, projectId, projectGrantId }: Scope): readonly Position[] {
  const at = (level: Position["level"], resourceId: string | undefined): readonly Position[] =>
    (resourceId === undefined ? undefined : index.get(keyOf({ level, resourceId }))) ?? [];
  return [
    ...at("system", ""),
    ...at("instance", ""),
    ...at("organization", organizationId),
    ...at("project", projectId),
    ...at("project_grant", projectGrantId),
  ];
}
