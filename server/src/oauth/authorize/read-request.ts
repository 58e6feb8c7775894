import { OAuthError } from "../../base/oauth-error.ts";
import type { WebRequest } from "../../web/index.ts";
import { parseForm, parseParameters, RepeatedParameter } from "../parameters.ts";
import { repeatableResource } from "../read-resources.ts";
import type { BroughtRequest } from "./asked.ts";

const byBrowser = { referenceHash: undefined, isScopeFromClient: false, isHintFromClient: false };

/** Returns what the browser sent: the parameters that have exactly one value, and why others are left out. */
export function readRequest({ method, header, body, query }: WebRequest): BroughtRequest {
  try {
    const parameters =
      method === "POST"
        ? parseForm(header("content-type"), body, repeatableResource)
        : parseParameters(query, repeatableResource);
    return { ...byBrowser, parameters, refused: undefined };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const parameters = error instanceof RepeatedParameter ? error.others : new Map<string, string>();
    return { ...byBrowser, parameters, refused: error };
  }
}
