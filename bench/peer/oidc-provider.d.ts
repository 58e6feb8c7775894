// The package brings no types; these are the parts that the bench uses.
declare module "oidc-provider" {
  import type { Server } from "node:http";

  export interface Context {
    readonly method: string;
    readonly path: string;
    readonly req: import("node:http").IncomingMessage;
    body: unknown;
  }

  export interface Model {
    save(ttlSeconds?: number): Promise<string>;
  }

  export interface Grant extends Model {
    addOIDCScope(scope: string): void;
  }

  // biome-ignore lint/style/noDefaultExport: the package has it so.
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (
      properties: object,
    ) => Grant;
    readonly AuthorizationCode: new (
      properties: object,
    ) => Model;
    readonly Client: { find(clientId: string): Promise<unknown> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: string, listener: (...parameters: unknown[]) => void): void;
    listen(port: number, host: string): Server;
  }
}

declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  // An import declaration with a relative path is not resolved inside of a module declaration.
  const MemoryAdapter: new (model: string, store: object) => ReturnType<import("./adapter.ts").AdapterFactory>;
  // biome-ignore lint/style/noDefaultExport: the package has it so.
  export default MemoryAdapter;
}

declare module "oidc-provider/lib/helpers/lru.js" {
  // biome-ignore lint/style/noDefaultExport: the package has it so.
  export default class LRU {
    constructor(options: { maxSize: number });
  }
}
