import { findClosedMailServers } from "../domain/message-provider/index.ts";
import type { Domain } from "./domain.ts";

/**
 * Warns of active mail servers that the rules for outbound connections close: mail through them waits. Name servers are
 * not waited for.
 */
export async function warnOfClosedMailServers({ database, connect, log }: Domain): Promise<void> {
  const judge = await findClosedMailServers(database.read, connect);
  const warn = async (): Promise<void> => {
    for (const { instanceId, host } of await judge()) {
      const fix = "add the server, with its port where that is not a port of mail, to DOORWARD_OUTBOUND_ALLOW";
      log.warn({ instanceId, host, fix }, "an active mail server is not allowed, so its mail waits");
    }
  };
  void warn().catch((error: unknown) => log.warn({ err: error }, "the mail servers could not be checked"));
}
