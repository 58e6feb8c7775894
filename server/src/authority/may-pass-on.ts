import type { Client } from "../domain/application/index.ts";
import type { AuthorityContext } from "./context.ts";
import { isForeign } from "./is-foreign.ts";

/** The client that a token was given to, and its project. */
export interface GivenTo {
  readonly clientId: string;
  readonly projectId?: string | undefined;
}

/**
 * Whether a client may use a user's token that was issued to another client. A client may use its own tokens, those of
 * its project, and any if the user's organization trusts the client's. A client that needs the user's consent may use
 * only its own.
 */
export async function mayPassOn(
  context: Pick<AuthorityContext, "reader" | "instance" | "consent">,
  { client, userId, given }: { readonly client: Client; readonly userId: string; readonly given: readonly GivenTo[] },
): Promise<boolean> {
  if (sharesToken(client, given)) return true;
  return !client.isConsentRequired && !(await isForeign(context, { client, userId }));
}

/** Whether a token is the client's own, or one of its project that its users need not let in one by one. */
export const sharesToken = (client: Client, given: readonly GivenTo[]): boolean =>
  given.some(({ clientId }) => clientId === client.clientId) ||
  (!client.isConsentRequired && given.some(({ projectId }) => projectId === client.projectId));
