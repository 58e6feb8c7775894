import { randomBytes } from "node:crypto";
import { basic } from "../load/request.ts";
import type { CodeClient } from "../scenario/code-exchange.ts";

/** What the scenarios need to know of a peer. */
export interface PeerSeed {
  readonly client: CodeClient;
  /** The same with id tokens by ES256. */
  readonly es256Client: CodeClient;
  readonly api: { readonly basic: string };
  readonly machine: { readonly basic: string };
}

/** What the peer's server is configured with: the clients in the words of its own metadata. */
export interface PeerClients {
  readonly web: ClientMetadata;
  readonly webEs256: ClientMetadata;
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
  readonly id_token_signed_response_alg?: string;
}

export function newPeerClients(): PeerClients {
  const client_secret = randomBytes(32).toString("base64url");
  const none = { redirect_uris: [], response_types: [] };
  const web = {
    client_id: "web",
    client_secret,
    redirect_uris: ["https://app.example/callback"],
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token"],
  };
  return {
    web,
    webEs256: { ...web, client_id: "web-es256", id_token_signed_response_alg: "ES256" },
    api: { client_id: "api", client_secret, ...none, grant_types: [] },
    machine: { client_id: "machine", client_secret, ...none, grant_types: ["client_credentials"], scope: "api" },
  };
}

export function toPeerSeed({ web, webEs256, api, machine }: PeerClients): PeerSeed {
  const basicOf = ({ client_id, client_secret }: ClientMetadata): string => basic(client_id, client_secret);
  const codeClient = (metadata: ClientMetadata): CodeClient => ({
    clientId: metadata.client_id,
    redirectUri: metadata.redirect_uris[0] ?? "",
    basic: basicOf(metadata),
  });
  return {
    client: codeClient(web),
    es256Client: codeClient(webEs256),
    api: { basic: basicOf(api) },
    machine: { basic: basicOf(machine) },
  };
}
