import type { Client } from "../../domain/application/index.ts";
import type { AuthRequestParameters } from "../../domain/auth-request/index.ts";
import type { Session } from "../../domain/session/index.ts";

/** What an answer is made from. */
export interface AnswerInput {
  readonly client: Client;
  readonly parameters: AuthRequestParameters;
  readonly session: Session;
  /** The stored request; absent when the browser's session answered at once and nothing was stored. */
  readonly authRequestId: string | undefined;
  readonly issuer: string;
}

/** Who answers a request, and since when he is signed in. */
export interface Answerer {
  readonly userId: string;
  readonly authTime: number;
}
