import type { Database } from "../../database/index.ts";
import { answerTest } from "../../domain/test-sign-in/index.ts";
import type { FormPost, WebRequest, WebResponse } from "../../web/index.ts";
import { type AuthorizationResponse, redirect, responseUrl } from "./authorization-response.ts";

export interface DeliverDeps {
  readonly database: Database;
  /** Renders a form that the browser posts to the client, by script or by a button. */
  readonly renderFormPost: (request: WebRequest, form: FormPost) => Promise<WebResponse>;
}

/** Sends a response through the browser to the client, in the mode of the request. */
export async function deliver(
  deps: DeliverDeps,
  request: WebRequest,
  response: AuthorizationResponse,
): Promise<WebResponse> {
  const { redirectUri: target, responseMode, parameters, uiLocales = [], testId } = response;
  if (testId !== undefined) return endTest(deps, request, { target, parameters, testId });
  switch (responseMode) {
    case "query":
    case "fragment":
      return redirect(responseUrl({ ...response, responseMode }));
    case "form_post":
      return deps.renderFormPost(request, { target, parameters, uiLocales });
    default:
      return responseMode satisfies never;
  }
}

/** Ends a sign-in that tries an application: the address gets nothing, and an error is kept for the administrator. */
async function endTest(
  { database }: DeliverDeps,
  { call }: WebRequest,
  {
    target,
    parameters,
    testId,
  }: Pick<AuthorizationResponse, "parameters"> & { readonly target: string; readonly testId: string },
): Promise<WebResponse> {
  const { error, error_description: description = "" } = parameters;
  if (error !== undefined) {
    const answer = { kind: "failed", error, description, reference: call.requestId } as const;
    await database.touch(call, (tx) => answerTest(tx, testId, answer));
  }
  return redirect(target);
}
