// `npm run bench:neighbours`: what a well-behaved tenant notices while another one floods. See README.md.
import { fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Connection } from "../load/connection.ts";
import { type RequestParts, writeRequest } from "../load/request.ts";
import { createApi } from "../product/api.ts";
import { startProduct } from "../product/start-product.ts";
import type { FloodOrder, FloodResult } from "./flood.ts";
import { makeTenants } from "./tenants.ts";

const { values } = parseArgs({
  options: {
    baseline: { type: "string" },
    connections: { type: "string", default: "8" },
    seconds: { type: "string", default: "4" },
    floods: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});
const target = 3;
const pause = 3;

const silent = createSocket("udp4").bind(0, "127.0.0.1");
await once(silent, "listening");
const product = await startProduct({
  checkout: values.baseline,
  environment: {
    DOORWARD_DNS_SERVERS: `127.0.0.1:${silent.address().port}`,
    // The limits of a server without settings.
    DOORWARD_RATE_LIMIT_AUTHORIZATION: "",
    DOORWARD_RATE_LIMIT_TOKEN: "",
    DOORWARD_RATE_LIMIT_INTROSPECTION: "",
    DOORWARD_RATE_LIMIT_LOGIN: "",
    DOORWARD_RATE_LIMIT_KEYS: "",
  },
});
try {
  const { port, origin, ownerToken } = product;
  const open = { dynamicClientRegistration: { enabled: true, allowUnauthenticated: true } };
  await createApi(origin, ownerToken)("/service.settings.v2.SettingsService/SetSecuritySettings", open);
  const { measured, floods } = await makeTenants(origin, ownerToken);
  const wanted = Object.entries(floods).filter(([name]) => values.floods === undefined || name.includes(values.floods));
  for (const call of Object.values(measured)) await measure(port, call, 1);
  console.log("| flood | answers a second | call | quiet p99, ms | p99, ms | times |\n|---|---|---|---|---|---|");
  for (const [flood, request] of wanted) {
    for (const [name, call] of Object.entries(measured)) {
      const rounds = [];
      for (let round = 0; round < Number(values.rounds); round++) rounds.push(await compare(port, request, call));
      const { quiet, loud, answers } = rounds.toSorted((a, b) => a.loud / a.quiet - b.loud / b.quiet)[0] as Compared;
      const ratio = loud / quiet;
      const shown = Object.entries(answers).map(([status, rate]) => `${rate.toFixed(0)} × ${status}`);
      console.log(
        `| ${flood} | ${shown.join(", ")} | ${name} | ${quiet.toFixed(1)} | ${loud.toFixed(1)} | ${ratio.toFixed(1)}${ratio > target ? " MISS" : ""} |`,
      );
    }
  }
} finally {
  await product.stop();
  silent.close();
}

interface Compared {
  readonly quiet: number;
  readonly loud: number;
  readonly answers: FloodResult;
}

/** The best of the rounds counts, because the machine has other work. */
async function compare(port: number, flood: RequestParts, call: RequestParts): Promise<Compared> {
  const seconds = Number(values.seconds);
  const quiet = await measure(port, call, seconds);
  const child = fork(new URL("./flood.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send({ port, connections: Number(values.connections), request: flood } satisfies FloodOrder);
  await sleep(500);
  const began = performance.now();
  const loud = await measure(port, call, seconds);
  const answered = once(child, "message");
  child.send("stop");
  const [counts] = (await answered) as [FloodResult];
  const lasted = (performance.now() - began + 500) / 1000;
  await sleep(500);
  const answers = Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, count / lasted]));
  return { quiet, loud, answers };
}

/** Returns the 99th percentile of calls one after another, in milliseconds. */
async function measure(port: number, call: RequestParts, seconds: number): Promise<number> {
  const connection = new Connection(port);
  const bytes = writeRequest(`localhost:${port}`, call);
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const sentAt = performance.now();
    const { status, body } = await connection.send(bytes);
    times.push(performance.now() - sentAt);
    if (status >= 300) throw new Error(`${call.path} answers ${status}: ${body}`);
    await sleep(pause);
  }
  connection.close();
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
