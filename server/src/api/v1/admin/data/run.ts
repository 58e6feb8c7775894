import type { DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import type { Clock, Instant } from "../../../../base/clock.ts";
import type { Call } from "../../../../call/index.ts";
import type { Texts } from "../../../../text/index.ts";
import type { OtherCall, PerformOther, PerformTogether, Together } from "../../../contract/index.ts";
import { EntryRefused } from "./entry-refused.ts";
import { findMeantUsers, type ListedUsers, type MeantUsers } from "./meant-users.ts";
import { type NewPerson, toPerson } from "./new-person.ts";
import type { Perform, PerformEntry } from "./perform.ts";

/** What imports and exports need. */
export interface DataDeps {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly performOther: PerformOther;
}

/** What imports need besides. */
export interface ImportDeps extends DataDeps {
  readonly performTogether: PerformTogether;
  /** Creates people by requests of `CreateUser`, and returns for each whether it did (`createPeople`). */
  readonly createPeople: (
    call: Call,
    organizationId: string,
    requests: readonly MessageShape<typeof UserService.method.createUser.input>[],
  ) => Promise<readonly boolean[]>;
}

/** An import that has yet to end. */
export interface Run {
  readonly perform: PerformEntry;
  /**
   * Calls a method with all rights of the caller. For the entries alone that are the instance's by nature, because no
   * owner of an organization makes them: the organization itself, its domain policy, and that the instance closed it.
   */
  readonly performForInstance: Perform;
  /** The same as `perform`, also when the time is over: for closing what an entry has made, or removing it. */
  readonly performToEnd: PerformEntry;
  /** The same as `perform`, for a request that was counted before it was left to be performed by itself. */
  readonly performCounted: PerformEntry;
  /** Creates people of one organization together, and returns what became of each. */
  readonly createTogether: (people: readonly NewPerson[]) => Promise<readonly Together[]>;
  /** Ids that entries have here where they are not chosen by their creator. */
  readonly ids: NewIds;
  /** Whose the users are to whom the data gives roles and positions. */
  readonly users: MeantUsers;
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

/** Starts an import of organizations; its calls throw `TimeIsOver` as those of `createPerform` do. */
export function startRun(deps: ImportDeps, call: Call, endsAt: Instant, organizations: readonly ListedUsers[]): Run {
  const { texts, performTogether, createPeople } = deps;
  const refuseIfOver = createTimer(deps, call, endsAt);
  const callOther = createCallOther(deps, call, endsAt);
  const callToEnd = createCallOther(deps, call);
  const perform: PerformEntry = (method, request, organizationId) =>
    callOther({ method, request, as: "organization", organizationId });
  return {
    createTogether: async (people) => {
      refuseIfOver();
      const [first] = people;
      if (first === undefined) return [];
      const { method } = UserService;
      const others = { method: method.createUser, requests: people.map(toPerson), organizationId: first.orgId };
      return performTogether(call, others, (admitted, requests) => createPeople(admitted, first.orgId, requests));
    },
    performCounted: (method, request, organizationId) =>
      callOther({ method, request, as: "organization", organizationId, isCounted: true }),
    performToEnd: (method, request, organizationId) =>
      callToEnd({ method, request, as: "organization", organizationId }),
    ids: new NewIds(),
    users: findMeantUsers(organizations, perform),
    perform,
    performForInstance: createPerform(deps, call, endsAt),
    refuse: (slug) => {
      const message = texts.translate(call.language, `fault.${slug}`);
      throw new EntryRefused({ id: slug, message, isExisting: slug === "request.already_exists" });
    },
  };
}

/** Creates what throws `TimeIsOver` from then on, and once the caller is gone. */
function createTimer({ clock }: Pick<DataDeps, "clock">, call: Call, endsAt: Instant | undefined): () => void {
  const gone = endsAt === undefined ? undefined : call.gone?.();
  return () => {
    if ((endsAt !== undefined && clock() >= endsAt) || gone?.aborted === true) throw new TimeIsOver();
  };
}

function createCallOther({ clock, performOther }: DataDeps, call: Call, endsAt?: Instant) {
  const refuseIfOver = createTimer({ clock }, call, endsAt);
  return async <Method extends DescMethodUnary>(other: OtherCall<Method>): Promise<MessageShape<Method["output"]>> => {
    refuseIfOver();
    const answer = await performOther(call, other);
    if ("refusal" in answer) throw new EntryRefused(answer.refusal);
    return answer.response;
  };
}
