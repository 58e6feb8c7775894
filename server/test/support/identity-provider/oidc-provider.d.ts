// The package brings no types; these are the parts that tests use.
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export interface Context {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    respond: boolean;
    readonly oidc: { readonly client: { readonly clientId: string }; readonly account: { readonly accountId: string } };
  }

  // biome-ignore lint/style/noDefaultExport: the package has it so.
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (
      properties: object,
    ) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    callback(): RequestListener;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...parameters: unknown[]) => void): void;
  }
}
