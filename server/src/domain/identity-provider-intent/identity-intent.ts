import { hours, type Instant, minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";

export type IntentState = "started" | "succeeded" | "failed" | "consumed";

/** One attempt to sign in at an identity provider. */
export interface IdentityIntent {
  readonly intentId: string;
  readonly identityProviderId: string;
  readonly state: IntentState;
  readonly browserHash: string | null;
  readonly authRequestId: string | null;
  readonly deviceAuthorizationId: string | null;
  /** The page of ours that the person signs in for, by word. */
  readonly goal: string | null;
  /** The organization that the login led the person to. */
  readonly organizationId: string | null;
  /** When the browser brought its state back. */
  readonly stateSpentAt: Instant | null;
  /** Why it came to nothing: the slug of the sentence. */
  readonly failure: string | null;
  /** 1 when the person signs in as somebody who exists, to tie the account to him. */
  readonly wantsLink: number;
  /** What was posted for it from another site. */
  readonly sealedAnswer: string | null;
  /** Who is to be tied to the account, where it is no sign-in. */
  readonly linkUserId: string | null;
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

/** How long a browser may be at the provider. */
export const timeAtProvider = minutes(30);
/** How long what the provider said may be used. */
export const timeToUse = hours(1);

/** When the provider answered an attempt that succeeded. */
export const answeredAt = ({ expiresAt }: Pick<IdentityIntent, "expiresAt">): Instant => expiresAt - timeToUse;

/** The event aggregate of an attempt. */
export const intentAggregate = (intentId: string, instanceId: string) =>
  ({ aggregateType: "idpintent", aggregateId: intentId, ownerId: instanceId }) as const;

/** Where the vault believes the sealed parts to be. */
export const intentContext = (instanceId: string, intentId: string, part: "request" | "identity" | "answer"): string =>
  `identity_intents/${instanceId}/${intentId}/${part}`;

/** What is kept for the answer of the provider. */
export interface SealedRequest {
  readonly nonce: string;
  readonly codeVerifier?: string;
  /** The code of the invitation that the attempt is to accept. */
  readonly invitationCode?: string;
  /** Since when the person has to have authenticated there; any time where it is not said. */
  readonly authenticatedSince?: Instant | undefined;
}

/** What a provider answers with the browser: a code, or an error. */
export type KeptAnswer =
  | { readonly code: string; readonly issuer?: string | undefined }
  | { readonly error: string; readonly issuer?: string | undefined };

/** What a provider said, as it is kept: its tokens in clear inside of the seal. */
export interface SealedIdentity extends Omit<ExternalIdentity, "tokens"> {
  readonly tokens: { readonly accessToken?: string; readonly idToken?: string; readonly refreshToken?: string };
}

/** The one refusal of a token that is of no use, whatever the reason: never made, of another attempt, used, expired. */
export const intentInvalid = (field: string): Fault =>
  new Fault("invalid_argument", "identity_intent.invalid", { field });

/** The refusal of a provider that is inactive or gone. */
export const providerUnusable = (field?: string): Fault =>
  new Fault("failed_precondition", "identity_intent.provider_unusable", field === undefined ? {} : { field });
