import { minutes } from "../../base/clock.ts";
import { pushedRequestPrefix } from "../auth-request/index.ts";
import type { ResponseType } from "../oidc-configuration/index.ts";
import type { CodeIssuance } from "../token/index.ts";

/** Prefix of the reference to a prepared request. No reference of a client has a colon after the common prefix. */
export const testReferencePrefix = `${pushedRequestPrefix}test:`;

/** From the preparation until the result is taken. */
export const testLifetime = minutes(10);

/** What the user of the sign-in granted, for which an application would have got tokens. */
export interface TestGrant {
  readonly kind: "granted";
  readonly clientId: string;
  readonly responseType: ResponseType;
  readonly issuance: CodeIssuance;
}

/** The error that the application would have got. */
export interface TestError {
  readonly kind: "failed";
  readonly error: string;
  readonly description: string;
  /** Id of the request that failed. */
  readonly reference: string;
}

export type TestAnswer = TestGrant | TestError;

/** A sign-in that was prepared. */
export interface TestSignIn {
  readonly testId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Parameters of the authorization request. */
  readonly parameters: ReadonlyMap<string, string>;
}
