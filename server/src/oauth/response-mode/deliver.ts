import type { FormPost, WebRequest, WebResponse } from "../../web/index.ts";
import { type AuthorizationResponse, redirect, responseUrl } from "./authorization-response.ts";

export interface DeliverDeps {
  /** Renders a form that the browser posts to the client, by script or by a button. */
  readonly renderFormPost: (request: WebRequest, form: FormPost) => Promise<WebResponse>;
}

/** Sends a response through the browser to the client, in the mode of the request. */
export async function deliver(
  deps: DeliverDeps,
  request: WebRequest,
  response: AuthorizationResponse,
): Promise<WebResponse> {
  const { redirectUri: target, responseMode, parameters, uiLocales = [] } = response;
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
