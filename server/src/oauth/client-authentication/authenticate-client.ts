import type { Brand } from "../../base/brand.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import { matchesHash } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Client } from "../../domain/application/index.ts";
import type { FindClient } from "../client-documents/find-client.ts";
import type { Parameters } from "../parameters.ts";
import { type PresentedClient, readPresentedClient } from "./presented-client.ts";
import { type AssertionDeps, readClientAssertion, verifyClientAssertion } from "./private-key-jwt.ts";

/** A client that authenticated by its configured method; only `authenticateClient` creates one. */
export type AuthenticatedClient = Brand<Client, "AuthenticatedClient">;

export interface ClientAuthenticationDeps extends AssertionDeps {
  readonly findClient: FindClient;
}

export interface ClientRequest {
  readonly call: Call;
  readonly issuer: string;
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  /** The client credentials of the request, where they were already read. */
  readonly presented?: PresentedClient;
}

/**
 * Authenticates the client (RFC 6749 §2.3, §3.2.1). Every failure is the same `invalid_client`, so that it does not
 * reveal whether the client exists, is inactive, or uses another method.
 */
export async function authenticateClient(
  deps: ClientAuthenticationDeps,
  request: ClientRequest,
): Promise<AuthenticatedClient> {
  const presented = request.presented ?? readPresentedClient(request.authorization, request.parameters);
  if (presented === undefined) throw new OAuthError("invalid_client", "no client authentication");
  const clientId =
    presented.kind === "assertion" ? readClientAssertion(presented.assertion).issuer : presented.clientId;
  // RFC 7521 §4.2: a client_id beside the assertion must name the same client.
  if (presented.clientId !== undefined && presented.clientId !== clientId) throw failed();
  const client = clientId === undefined ? undefined : await deps.findClient(request.call, clientId);
  if (client === undefined || !client.isActive) throw failed();
  request.call.note?.({ clientId: client.clientId });
  await prove(deps, request, presented, client);
  return client as AuthenticatedClient;
}

async function prove(
  deps: ClientAuthenticationDeps,
  request: ClientRequest,
  presented: PresentedClient,
  client: Client,
): Promise<void> {
  switch (client.authMethod) {
    case "none":
      // A public client does not authenticate; other credentials besides its id are ignored, as clients of this
      // interface expect.
      if (presented.kind === "assertion") throw failed();
      return;
    case "client_secret_basic":
    case "client_secret_post":
      // The secret is accepted in either location.
      if (presented.kind !== "basic" && presented.kind !== "post") throw failed();
      if (client.secretHash === undefined || !matchesHash(presented.secret, client.secretHash)) throw failed();
      return;
    case "private_key_jwt":
      if (presented.kind !== "assertion") throw failed();
      await verifyClientAssertion(deps, request, client, presented.assertion);
      return;
    default:
      client.authMethod satisfies never;
  }
}

const failed = (): OAuthError => new OAuthError("invalid_client", "client authentication failed");
