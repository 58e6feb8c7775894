import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Received, Receiver } from "../../support/http/receiver.ts";
import type { RestOptions, TestServer } from "../../support/servers/server.ts";

interface CreatedTarget {
  readonly targetId: string;
  readonly signingKey: string;
}

type Kind = "restWebhook" | "restCall" | "restAsync";

interface TargetOptions {
  readonly kind?: Kind;
  readonly endpoint?: string;
  readonly interruptOnError?: boolean;
  readonly timeout?: string;
  readonly payloadType?: "JSON" | "JWT" | "JWE";
  readonly name?: string;
}

/** Short ways to the action service of a server. */
export interface Actions {
  /** Calls a method of the service and answers its body; fails the test unless it succeeds. */
  call(method: string, body: object, options?: RestOptions): Promise<RestOptionsBody>;
  createTarget(endpoint: string, options?: TargetOptions): Promise<CreatedTarget>;
  /** Sets an execution by its condition; no targets remove it. */
  set(condition: object, targets: readonly CreatedTarget[]): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects.
type RestOptionsBody = any;

const service = "service.action.v2.ActionService";

export function actionsOf(server: Pick<TestServer, "connect">): Actions {
  const call: Actions["call"] = async (method, body, options) => {
    const answer = await server.connect(`${service}/${method}`, body, options);
    assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    call,
    createTarget: async (endpoint, options = {}) => {
      const {
        kind = "restCall",
        interruptOnError = true,
        timeout = "5s",
        payloadType = "JSON",
        name = "target",
      } = options;
      const { id, signingKey } = await call("CreateTarget", {
        name,
        endpoint,
        timeout,
        [kind]: kind === "restAsync" ? {} : { interruptOnError },
        payloadType: `PAYLOAD_TYPE_${payloadType}`,
      });
      return { targetId: id, signingKey };
    },
    set: async (condition, targets) => {
      await call("SetExecution", { condition, targets: targets.map(({ targetId }) => targetId) });
    },
  };
}

/** Makes a receiver answer with JSON; what it is sent is passed on. */
export function answerJson(receiver: Receiver, answer: (payload: RestOptionsBody) => unknown, status = 200): void {
  receiver.answer = ({ body }, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(JSON.parse(body))));
  };
}

/** What a call said, after its signature was checked as a receiver does it. */
export function verified({ headers, body }: Received, signingKey: string): RestOptionsBody {
  for (const name of ["service-signature", "zitadel-signature"]) {
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers[name])) ?? [];
    assert.equal(mac, createHmac("sha256", signingKey).update(`${time}.${body}`).digest("hex"), name);
  }
  return JSON.parse(body);
}
