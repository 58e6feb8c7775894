import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Clock, Instant } from "../../../../base/clock.ts";
import type { Call } from "../../../../call/index.ts";
import type { Texts } from "../../../../text/index.ts";
import type { OtherRefusal, PerformOther } from "../../../contract/index.ts";

/** What imports and exports need. */
export interface DataDeps {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly performOther: PerformOther;
}

/** Calls a method in the organization of an entry; throws `EntryRefused`. */
export type Perform = <Method extends DescMethodUnary>(
  method: Method,
  request: MessageInitShape<Method["input"]>,
  organizationId?: string,
) => Promise<MessageShape<Method["output"]>>;

/** A run through organizations that has yet to end. */
export interface Run {
  readonly perform: Perform;
  /** Ids that entries have here, by the ids that the data has for them: they are not chosen by their creator. */
  readonly ids: Map<string, string>;
  /** Refuses an entry in the language of the caller. */
  refuse(slug: string): never;
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

/** Starts a run; `perform` throws `TimeIsOver` from `endsAt` on, and once the caller is gone. */
export function startRun({ clock, texts, performOther }: DataDeps, call: Call, endsAt: Instant): Run {
  const gone = call.gone?.();
  return {
    ids: new Map(),
    perform: async (method, request, organizationId) => {
      if (clock() >= endsAt || gone?.aborted === true) throw new TimeIsOver();
      const answer = await performOther(call, { method, request, organizationId });
      if ("refusal" in answer) throw new EntryRefused(answer.refusal);
      return answer.response;
    },
    refuse: (slug) => {
      const message = texts.translate(call.language, `fault.${slug}`);
      throw new EntryRefused({ id: slug, message, isExisting: slug === "request.already_exists" });
    },
  };
}
