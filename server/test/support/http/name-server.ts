import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import type { Ending } from "../databases/databases.ts";

/** A name server that a test runs on this machine. */
export interface NameServer {
  /** As `DOORWARD_DNS_SERVERS` names it. */
  readonly address: string;
  /** Names that were asked for, in order, each as often as it was. */
  readonly asked: string[];
}

const typeA = 1;

/**
 * Starts a name server (RFC 1035 §4). `answer` gives the IPv4 address of a name, `none` for a name that does not exist,
 * or `silence`.
 */
export async function startNameServer(
  t: Ending,
  answer: (name: string) => string | "none" | "silence",
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const end = query.indexOf(0, 12);
    const question = query.subarray(12, end + 5);
    const labels: string[] = [];
    for (let at = 12; at < end; at += 1 + (query[at] ?? 0))
      labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
    const name = labels.join(".").toLowerCase();
    asked.push(name);
    const said = answer(name);
    if (said === "silence") return;
    const isKnown = isIPv4(said) && query.readUInt16BE(end + 1) === typeA;
    const data = Buffer.from(said.split(".").map(Number));
    const record = Buffer.concat([Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]), data]);
    const flags = said === "none" ? [0x81, 0x83] : [0x81, 0x80];
    const header = Buffer.from([...query.subarray(0, 2), ...flags, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, question, ...(isKnown ? [record] : [])]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}
