import type { Delivery } from "../base/queue/delivery.ts";
import type { Config } from "../config/index.ts";
import type { SignInScripts } from "../domain/script/index.ts";
import {
  createEventFollowing,
  createFunctionRunner,
  createIntercept,
  createLatePool,
  createLateSignInScripts,
  createSamlScripts,
  createScriptLog,
  createTargetDelivery,
  createTokenScripts,
  createWaitShare,
  type EventFollowing,
  type FunctionRunner,
  type Intercept,
  type SamlScripts,
  type TokenScripts,
} from "../extension/index.ts";
import { namespaceWord } from "../rpc/index.ts";
import type { Domain } from "./domain.ts";

/** Calls to the servers of third parties, and what runs in scripts. */
export interface Actions {
  readonly intercept: Intercept;
  readonly functions: FunctionRunner;
  /** Scripts of organizations that complement tokens. */
  readonly tokenScripts: TokenScripts;
  /** Scripts of organizations that complement SAML responses. */
  readonly samlScripts: SamlScripts;
  /** Scripts of organizations that run around sign-ins and registrations. */
  readonly signInScripts: SignInScripts;
  /** Empties the queues; run by the jobs. */
  readonly delivery: Delivery;
  /** Fills the queues from the event feed. */
  readonly following: EventFollowing;
}

/** Builds the parts that call the targets of executions, and that run scripts. */
export function createActions(
  config: Config,
  domain: Domain,
  given: {
    readonly originOf: (instanceId: string) => Promise<string>;
    readonly report: (error: unknown, requestId: string) => void;
  },
): Actions {
  const warn = (message: string, details: Readonly<Record<string, unknown>> = {}): void =>
    domain.log.warn(details, message);
  const calling = { ...domain, ...given, words: [namespaceWord, ...config.namespaceAliases], warn };
  const delivery = createTargetDelivery(calling);
  const deps = { ...calling, queued: delivery.wake, waiting: createWaitShare() };
  const running = {
    ...calling,
    scriptPool: createLatePool(),
    scriptLog: createScriptLog((level, message, details) => domain.log[level](details, message)),
  };
  return {
    intercept: createIntercept(deps),
    functions: createFunctionRunner(deps),
    tokenScripts: createTokenScripts(running),
    samlScripts: createSamlScripts(running),
    signInScripts: createLateSignInScripts(running),
    delivery,
    following: createEventFollowing({ ...domain, warn, wake: delivery.wake }),
  };
}
