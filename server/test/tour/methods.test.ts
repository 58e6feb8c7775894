import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebRoute } from "../../src/web/index.ts";
import { isLong } from "../support/data/random.ts";
import { type RawAnswer, RawConnection, rawRequest } from "../support/http/raw-http.ts";
import { startServer } from "../support/servers/server.ts";
import { demandContract } from "./support/contract.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "MOVE"];

// Everything that is not a method of the API (one function makes all of its routes), and a sample of those.
const sampling = isLong() ? 1 : 40;

/**
 * Paths with the methods that each answers: its own, and those of others that mean it as well (`/idps/:id` and
 * `/idps/gitlab`).
 */
function pathsOf(routes: readonly WebRoute[]): Map<string, { protocol: WebRoute["protocol"]; allowed: Set<string> }> {
  const patterns = routes.map(({ path, methods: its }) => ({
    // A verb (`_search`) is never taken for the id that other routes have there.
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "(?!_)[^/]+").replaceAll("*", ".*")}$`),
    its,
  }));
  const found = new Map<string, { protocol: WebRoute["protocol"]; allowed: Set<string> }>();
  for (const { path, protocol } of routes) {
    const means = patterns.filter(({ pattern }) => pattern.test(concrete(path)));
    found.set(path, { protocol, allowed: new Set(means.flatMap(({ its }) => its)) });
  }
  return found;
}

const concrete = (path: string): string => path.replace(/:\w+|\*/g, "1");

/** What differs from one request to the next. */
const varying = new Set(["date", "x-request-id", "set-cookie", "dpop-nonce", "connection", "keep-alive"]);

const steady = ({ headers }: RawAnswer): [string, string][] => [...headers].filter(([name]) => !varying.has(name));

test("every path answers every method as the standard says, and keeps the contract with callers that ask wrongly (G14)", async (t) => {
  const server = await startServer(t);
  let connection = await RawConnection.open(server.port);
  t.after(() => connection.close());
  const ask = async (method: string, path: string): Promise<RawAnswer> => {
    if (connection.isClosed) connection = await RawConnection.open(server.port);
    connection.send(rawRequest({ method, path, ...(method === "POST" && { body: "" }) }));
    const answer = await connection.answer({ method });
    assert.ok(answer, `${method} ${path}: no answer`);
    if (answer.headers.get("connection") === "close") connection.close();
    return answer;
  };
  const faults: string[] = [];
  const demand = (isGood: boolean, what: string): void => void (isGood || faults.push(what));
  let count = 0;
  for (const [pattern, { protocol, allowed }] of pathsOf(server.app.routes)) {
    if (protocol === "rest" && count++ % sampling !== 0) continue;
    // Metrics change with each request, and the API reference is made from the whole contract, which takes a while.
    if (pattern.startsWith("/docs") || pattern === "/debug/metrics") continue;
    const path = concrete(pattern);
    const got = allowed.has("GET") ? await ask("GET", path) : undefined;
    for (const method of methods) {
      const answer = await ask(method, path);
      const { status, headers, body } = answer;
      const where = `${method} ${pattern} ${status}`;
      demand(status < 500 || status === 501, where);
      demand(headers.has("x-request-id"), `${where}: no reference`);
      demand(!headers.has("server") && !headers.has("x-powered-by"), `${where}: says what it is`);
      demand(
        status === 204 || headers.get("x-content-type-options") === "nosniff" || status < 400,
        `${where}: sniffed`,
      );
      if (method === "HEAD" && got !== undefined) {
        demand(status === got.status && body === "", `${where}: GET answers ${got.status}`);
        const [head, full] = [JSON.stringify(steady(answer)), JSON.stringify(steady(got))];
        demand(head === full, `${where}: ${head} and not ${full}`);
      } else if (!allowed.has(method) && !(method === "OPTIONS" && status === 204)) {
        demand(status === 405, `${where}: is no method of it`);
        const named = headers.get("allow")?.split(", ") ?? [];
        demand(
          [...allowed].every((one) => named.includes(one)),
          `${where}: allows ${named.join()}`,
        );
      }
      if (protocol === "page" && headers.get("content-type")?.startsWith("text/html") === true) {
        const at = { server, provider: { issuer: "https://none.example" } };
        faults.push(...demandContract(at, { method, address: path, status, headers: new Headers([...headers]), body }));
      }
    }
  }
  assert.deepEqual(faults, []);
});
