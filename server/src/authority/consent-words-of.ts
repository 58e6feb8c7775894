import type { Client } from "../domain/application/index.ts";
import type { AuthRequestParameters } from "../domain/auth-request/index.ts";
import { consentWords } from "./consent-words.ts";
import type { AuthorityContext } from "./context.ts";
import { requestedScope } from "./requested-scope.ts";
import { findResources } from "./resources.ts";

/**
 * Returns what a user permits by letting the client have the answer to the request, as words to store and compare. The
 * words are those of the client in hand: the caller that answers passes the same client to what makes the answer.
 */
export async function consentWordsOf(
  { reader, instance }: AuthorityContext,
  client: Pick<Client, "organizationId" | "saml">,
  request: Pick<AuthRequestParameters, "scope" | "claims" | "resources" | "saml">,
): Promise<string[]> {
  const registered = await findResources(
    reader,
    { organizationId: client.organizationId },
    request.resources ?? [],
    instance,
  );
  return consentWords({ ...request, scope: requestedScope(client, request) }, registered);
}
