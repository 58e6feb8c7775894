import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Clock, Instant } from "../../../../base/clock.ts";
import type { Call } from "../../../../call/index.ts";
import type { Texts } from "../../../../text/index.ts";
import type { OtherCall, OtherRefusal, PerformOther } from "../../../contract/index.ts";

/** What imports and exports need. */
export interface DataDeps {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly performOther: PerformOther;
}

/** Calls a method for the caller, in an organization; throws `EntryRefused`. */
export type Perform = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  organizationId?: string,
) => Promise<MessageShape<Method["output"]>>;

/** Calls a method for the data of an organization, as its owner could; throws `EntryRefused`. */
type PerformEntry = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  organizationId: string,
) => Promise<MessageShape<Method["output"]>>;

/** An import that has yet to end. */
export interface Run {
  readonly perform: PerformEntry;
  /**
   * Calls a method with all rights of the caller. For the entries alone that are the instance's by nature, because no
   * owner of an organization makes them: the organization itself, and its domain policy.
   */
  readonly performForInstance: Perform;
  /** Ids that entries have here where they are not chosen by their creator. */
  readonly ids: NewIds;
  /**
   * Users whom an organization of the data has as its own, and who belong to another one here. What the data gives them
   * is not meant for these.
   */
  readonly disputedUserIds: Set<string>;
  /** Refuses an entry in the language of the caller. */
  refuse(slug: string): never;
}

/**
 * Ids that entries have here, by the ids that the data has for them within the organization or project that they belong
 * to: the data of another organization does not decide what such an id means.
 */
class NewIds {
  readonly #ids = new Map<string, string>();

  set(within: string, oldId: string, newId: string): void {
    this.#ids.set(`${within}\n${oldId}`, newId);
  }

  /** Returns the id of an entry here, or the same one if the import made none. */
  of(within: string, id: string): string {
    return this.#ids.get(`${within}\n${id}`) ?? id;
  }
}

/** An entry was refused; the others go on. */
export class EntryRefused extends Error {
  readonly refusal: Omit<OtherRefusal, "error"> & { readonly error?: unknown };

  constructor(refusal: Omit<OtherRefusal, "error"> & { readonly error?: unknown }) {
    super(refusal.id);
    this.name = "EntryRefused";
    this.refusal = refusal;
  }
}

/** The time for the request is over. */
export class TimeIsOver extends Error {
  constructor() {
    super("the time is over");
    this.name = "TimeIsOver";
  }
}

/**
 * Creates what calls methods with all rights of the caller; it throws `TimeIsOver` from `endsAt` on, and once the
 * caller is gone.
 */
export function createPerform(deps: DataDeps, call: Call, endsAt: Instant): Perform {
  const callOther = createCallOther(deps, call, endsAt);
  return (method, request, organizationId) => callOther({ method, request, as: "caller", organizationId });
}

/** Starts an import; its calls throw `TimeIsOver` as those of `createPerform` do. */
export function startRun(deps: DataDeps, call: Call, endsAt: Instant): Run {
  const { texts } = deps;
  const callOther = createCallOther(deps, call, endsAt);
  return {
    ids: new NewIds(),
    disputedUserIds: new Set(),
    perform: (method, request, organizationId) => callOther({ method, request, as: "organization", organizationId }),
    performForInstance: createPerform(deps, call, endsAt),
    refuse: (slug) => {
      const message = texts.translate(call.language, `fault.${slug}`);
      throw new EntryRefused({ id: slug, message, isExisting: slug === "request.already_exists" });
    },
  };
}

function createCallOther({ clock, performOther }: DataDeps, call: Call, endsAt: Instant) {
  const gone = call.gone?.();
  return async <Method extends DescMethodUnary>(other: OtherCall<Method>): Promise<MessageShape<Method["output"]>> => {
    if (clock() >= endsAt || gone?.aborted === true) throw new TimeIsOver();
    const answer = await performOther(call, other);
    if ("refusal" in answer) throw new EntryRefused(answer.refusal);
    return answer.response;
  };
}
