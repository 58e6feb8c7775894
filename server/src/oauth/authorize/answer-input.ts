import type { Client } from "../../domain/application/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import type { Session } from "../../domain/session/index.ts";

/** The input of an authorization response. */
export interface AnswerInput {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  readonly session: Session;
  /** The stored request; absent when the browser's session answered immediately and nothing was stored. */
  readonly authRequestId: string | undefined;
  readonly issuer: string;
  /** The impersonation in which an administrator answers with their session as a user; absent for users themselves. */
  readonly impersonationId?: string;
}

/** The user who answers a request, and the time of their sign-in. */
export interface Answerer {
  readonly userId: string;
  readonly authTime: number;
}
