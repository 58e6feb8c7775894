import { randomBytes } from "node:crypto";
import { basic } from "../load/request.ts";
import type { CodeClient } from "../scenario/code-exchange.ts";

/** What the scenarios need to know of a peer. */
export interface PeerSeed {
  readonly client: CodeClient;
  readonly api: { readonly basic: string };
  readonly machine: { readonly basic: string };
}

/** What the peer's server is configured with: the clients in the words of its own metadata. */
export interface PeerClients {
  readonly web: ClientMetadata;
  readonly api: ClientMetadata;
  readonly machine: ClientMetadata;
}

interface ClientMetadata {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uris: readonly string[];
  readonly response_types: readonly string[];
  readonly grant_types: readonly string[];
  readonly scope?: string;
}

export function newPeerClients(): PeerClients {
  const client_secret = randomBytes(32).toString("base64url");
  const none = { redirect_uris: [], response_types: [] };
  return {
    web: {
      client_id: "web",
      client_secret,
      redirect_uris: ["https://app.example/callback"],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
    },
    api: { client_id: "api", client_secret, ...none, grant_types: [] },
    machine: { client_id: "machine", client_secret, ...none, grant_types: ["client_credentials"], scope: "api" },
  };
}

export function toPeerSeed({ web, api, machine }: PeerClients): PeerSeed {
  const basicOf = ({ client_id, client_secret }: ClientMetadata): string => basic(client_id, client_secret);
  return {
    client: { clientId: web.client_id, redirectUri: web.redirect_uris[0] ?? "", basic: basicOf(web) },
    api: { basic: basicOf(api) },
    machine: { basic: basicOf(machine) },
  };
}
