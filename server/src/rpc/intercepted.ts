import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import type { Call } from "../call/index.ts";
import type { Accept, Interception, JsonMessage, ShownMessage } from "../extension/index.ts";
import { createConcealment } from "./conceal.ts";
import { areLedElsewhere } from "./secret-destinations.ts";

/**
 * Runs an operation with its targets. Their changes to the request are checked like the request itself (access and
 * rules), and have only the caller's permissions. Their changes to the response must form a valid response.
 */
export async function performIntercepted(
  interception: Interception,
  { input, output }: DescMethodUnary,
  given: {
    readonly request: Message;
    readonly check: (request: Message) => void;
    /** Returns the call for the operation, once the targets are done with the request. */
    readonly callAfterTargets: (request: Message) => Promise<Call>;
    /** Runs the operation, when its turn comes. */
    readonly perform: (call: Call, request: Message) => Promise<Message>;
  },
): Promise<Message> {
  const request = expose(input, given.request, given.check);
  await interception.request?.(request.show(), request.accept);
  const call = await given.callAfterTargets(request.current());
  const response = expose(output, await given.perform(call, request.current()), () => {});
  await interception.response?.(request.show(), response.show(), response.accept);
  return response.current();
}

interface Exposed {
  /** Returns the message as targets left it. */
  current(): Message;
  show(): ShownMessage;
  readonly accept: Accept;
}

/** Shows a message to targets, and takes what they make of it when `check` does not throw. */
function expose(descriptor: DescMessage, message: Message, check: (message: Message) => void): Exposed {
  const concealment = createConcealment(descriptor);
  let current = message;
  const toMessage = (json: JsonMessage): Message =>
    fromJson(descriptor, json as JsonValue, { ignoreUnknownFields: true });
  const show = (): ShownMessage => {
    const clear = toJson(descriptor, current) as JsonMessage;
    return { clear, concealed: concealment.conceal(clear) };
  };
  return {
    current: () => current,
    show,
    accept: (rewritten, wasConcealed) => {
      let changed = toMessage(rewritten);
      // In canonical form, because a target may spell the names of fields in more than one way.
      if (wasConcealed) {
        const concealed = toJson(descriptor, changed) as JsonMessage;
        const clear = concealment.reveal(concealed);
        const isRevealed = JSON.stringify(clear) !== JSON.stringify(concealed);
        if (isRevealed && areLedElsewhere(descriptor, toJson(descriptor, current) as JsonMessage, concealed)) {
          throw new Error("a secret that was concealed would be sent elsewhere");
        }
        changed = toMessage(clear);
      }
      check(changed);
      current = changed;
      return show();
    },
  };
}
