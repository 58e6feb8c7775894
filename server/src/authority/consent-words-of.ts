import type { Client } from "../domain/application/index.ts";
import type { AuthRequestParameters } from "../domain/auth-request/index.ts";
import { consentWords } from "./consent-words.ts";
import type { AuthorityContext } from "./context.ts";
import { findResources } from "./resources.ts";

/** Returns what a user permits by letting the client have the request, as words to store and compare. */
export async function consentWordsOf(
  { reader, instance }: AuthorityContext,
  client: Pick<Client, "organizationId">,
  request: Pick<AuthRequestParameters, "scope" | "claims" | "resources">,
): Promise<string[]> {
  const registered = await findResources(
    reader,
    { organizationId: client.organizationId },
    request.resources ?? [],
    instance,
  );
  return consentWords(request, registered);
}
