import { describe, type TestContext } from "node:test";
import { onPostgres } from "../databases/databases.ts";
import { type FormAnswer, type OidcServer, sendForm, startOidcServer } from "../oidc/oidc.ts";
import { type ServerOptions, startServer, type TestServer } from "./server.ts";

/** One process of a cluster. */
export interface ServerNode extends TestServer {
  form(
    path: string,
    parameters: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<FormAnswer>;
}

/** Servers on one database behind one issuer; what is made for a test is made on the first. */
export interface Cluster {
  readonly first: OidcServer;
  readonly nodes: readonly [ServerNode, ...ServerNode[]];
  /** The node that least shares with the first: the first itself when it is alone. */
  readonly other: ServerNode;
}

/** What servers of a cluster can differ in from others. */
type ClusterOptions = Pick<ServerOptions, "consoleDirectory" | "config">;

export type StartCluster = (t: TestContext, options?: ClusterOptions) => Promise<Cluster>;

/** Makes one suite for each way to run: SQLite, PostgreSQL with one node, PostgreSQL with two. */
export function eachTopology(suite: (start: StartCluster, name: string) => void): void {
  describe("sqlite", () => suite((t, options) => startCluster(t, "sqlite", 1, options), "sqlite"));
  onPostgres(() => {
    describe("one node", () => suite((t, options) => startCluster(t, "postgres", 1, options), "postgres, one node"));
    describe("two nodes", () => suite((t, options) => startCluster(t, "postgres", 2, options), "postgres, two nodes"));
  });
}

/** Starts so many servers on one new database. */
export async function startCluster(
  t: TestContext,
  engine: "sqlite" | "postgres",
  count: number,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const first = await startOidcServer(t, { ...options, engine });
  const { location, ownerToken, origin } = first;
  const nodes: [ServerNode, ...ServerNode[]] = [first];
  while (nodes.length < count) {
    const config = { ...options.config, baseUrl: origin };
    const node = await startServer(t, { ...options, location, ownerToken, config });
    nodes.push({ ...node, form: (...request) => sendForm(node.origin, ...request) });
  }
  return { first, nodes, other: nodes.at(-1) ?? first };
}

/** Calls so many times at once, on the nodes in turn. */
export function race<Answer>(
  count: number,
  { nodes }: Cluster,
  call: (node: ServerNode, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const gate = Promise.withResolvers<void>();
  const runs = Array.from({ length: count }, (_, index) =>
    gate.promise.then(() => call(nodes[index % nodes.length] ?? nodes[0], index)),
  );
  gate.resolve();
  return Promise.all(runs);
}
