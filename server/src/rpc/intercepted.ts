import { create, fromJson, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import type { Call } from "../call/index.ts";
import type { Interception, JsonMessage } from "../extension/index.ts";
import type { Implementation } from "./registry.ts";

/**
 * Runs an operation with its targets. Their changes to the request are checked like the request itself (access and
 * rules), and have only the caller's permissions. Their changes to the response must form a valid response.
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
