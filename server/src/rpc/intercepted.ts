import { create, fromJson, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import type { Call } from "../call/index.ts";
import type { Interception, JsonMessage } from "../extension/index.ts";
import type { Implementation } from "./registry.ts";

/**
 * Runs an operation with the targets around it. What they make of the request is checked like the request was (access and rules), and runs with
 * the rights of the caller; what they make of the answer must be such an answer.
 */
export async function performIntercepted(
  interception: Interception,
  { descriptor, handler }: Implementation,
  given: { readonly call: Call; readonly request: Message; readonly check: (request: Message) => void },
): Promise<Message> {
  const { input, output } = descriptor;
  let { request } = given;
  await interception.request?.(toJson(input, request) as JsonMessage, (rewritten) => {
    const message = fromJson(input, rewritten as JsonValue, { ignoreUnknownFields: true });
    given.check(message);
    request = message;
  });
  let response: Message = create(output, await handler(given.call, request));
  await interception.response?.(
    toJson(input, request) as JsonMessage,
    toJson(output, response) as JsonMessage,
    (rewritten) => {
      response = fromJson(output, rewritten as JsonValue, { ignoreUnknownFields: true });
    },
  );
  return response;
}
