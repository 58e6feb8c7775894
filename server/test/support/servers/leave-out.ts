import type { TestServer } from "./server.ts";

/** Takes the implementation of a method from a server, as if it were declared in the contract and not built. */
export function leaveOut({ app }: TestServer, name: string): void {
  const method = app.methods.get(name);
  if (method === undefined) throw new Error(`the contract has no method ${name}`);
  Object.assign(method, { loadImplementation: async () => undefined });
}
