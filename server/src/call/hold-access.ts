import { type Access, createAccess, type Position, type Reach, type Scope } from "./access.ts";
import type { EndedOfCaller } from "./call.ts";
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

// Of one access: in how many scopes answers are kept, and how many decisions. A call that asks for more depends on all
// of its positions.
const mostScopes = 5000;

/**
 * Returns what holds an access while a call goes on, so that its decisions can be made once more. Where its positions
 * were listed, what was decided by them is not known, so all of them have to hold.
 */
export function holdAccess(first: Access): HeldAccess {
  let latest = first;
  const root = new Held(() => latest);
  return {
    access: root.access,
    renew: (later) => {
      latest = later;
      return root.stillHolds();
    },
  };
}

/** What was allowed by an access, and by those that were derived from it. */
class Held {
  /** Answers by what was read last, and keeps what it allowed. */
  readonly access: Access;
  readonly #find: () => Access;
  readonly #derived = new Map<string, { rule: Rule; readonly held: Held }>();
  /** Permissions by scope. */
  readonly #allowed = new Map<string, { readonly scope: Scope; readonly permissions: Set<string> }>();
  /** Where permissions held, and at which levels that was looked at. */
  readonly #reached = new Map<string, { readonly then: Reach; readonly levels: Set<Level> }>();
  /** Rules that decided for the caller. */
  readonly #decided = new Map<string, (access: Access) => boolean>();
  /** The same, of decisions without which the call has something to do as well. */
  readonly #optional = new Map<string, (access: Access) => boolean>();
  readonly #anywhere = new Map<string, Parameters<Access["holdsAnywhere"]>>();
  #isLoginClient = false;
  /** The access whose positions all have to hold. */
  #whole: Access | undefined;

  constructor(find: () => Access) {
    this.#find = find;
    this.access = this.#keeping();
  }

  /** Whether everything that was kept is allowed by what was read last. */
  stillHolds(): boolean {
    const now = this.#find();
    return (
      (this.#whole === undefined || stillHolds(this.#whole, now)) &&
      this.#allowed.values().every(({ scope, permissions }) => now.allowsAll(permissions, scope)) &&
      this.#reached.entries().every(([permission, reached]) => covers(now.reach(permission), reached)) &&
      this.#anywhere.values().every((asked) => now.holdsAnywhere(...asked)) &&
      (!this.#isLoginClient || now.hasLoginClient()) &&
      this.#decided.values().every((rule) => rule(now)) &&
      this.#derived.values().every(({ held }) => held.stillHolds()) &&
      this.#optionalHolds(now)
    );
  }

  /** What holds no longer is forgotten: the call decides anew. */
  #optionalHolds(now: Access): boolean {
    const lost = [...this.#optional].filter(([, rule]) => !rule(now));
    for (const [name] of lost) this.#optional.delete(name);
    return lost.length === 0;
  }

  #keeping(): Access {
    const find = this.#find;
    const listed = (): readonly Position[] => {
      this.#whole = find();
      return this.#whole.positions;
    };
    return {
      get positions() {
        return listed();
      },
      get noted() {
        return find().noted;
      },
      allows: (permission, scope) => find().allows(permission, scope) && this.#keep([permission], scope),
      allowsAll: (permissions, scope) => find().allowsAll(permissions, scope) && this.#keep(permissions, scope),
      reach: (permission) => {
        const then = find().reach(permission);
        const { levels } = this.#reached.get(permission) ?? { levels: new Set<Level>() };
        this.#reached.set(permission, { then, levels });
        return noting(then, levels);
      },
      holdsAnywhere: (permission, levels) => {
        const holds = find().holdsAnywhere(permission, levels);
        if (holds) this.#anywhere.set(`${permission} ${levels?.join() ?? ""}`, [permission, levels]);
        return holds;
      },
      hasLoginClient: () => {
        const holds = find().hasLoginClient();
        this.#isLoginClient ||= holds;
        return holds;
      },
      derive: (name, rule) => this.#derive(name, rule),
      decide: (name, rule, { isOptional = false } = {}) => {
        const now = find();
        if (!rule(now)) return false;
        const decided = isOptional ? this.#optional : this.#decided;
        if (decided.size === mostScopes && !decided.has(name)) this.#whole = now;
        else decided.set(name, rule);
        return true;
      },
    };
  }

  #keep(permissions: Iterable<string>, { organizationId, projectId, projectGrantId }: Scope): true {
    const key = JSON.stringify([organizationId, projectId, projectGrantId]);
    let kept = this.#allowed.get(key);
    if (kept === undefined) {
      if (this.#allowed.size === mostScopes) {
        this.#whole = this.#find();
        return true;
      }
      kept = { scope: { organizationId, projectId, projectGrantId } as Scope, permissions: new Set() };
      this.#allowed.set(key, kept);
    }
    for (const permission of permissions) kept.permissions.add(permission);
    return true;
  }

  /** A rule of the same name takes the place of the former: it was made of what was read later. */
  #derive(name: string, rule: Rule): Access {
    const known = this.#derived.get(name);
    if (known !== undefined) {
      known.rule = rule;
      return known.held.access;
    }
    // What a rule makes of an access costs as much as all of its positions, so that it is made once.
    let made: { readonly of: Access; readonly by: Rule; readonly access: Access } | undefined;
    const find = (): Access => {
      const of = this.#find();
      const by = derived.rule;
      if (made?.of !== of || made.by !== by) made = { of, by, access: by(of) };
      return made.access;
    };
    const derived = { rule, held: new Held(find) };
    this.#derived.set(name, derived);
    return derived.held.access;
  }
}

/**
 * Returns an access with the positions of a former one that the call has ended itself: what was decided by them was
 * decided while the caller had them.
 */
export function withEnded(now: Access, former: Access, { positions }: Pick<EndedOfCaller, "positions">): Access {
  const keyOf = ({ level, resourceId }: EndedOfCaller["positions"][number]): string =>
    level === "instance" ? level : `${level} ${resourceId}`;
  const keys = new Set(positions.map(keyOf));
  const kept = keys.size === 0 ? [] : former.positions.filter((position) => keys.has(keyOf(position)));
  return kept.length === 0 ? now : createAccess([...now.positions, ...kept]);
}

type Level = Exclude<keyof Reach, "everywhere">;

/** Returns a reach that notes the levels that are looked at: positions at others decide nothing. */
const noting = (then: Reach, levels: Set<Level>): Reach => {
  const at = (level: Level): readonly string[] => {
    levels.add(level);
    return then[level];
  };
  return {
    everywhere: then.everywhere,
    get organizationIds() {
      return at("organizationIds");
    },
    get projectIds() {
      return at("projectIds");
    },
    get projectGrantIds() {
      return at("projectGrantIds");
    },
  };
};

function covers(now: Reach, { then, levels }: { readonly then: Reach; readonly levels: ReadonlySet<Level> }): boolean {
  if (now.everywhere) return true;
  return !then.everywhere && levels.values().every((level) => new Set(then[level]).isSubsetOf(new Set(now[level])));
}
