import { isRecord, parseJson } from "../../base/json.ts";
import type { Connect } from "../../base/outbound/index.ts";
import { parseMailHost } from "../../base/smtp/index.ts";
import type { Reader } from "../../database/index.ts";
import { listActiveMailServerRows } from "./active-mail-server.store.ts";

/** An active mail server that the rules for outbound connections keep from being reached. */
export interface ClosedMailServer {
  readonly instanceId: string;
  /** With its port. */
  readonly host: string;
}

/**
 * Finds active mail servers in private networks, or at ports that are not those of mail, that the operator has not
 * allowed. Reads now; names are resolved by the returned function, which may take as long as name servers do.
 */
export async function findClosedMailServers(
  read: Reader,
  connect: Pick<Connect, "judge">,
): Promise<() => Promise<ClosedMailServer[]>> {
  const servers = (await listActiveMailServerRows(read)).flatMap(({ instanceId, configuration }) => {
    const stored = parseJson(configuration);
    const host = isRecord(stored) && typeof stored["host"] === "string" ? stored["host"] : "";
    const at = parseMailHost(host);
    return at === undefined ? [] : [{ instanceId, host, at }];
  });
  return async () => {
    const closed: ClosedMailServer[] = [];
    for (const { instanceId, host, at } of servers) {
      if ((await connect.judge(at)) === "closed") closed.push({ instanceId, host });
    }
    return closed;
  };
}
