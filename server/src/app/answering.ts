import type { RequestListener } from "node:http";
import { matchLanguage } from "../base/language.ts";
import type { Delivery } from "../base/queue/delivery.ts";
import type { Secret } from "../base/secret.ts";
import { recallCaller } from "../bearer/index.ts";
import type { Config } from "../config/index.ts";
import type { RecallCreator } from "../domain/bulk-job/index.ts";
import { type Instance, instanceOrigin } from "../domain/instance/index.ts";
import { findOrganization } from "../domain/organization/index.ts";
import { isFreshCaller, mayActForUser } from "../domain/session/index.ts";
import { type InterceptedMethod, isInterceptable } from "../extension/index.ts";
import {
  createClientAddress,
  createFailureWriter,
  createOperations,
  createRequestListener,
  createRouter,
  type FindInstance,
  type FoundInstance,
  type ListenerLimits,
  type Observation,
  type ObservedJob,
  type Operations,
  type OperationsReport,
} from "../http/index.ts";
import { createLogoutDelivery, createOAuthRoutes } from "../oauth/index.ts";
import {
  createAccountRoutes,
  createFormPostPage,
  createLoadConsole,
  createPageFailure,
  createPageRoutes,
  createUntrustedPage,
  loadAssets,
} from "../pages/index.ts";
import {
  createAuthenticate,
  createAuthenticateSystemUser,
  createConnectHandler,
  createEarlierMethods,
  createFileRoutes,
  createHeavyLists,
  createNamespace,
  createPerformOther,
  createPerformRow,
  createPerformSetup,
  createReferenceLibrary,
  createRegistry,
  createRestRoutes,
  type Namespace,
  namespaceWord,
  type PerformRow,
  type Registry,
} from "../rpc/index.ts";
import { createSamlLogoutSender, createSamlRoutes } from "../saml/index.ts";
import { createAnswerShare, createBodyShare, createHoldRefusals, type WebRoute } from "../web/index.ts";
import type { Actions } from "./actions.ts";
import type { Domain } from "./domain.ts";
import { createOAuthDeps, type OAuthParts } from "./oauth-deps.ts";
import { createRequestLog } from "./request-log.ts";
import { readSystemUsers } from "./system-users.ts";

/** Everything that answers the requests of the port. */
export interface Answering {
  readonly listener: RequestListener;
  /** Whether a page or endpoint answers GET at this path. */
  serves(path: string): boolean;
  /** Every route, and every method of the contract with its handler. */
  readonly routes: readonly WebRoute[];
  readonly methods: Registry;
  /** Methods of the earlier forms of services. */
  readonly earlierMethods: Registry;
  /** Calls to the servers of third parties; run by the jobs. */
  readonly actions: Actions;
  /** Notifies clients of logouts; run by the jobs. */
  readonly logoutDelivery: Delivery;
  /** Does the rows of bulk jobs. */
  readonly performRow: PerformRow;
  /** Returns who created a bulk job, by what they created it with. */
  readonly recall: RecallCreator;
  /** What the operations endpoints report. */
  readonly operations: OperationsReport;
  /** Reports a run of a job to the metrics. */
  readonly observeJob: (run: ObservedJob) => void;
}

export interface AnsweringOptions {
  readonly operatorToken?: Secret;
  readonly limits: ListenerLimits;
  /** Directory of the console's files, instead of that of its package. */
  readonly consoleDirectory?: string;
}

/** Builds everything that answers requests: operations, REST, Connect and gRPC, protocol endpoints, pages. */
export function createAnswering(
  config: Config,
  domain: Domain,
  { operatorToken, limits, consoleDirectory }: AnsweringOptions,
): Answering {
  const { log, texts } = domain;
  const report = (error: unknown, requestId: string): void =>
    log.error({ err: error, requestId }, "unexpected failure");
  const namespace = createNamespace(config.namespaceAliases);
  const oauth = createOAuthDeps(config, domain, report);
  const registry: Registry = createRegistry(async () => {
    const { createBindings } = await import("../api/index.ts");
    const namespaceWords = [...new Set([namespaceWord, ...config.namespaceAliases])];
    return createBindings({ ...domain, performOther, performTogether, namespaceWords }, oauth, (name) =>
      canBeIntercepted(registry.get(name)),
    );
  });
  const { performOther, performTogether } = createPerformOther(() => chain, registry);
  const earlierMethods = createEarlierMethods(registry);
  const served: Registry = new Map([...registry, ...earlierMethods]);
  const bodyShare = createBodyShare({ ...config, ...limits });
  const answerShare = createAnswerShare({ ...config, ...limits });
  const chain = { ...createChain(config, domain, oauth, { namespace, operatorToken }), bodyShare, answerShare };
  const performSetup = createPerformSetup(() => ({ ...chain, database: domain.database }), registry);
  const pages = { ...createPageParts(config, domain, oauth, { registry, consoleDirectory }), performSetup };
  const operations = createOperations({
    reasonsNotReady: () => reasonsNotReady(domain),
    refusals: domain.budgets.refusals,
    showsMetrics: config.mode === "dev",
  });
  const protocols = {
    ...oauth,
    renderUntrusted: createUntrustedPage(pages),
    renderFormPost: createFormPostPage(pages),
  };
  const routes = [
    ...operations.routes,
    ...createAccountRoutes(pages),
    ...createOAuthRoutes(protocols),
    ...createSamlRoutes(protocols),
    ...createPageRoutes(pages),
    ...createFileRoutes({ ...chain, ...domain, mayActFor: mayActForUser, isFresh: isFreshCaller }),
    ...createRestRoutes(chain, served),
  ];
  const router = createRouter(routes);
  const listener = createRequestListener({
    ...domain,
    findInstance: createInstanceFinder(config, domain),
    router,
    raw: createConnectHandler(chain, served),
    rateLimits: oauth.rateLimits,
    holdRefusal: chain.holdRefusal,
    clientAddress: createClientAddress(config.trustedProxies),
    fail: createFailureWriter({
      translate: texts.translate,
      report,
      renderPage: createPageFailure(pages, config.baseUrl),
    }),
    observe: createObserver(config, domain, operations),
    report,
    bodyTimeout: limits.requestTimeout,
    bodyLimit: config.bodyLimit,
    bodyShare,
    answerShare,
    organizationHeaders: namespace.organizationHeaders.map(({ name }) => name),
  }) as RequestListener;
  return {
    listener,
    serves: (path) => router.find("GET", path) !== undefined,
    routes,
    methods: registry,
    earlierMethods,
    operations: operations.report,
    observeJob: operations.observeJob,
    logoutDelivery: createNotifier(domain, oauth),
    performRow: createPerformRow(() => chain, registry),
    recall: (call, creator) => recallCaller(oauth, call, creator),
    actions: oauth.actions,
  };
}

// Counts and logs each request once it is answered.
function createObserver(
  { isAccessLogOn }: Config,
  { log, budgets }: Domain,
  { observe: count }: Pick<Operations, "observe">,
): (observation: Observation) => void {
  const write = createRequestLog({ log, budgets, isAccessLogOn });
  return (observation) => {
    count(observation);
    write(observation);
  };
}

// What the pages are built from.
const createPageParts = (
  config: Config,
  domain: Domain,
  oauth: OAuthParts,
  { registry, consoleDirectory }: { readonly registry: Registry; readonly consoleDirectory: string | undefined },
) => ({
  ...domain,
  mayActFor: mayActForUser,
  isFresh: isFreshCaller,
  signInScripts: oauth.actions.signInScripts,
  assets: loadAssets(),
  proofNonce: oauth.dpop.nonce,
  loadConsole: config.isConsoleOn ? createLoadConsole(consoleDirectory) : undefined,
  isDevelopment: config.mode === "dev",
  namespaceAliases: config.namespaceAliases,
  reference: createReferenceLibrary(registry),
});

// Notifies clients of ended sessions, whichever protocol they speak.
const createNotifier = ({ outbound, log }: Domain, oauth: OAuthParts): Delivery =>
  createLogoutDelivery({
    ...oauth,
    outbound,
    sendToSaml: createSamlLogoutSender(oauth),
    warn: (message, details) => log.warn(details, message),
  });

// What every method of the contract passes through, whichever adapter it is called by.
function createChain(
  config: Config,
  domain: Domain,
  oauth: OAuthParts,
  { namespace, operatorToken }: { readonly namespace: Namespace; readonly operatorToken: Secret | undefined },
) {
  return {
    authenticate: createAuthenticate({
      ...oauth,
      operatorToken,
      authenticateSystemUser: createAuthenticateSystemUser(readSystemUsers(config), config.baseUrl),
    }),
    organizationExists: async (call: { instanceId: string }, organizationId: string) =>
      (await findOrganization(domain.database.read, call.instanceId, organizationId)) !== undefined,
    systemProjectIdOf: oauth.systemProjectIdOf,
    clock: domain.clock,
    originOf: oauth.originOf,
    dpop: oauth.dpop,
    translate: domain.texts.translate,
    report: oauth.report,
    namespace,
    bodyLimit: config.bodyLimit,
    intercept: oauth.actions.intercept,
    budgets: domain.budgets,
    quotaMeter: domain.quotaMeter,
    runHeavyList: createHeavyLists(),
    holdRefusal: createHoldRefusals(),
  };
}

function createInstanceFinder(config: Config, domain: Domain): FindInstance {
  // A cached instance is the same object until it changes.
  const known = new WeakMap<Instance, FoundInstance>();
  const toFound = (instance: Instance | undefined): FoundInstance | undefined => {
    if (instance === undefined) return undefined;
    let found = known.get(instance);
    if (found === undefined) {
      found = {
        instanceId: instance.instanceId,
        origin: instanceOrigin(config.baseUrl, instance),
        defaultLanguage: matchLanguage(instance.defaultLanguage) ?? "en",
        isBlocked: instance.isBlocked,
      };
      known.set(instance, found);
    }
    return found;
  };
  const noted = noteUnknownHosts(config, domain);
  const toAnswer = (host: string, instance: Instance | undefined): FoundInstance | undefined => {
    if (instance === undefined) noted(host);
    return toFound(instance);
  };
  return (host) => {
    const found = domain.findInstanceByHost(host);
    return found instanceof Promise ? found.then((instance) => toAnswer(host, instance)) : toAnswer(host, found);
  };
}

// Each of the first hosts once: more are what scanners send, and not how a proxy is configured.
const mostNotedHosts = 10;

function noteUnknownHosts({ baseUrl }: Config, { log }: Domain): (host: string) => void {
  const noted = new Set<string>();
  return (host) => {
    if (noted.size >= mostNotedHosts || noted.has(host)) return;
    noted.add(host);
    log.warn(
      { host, answersFor: new URL(baseUrl).host, fix: "let the proxy pass the host on, or change DOORWARD_BASE_URL" },
      "requests arrive for a host that no instance has",
    );
  };
}

async function reasonsNotReady({ database }: Domain): Promise<string[]> {
  try {
    await database.ping();
    return [];
  } catch {
    return ["the database does not answer"];
  }
}

const canBeIntercepted = (method: InterceptedMethod | undefined): boolean =>
  method !== undefined && isInterceptable(method);
