import type { Tx } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { noteSessionClient, type Session } from "../../domain/session/index.ts";

/** Step of answering an authorization request, or a device: a client that wants to be told of logouts is one of the session from now on. */
export function noteSignedInClient(tx: Tx, client: Client, { sessionId }: Pick<Session, "sessionId">): void {
  if (client.backChannelLogoutUri !== "") noteSessionClient(tx, { sessionId, clientId: client.clientId });
}
