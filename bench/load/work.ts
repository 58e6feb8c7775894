import type { Answer, Connection } from "./connection.ts";

/**
 * What the connections of a run do, one request after another. `next` gives the request of a connection, knowing the
 * answer to its last; undefined ends it.
 */
export interface Work {
  next(connection: number, last: Answer | undefined): Buffer | string | undefined;
  /** Whether an answer is what the scenario is about; one that is not stops the run. */
  isGood(answer: Answer): boolean;
  /** Requests that make one operation, when it is more than one (the whole flow). */
  readonly requestsPerOperation?: number;
}

/** Things that can be sent while a run is prepared. */
export interface Preparation {
  readonly connections: number;
  /** Most operations that a run of the wanted length could need. */
  readonly operations: number;
  /** Sends a request outside the timed part. Throws when it is refused, unless that is wanted. */
  send(request: string, isGood?: Work["isGood"]): Promise<Answer>;
  /** Does something many times, a few at once. */
  many<Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]>;
}

/** A request that is the same each time. */
export function same(request: string, isGood: Work["isGood"] = isOk): Work {
  const bytes = Buffer.from(request);
  return { next: () => bytes, isGood };
}

/** Requests in turn, over and over. */
export function ring(requests: readonly string[], isGood: Work["isGood"] = isOk): Work {
  const bytes = requests.map((request) => Buffer.from(request));
  let index = 0;
  return { next: () => bytes[index++ % bytes.length], isGood };
}

/** Requests that are good once. */
export function once(requests: readonly string[], isGood: Work["isGood"] = isOk): Work {
  let index = 0;
  return { next: () => requests[index++], isGood };
}

export const isOk = ({ status }: Answer): boolean => status === 200;

export const has =
  (text: string) =>
  ({ status, body }: Answer): boolean =>
    status < 300 && body.includes(text);

/** Uses some connections to prepare a run. */
export function createPreparation(
  connections: readonly Connection[],
  counts: { readonly connections: number; readonly operations: number },
): Preparation {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  const take = (): Connection | Promise<Connection> => free.pop() ?? new Promise((resolve) => waiting.push(resolve));
  const give = (connection: Connection): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  };
  return {
    ...counts,
    send: async (request, isGood = ({ status }) => status < 400) => {
      const connection = await take();
      try {
        const answer = await connection.send(request);
        if (!isGood(answer)) throw new Error(`${request.slice(0, 200)}\n${answer.status} ${answer.body}`);
        return answer;
      } finally {
        give(connection);
      }
    },
    many: (count, make) => Promise.all(Array.from({ length: count }, (_each, index) => make(index))),
  };
}
