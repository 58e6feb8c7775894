import type { Tx } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import { holdConsent } from "../../domain/consent/index.ts";
import { consentWords } from "../authorize/consent-words.ts";
import type { AuthorityContext } from "./context.ts";
import { needsConsent } from "./needs-consent.ts";

/**
 * Step: whether the user still lets the client have what an answered request asked for. Between the answer and the
 * first tokens (a code, an approved device) the user may have taken the access away, or the client may have changed
 * itself. The consent stays locked, so that it is not withdrawn beside the tokens that rest on it. True where no consent
 * is needed.
 */
export async function isStillConsented(
  tx: Tx,
  context: AuthorityContext,
  { client, userId }: { readonly client: Client; readonly userId: string },
  request: Pick<AuthRequestParameters, "scope" | "claims" | "resources">,
): Promise<boolean> {
  const { scope, resources = [] } = request;
  if (!(await needsConsent(context, client, { scope, resources }))) return true;
  const consent = await holdConsent(tx, { userId, clientId: client.clientId }, "share");
  return consentWords(request).every((word) => consent?.scopes.includes(word));
}
