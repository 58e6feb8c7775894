import type { WebRequest, WebResponse } from "../../web/index.ts";
import { type AuthorizationResponse, redirect, responseUrl } from "./authorization-response.ts";

/** A form that the browser sends on to a client. */
export interface FormPost {
  /** Redirect URI of the client, proven to be its own. */
  readonly target: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Languages that the request asked for, best first. */
  readonly uiLocales: readonly string[];
}

export interface DeliverDeps {
  /** Words a form that the browser posts on to the client, by script or by the press of a button. */
  readonly renderFormPost: (request: WebRequest, form: FormPost) => Promise<WebResponse>;
}

/** Hands an answer to the browser that takes it to the client, in the mode of the request. */
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
