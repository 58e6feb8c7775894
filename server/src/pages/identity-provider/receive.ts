import { mayPrepareFor } from "../../domain/administrator-access/index.ts";
import { type ProviderAnswer, receiveAnswer } from "../../domain/identity-provider-intent/index.ts";
import type { WebResponse } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { showError } from "../visit/show-error.ts";
import type { Visit } from "../visit/visit.ts";
import { answerBrowser } from "./answer-browser.ts";

/** Explains an answer that is not one of a provider. */
export const invalidAnswer = (deps: PageDeps, visit: Visit): Promise<WebResponse> =>
  showError(deps, visit, { error: "request_invalid" });

/** Processes what a browser returned with from a provider, and continues what the attempt is for. */
export async function receive(
  deps: PageDeps,
  visit: Visit,
  state: string,
  said: ProviderAnswer["said"],
): Promise<WebResponse> {
  const browserHash = visit.isKnown ? visit.browser.hash : undefined;
  const { instance, path: requestPath } = visit.request;
  const path = typeof said === "object" && "header" in said ? undefined : requestPath;
  const outcome = await receiveAnswer({ ...deps, mayPrepareFor }, visit.call, {
    state,
    browserHash,
    origin: instance.origin,
    path,
    said,
  });
  return answerBrowser(deps, visit, outcome);
}
