import { deriveKey, parseMasterKey } from "../base/master-key.ts";
import { createRotatingNonces, type RotatingNonces } from "../base/rotating-nonce.ts";
import type { Config } from "../config/index.ts";
import {
  createClientKeys,
  createDocumentCache,
  createDpopVerifier,
  createExplainClient,
  createFetchRequestObject,
  createFindClient,
  nonceLifetime,
  type OAuthDeps,
  readJwtId,
  verifyAccessToken,
} from "../oauth/index.ts";
import { createRateLimits } from "../web/index.ts";
import { type Actions, createActions } from "./actions.ts";
import type { Domain } from "./domain.ts";

/** The parts that the protocol endpoints, and everything else that reads their tokens, are built from. */
export interface OAuthParts extends OAuthDeps {
  /** Calls to the servers of third parties. */
  readonly actions: Actions;
  /** Returns the `jti` of an unexpired JWT access token of ours. */
  readonly readJwtId: (instanceId: string, token: string, now: number) => Promise<string | undefined>;
}

export function createOAuthDeps(config: Config, domain: Domain, report: OAuthDeps["report"]): OAuthParts {
  const instanceOf = async (instanceId: string) => {
    const instance = await domain.findInstanceById(instanceId);
    if (instance === undefined) throw new Error(`instance ${instanceId} is gone`);
    return instance;
  };
  const { originOf } = domain;
  const defaultOrganizationIdOf = async (instanceId: string) => (await instanceOf(instanceId)).defaultOrganizationId;
  const actions = createActions(config, domain, { originOf, report });
  const documents = createDocumentCache({
    ...domain,
    noteRefusal: (refused) => domain.log.warn(refused, "client metadata document refused"),
  });
  const parts = {
    ...domain,
    actions,
    functions: actions.functions,
    namespaceAliases: config.namespaceAliases,
    report,
    clientKeys: createClientKeys(domain),
    takesEndpointsAsAudience: config.assertionAudience !== "issuer" && config.profile !== "strict",
    isTokenIdRequired: config.profile === "strict",
    isStrict: config.profile === "strict",
    fetchRequestObject: createFetchRequestObject(domain),
    findClient: createFindClient({ ...domain, defaultOrganizationIdOf, documents }),
    explainClient: createExplainClient({ ...domain, documents }),
    defaultOrganizationIdOf,
    rateLimits: createRateLimits(config.rateLimits),
    dpop: createDpopVerifier({ database: domain.database, nonces: createNonces(config) }),
    systemProjectIdOf: async (instanceId: string) => (await instanceOf(instanceId)).systemProjectId,
  };
  return {
    ...parts,
    verifyAccessToken: (call, token, proven) => verifyAccessToken(parts, call, token, proven),
    readJwtId: async (instanceId, token, now) =>
      readJwtId(domain, { instanceId, issuer: await originOf(instanceId) }, token, now),
  };
}

// Every node has the same master keys, and therefore the same nonces.
function createNonces(config: Config): RotatingNonces {
  const [newest, ...former] = config.masterKeys.map((key) => deriveKey(parseMasterKey(key.reveal()), "dpop nonce"));
  if (newest === undefined) throw new Error("no master key");
  return createRotatingNonces({ keys: [newest, ...former], lifetime: nonceLifetime });
}
