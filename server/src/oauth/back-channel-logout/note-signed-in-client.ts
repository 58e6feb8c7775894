import type { Tx } from "../../database/index.ts";
import type { Client } from "../../domain/application/index.ts";
import { noteSessionClient, type Session } from "../../domain/session/index.ts";

/** Adds a client with back-channel logout to the session. Part of answering an authorization request, or a device. */
export function noteSignedInClient(tx: Tx, client: Client, { sessionId }: Pick<Session, "sessionId">): void {
  if (client.backChannelLogoutUri !== "") noteSessionClient(tx, { sessionId, clientId: client.clientId });
}
