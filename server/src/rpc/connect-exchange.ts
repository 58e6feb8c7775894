import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Call } from "../call/index.ts";
import type { ByteShare, HoldRefusal } from "../web/index.ts";
import type { ChallengeDeps } from "./challenges.ts";
import type { InvokeDeps } from "./invoke.ts";
import type { Namespace } from "./namespace.ts";
import type { RefusalDeps } from "./refusal.ts";

export interface ConnectDeps extends InvokeDeps, RefusalDeps, ChallengeDeps {
  readonly namespace: Namespace;
  readonly bodyLimit: number;
  readonly bodyShare: ByteShare;
  readonly answerShare: ByteShare;
  readonly holdRefusal: HoldRefusal;
}

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** An incoming call. */
export interface ConnectExchange {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly call: Call;
  /** Path as it was sent. */
  readonly path: string;
  /** The caller's word for our namespace. */
  readonly word: string;
}
