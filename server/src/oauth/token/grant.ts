import type { Instant } from "../../base/clock.ts";
import type { Call } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import type { OidcSettings } from "../../domain/settings/index.ts";
import type { IssuedTokens, NewFamily, RevocationReason, TokenFamily } from "../../domain/token/index.ts";
import type { AuthenticatedClient } from "../client-authentication/authenticate-client.ts";
import type { OAuthDeps } from "../deps.ts";
import type { OAuthError } from "../error.ts";
import type { Parameters } from "../parameters.ts";

/** What a grant decides: whose tokens, for what, and which of them. It never signs and never writes an answer. */
export interface Issuance {
  readonly family:
    | { readonly kind: "new"; readonly family: NewFamily }
    | { readonly kind: "existing"; readonly family: TokenFamily };
  /** Scope of the access token, space-delimited, with the client's namespace word. */
  readonly scope: string;
  readonly audience: readonly string[];
  /** `none`: an id token alone. */
  readonly format: "opaque" | "jwt" | "none";
  /** Latest end of what is issued, whatever the lifetimes say; absent for none. */
  readonly notAfter?: Instant;
  /** `issued_token_type` (RFC 8693 §2.2.1), where the answer has it. */
  readonly issuedTokenType?: string;
  readonly withRefreshToken: boolean;
  readonly withIdToken: boolean;
  /** Joins the unit of work once the tokens have their family. */
  readonly onIssued?: (issued: IssuedTokens) => Promise<void>;
}

/** Tokens that were issued before, answered once more because the answer may have been lost. */
export interface Repetition {
  readonly repeated: IssuedTokens;
  readonly withIdToken: boolean;
}

/**
 * A refusal that is returned, so that what the unit of work did so far is kept or dropped on purpose: reuse of a code or of a refresh token
 * revokes the family in a change of its own.
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
  /** Thumbprint of the key that the client proved (RFC 9449); undefined when it sent no proof. */
  readonly dpopThumbprint: string | undefined;
}

export interface GrantDecision {
  /** Client that a grant which is its own proof proved. */
  readonly clientId?: string;
  /** Runs inside the unit of work; waits for nothing but its own statements. */
  decide(tx: Tx): Promise<Issuance | Repetition | Refusal>;
}

/** One `grant_type`. What differs between grants is data where it can be. */
export type Grant =
  | {
      readonly grantType: string;
      /** The client proves itself and must be allowed to use the grant. */
      readonly authentication: "client";
      prepare(context: GrantContext, parameters: Parameters, client: AuthenticatedClient): Promise<GrantDecision>;
    }
  | {
      readonly grantType: string;
      /** The grant is its own proof (service accounts). */
      readonly authentication: "own";
      prepare(context: GrantContext, parameters: Parameters, authorization: string | undefined): Promise<GrantDecision>;
    };
