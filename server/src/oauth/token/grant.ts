import type { AuthorityContext, ConsentPolicy, DecidedTokens } from "../../authority/index.ts";
import type { OAuthError } from "../../base/oauth-error.ts";
import type { Secret } from "../../base/secret.ts";
import type { Call } from "../../call/index.ts";
import type { Reader, Tx } from "../../database/index.ts";
import type { OidcSettings } from "../../domain/settings/index.ts";
import type { IssuedTokens, NewFamily, RevocationReason, TokenFamily } from "../../domain/token/index.ts";
import type { AuthenticatedClient } from "../client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "../deps.ts";
import type { Parameters } from "../parameters.ts";

/**
 * The decision of a grant: whose tokens, and of which kinds; `authority` decides what is in them. A grant never signs
 * and never writes a response.
 */
export interface Issuance extends DecidedTokens {
  readonly family:
    | { readonly kind: "new"; readonly family: NewFamily }
    | {
        readonly kind: "existing";
        readonly family: TokenFamily;
        /** The next sequence of the family, where it was taken already. */
        readonly sequence: number | undefined;
      };
  /** `issued_token_type` (RFC 8693 §2.2.1), where the response contains it. */
  readonly issuedTokenType?: string;
  /** The refresh token that was presented and stays valid, for clients without rotation. */
  readonly keptRefreshToken?: Secret;
  readonly withIdToken: boolean;
  /** Joins the unit of work once the tokens have their family. */
  readonly onIssued?: (issued: IssuedTokens) => Promise<void>;
  readonly giveBack?: GiveBack;
}

/**
 * Gives back what the request spent, in a unit of work of its own: the tokens were issued, but the response with them
 * could not be made (a script failed), so no client has them. Claims are made after the commit, because scripts and
 * targets are slow; what they decide must not end what the user had.
 */
export type GiveBack = (tx: Tx, issued: IssuedTokens) => Promise<void>;

/** Tokens that were issued before and are returned again, because the first response may have been lost. */
export interface Repetition {
  readonly repeated: IssuedTokens;
  readonly withIdToken: boolean;
  readonly giveBack: GiveBack;
}

/**
 * A refusal that is returned and not thrown, so that the unit of work is committed or rolled back on purpose. Reuse of
 * a code or of a refresh token revokes the family in a separate change.
 */
export interface Refusal {
  readonly error: OAuthError;
  readonly revoke?: { readonly familyId: string; readonly reason: RevocationReason };
}

/** One request at the token endpoint, after the phases that all grants share. */
export interface GrantContext {
  readonly deps: OAuthDeps;
  readonly call: Call;
  readonly issuer: string;
  readonly systemProjectId: string;
  readonly lifetimes: OidcSettings;
  readonly consent: ConsentPolicy;
  /** Thumbprint of the key that the client proved (RFC 9449); undefined without a proof. */
  readonly dpopThumbprint: string | undefined;
}

/** Returns what `decideAuthority` needs of the context, with the reader of the unit of work. */
export const inContext = (
  reader: Reader,
  { deps, call, issuer, systemProjectId, consent }: GrantContext,
): AuthorityContext => ({
  reader,
  clients: deps.clients,
  instance: { instanceId: call.instanceId, issuer, systemProjectId },
  aliases: deps.namespaceAliases,
  consent,
});

export interface GrantDecision {
  /** The client that the grant itself authenticated. */
  readonly clientId?: string;
  /** Runs inside the unit of work; waits only for its own statements. */
  decide(tx: Tx): Promise<Issuance | Repetition | Refusal>;
}

/** One `grant_type`. Differences between grants are data where possible. */
export type Grant =
  | {
      readonly grantType: string;
      /** The client authenticates and must be allowed to use the grant. */
      readonly authentication: "client";
      prepare(context: GrantContext, parameters: Parameters, client: AuthenticatedClient): Promise<GrantDecision>;
    }
  | {
      readonly grantType: string;
      /** The grant itself authenticates (service accounts). */
      readonly authentication: "own";
      prepare(context: GrantContext, parameters: Parameters, authorization: string | undefined): Promise<GrantDecision>;
    };
