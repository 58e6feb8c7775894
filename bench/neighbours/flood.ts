// A process that floods: apart from the one that measures, so that its own work delays no measured call.
import process from "node:process";
import { Connection } from "../load/connection.ts";
import { type RequestParts, writeRequest } from "../load/request.ts";

/** What is sent, over and over. `{n}` in any text is another number in each request, `{source}` another address. */
export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  readonly request: RequestParts;
}

/** How often each status was answered. */
export type FloodResult = Readonly<Record<string, number>>;

async function flood({ port, connections, request }: FloodOrder, isOver: () => boolean): Promise<FloodResult> {
  const template = JSON.stringify(request);
  const statuses: Record<string, number> = {};
  let number = 0;
  const next = (): string => {
    number++;
    const source = `203.0.${(number >> 8) % 256}.${number % 256}`;
    const parts = JSON.parse(template.replaceAll("{n}", String(number)).replaceAll("{source}", source));
    return writeRequest(`localhost:${port}`, parts as RequestParts);
  };
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = new Connection(port);
      while (!isOver()) {
        const { status } = await connection.send(next());
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      connection.close();
    }),
  );
  return statuses;
}

let isOver = false;
process.on("message", (message: FloodOrder | "stop") => {
  if (message === "stop") {
    isOver = true;
    return;
  }
  void flood(message, () => isOver).then((result) => process.send?.(result, () => process.disconnect?.()));
});
