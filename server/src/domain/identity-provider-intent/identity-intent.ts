import { hours, type Instant, minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";

export type IntentState = "started" | "succeeded" | "failed" | "consumed";

/** One attempt to sign in at an identity provider. */
export interface IdentityIntent {
  readonly intentId: string;
  readonly identityProviderId: string;
  readonly state: IntentState;
  /** The provider's speaker when the browser was sent there; no other may answer. */
  readonly speaker: string | null;
  readonly browserHash: string | null;
  readonly authRequestId: string | null;
  readonly deviceAuthorizationId: string | null;
  /** The page of ours for which the user signs in, as a keyword. */
  readonly goal: string | null;
  /** The organization discovered by the login. */
  readonly organizationId: string | null;
  /** When the browser returned the state. */
  readonly stateSpentAt: Instant | null;
  /** Why it failed: the slug of the sentence. */
  readonly failure: string | null;
  /** 1 when the user signs in as an existing user in order to link the account. */
  readonly wantsLink: number;
  /** The answer that was posted for it from another site. */
  readonly sealedAnswer: string | null;
  /** The user to whom the account is to be linked, when this is not a sign-in. */
  readonly linkUserId: string | null;
  /** The user who began it without `session.write`, and alone may read what the provider said. */
  readonly starterId: string | null;
  readonly successUrl: string | null;
  readonly failureUrl: string | null;
  readonly redirectUri: string;
  readonly sealedRequest: string;
  readonly externalUserId: string | null;
  readonly externalUsername: string | null;
  readonly sealedIdentity: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly sequence: number;
}

/** How long a browser may stay at the provider. */
export const timeAtProvider = minutes(30);
/** How long an answer that was posted from another site waits for its browser, which is sent for it at once. */
export const timeToFetch = minutes(5);
/** How long the provider's answer remains usable. */
export const timeToUse = hours(1);

/** Returns when the provider answered a successful attempt. */
export const answeredAt = ({ expiresAt }: Pick<IdentityIntent, "expiresAt">): Instant => expiresAt - timeToUse;

/** The event aggregate of an attempt. */
export const intentAggregate = (intentId: string, instanceId: string) =>
  ({ aggregateType: "idpintent", aggregateId: intentId, ownerId: instanceId }) as const;

/** Context of the sealed parts: they cannot be decrypted under any other. */
export const intentContext = (instanceId: string, intentId: string, part: "request" | "identity" | "answer"): string =>
  `identity_intents/${instanceId}/${intentId}/${part}`;

/** What is stored until the provider answers. */
export interface SealedRequest {
  readonly nonce: string;
  readonly codeVerifier?: string;
  /** The code of the invitation that the attempt is to accept. */
  readonly invitationCode?: string;
  /** The user must have authenticated there since this instant; any time when absent. */
  readonly authenticatedSince?: Instant | undefined;
  /** The form that the browser posts to the provider, on our own pages. */
  readonly form?: ProviderForm;
  /** The name with which a form of ours begins. */
  readonly loginHint?: string | undefined;
}

/** A form that a browser posts to a provider. */
export interface ProviderForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a provider answers through the browser: a code, an error, or a SAML response. */
export type KeptAnswer =
  | { readonly code: string; readonly issuer?: string | undefined; readonly user?: string | undefined }
  | { readonly error: string; readonly issuer?: string | undefined }
  /** A SAML response, as the form had it. */
  | { readonly response: string };

/** What a provider reported, as it is stored: tokens are in clear text inside the encrypted document. */
export interface SealedIdentity extends Omit<ExternalIdentity, "tokens"> {
  readonly tokens: {
    readonly accessToken?: string;
    readonly idToken?: string;
    readonly refreshToken?: string;
    readonly assertion?: string;
  };
}

/** The single error for an unusable token, whatever the reason: unknown, of another attempt, used, expired. */
export const intentInvalid = (field: string): Fault =>
  new Fault("invalid_argument", "identity_intent.invalid", { field });

/** The error for a provider that is inactive or deleted. */
export const providerUnusable = (field?: string): Fault =>
  new Fault("failed_precondition", "identity_intent.provider_unusable", field === undefined ? {} : { field });
