import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ports that systems assign to sockets without a port of their own, so that no connection and no other server
// gets one.
const first = 12_000;
const blockSize = 64;
const blockCount = 320;

let block: Promise<number> | undefined;
let taken = 0;

/**
 * A port that nothing listens on, for a server that has to know its port before it starts: its issuer names it. This
 * process never gets it again, and others that ask here do not get it while this one lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const offset = taken++ % blockSize;
    block = offset === 0 || block === undefined ? claimBlock() : block;
    const port = (await block) + offset;
    if (await isFree(port)) return port;
  }
}

// A UDP socket on the first number of the block stands for the whole of it: the system closes it with the process,
// however that ends.
async function claimBlock(): Promise<number> {
  const start = randomInt(blockCount);
  for (let tried = 0; tried < blockCount; tried++) {
    const port = first + ((start + tried) % blockCount) * blockSize;
    const claim = createSocket("udp4").unref();
    claim.bind({ port, address: "127.0.0.1", exclusive: true });
    try {
      await once(claim, "listening");
      return port;
    } catch {
      claim.close();
    }
  }
  throw new Error("other processes have claimed all ports for tests");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
