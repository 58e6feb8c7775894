import type { Call } from "../../call/index.ts";
import type { WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import type { IncomingCall } from "../admit.ts";
import { answerCaller, type RestDeps } from "../rest/answer.ts";

/** Largest size of a form around its file, in bytes. */
export const formAround = 16 * 1024;

interface FileRoute extends Pick<WebRoute, "methods" | "path" | "bodyLimit"> {
  admit(incoming: IncomingCall): Promise<Call>;
  answer(call: Call, request: WebRequest, bytes: Uint8Array): Promise<WebResponse>;
}

/** Creates a route with the refusals of REST, whose body is read once the caller is known. */
export const route = (deps: RestDeps, { admit, answer, ...rest }: FileRoute): WebRoute => ({
  ...rest,
  protocol: "rest",
  isOpenToOrigins: true,
  readsBodyLate: true,
  handler: (request) =>
    answerCaller(deps, request, {
      admit,
      read: async () => (await request.lateBody?.bytes()) ?? new Uint8Array(),
      answer: (call, bytes) => answer(call, request, bytes),
    }),
});
