import { deriveKey, parseMasterKey } from "../base/master-key.ts";
import { createRotatingNonces, type RotatingNonces } from "../base/rotating-nonce.ts";
import { createDpopVerifier, nonceLifetime } from "../bearer/index.ts";
import type { Config } from "../config/index.ts";
import {
  createClientKeys,
  createDocumentCache,
  createExplainClient,
  createFetchRequestObject,
  createFindClient,
  type OAuthDeps,
} from "../oauth/index.ts";
import type { SamlDeps } from "../saml/index.ts";
import { createRateLimits } from "../web/index.ts";
import { type Actions, createActions } from "./actions.ts";
import type { Domain } from "./domain.ts";

/** The parts that the protocol endpoints, and everything else that reads their tokens, are built from. */
export interface OAuthParts extends SamlDeps {
  /** Calls to the servers of third parties, and what runs in scripts. */
  readonly actions: Actions;
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
  return {
    ...domain,
    actions,
    functions: actions.functions,
    tokenScripts: actions.tokenScripts,
    samlScripts: actions.samlScripts,
    namespaceAliases: config.namespaceAliases,
    report,
    clientKeys: createClientKeys(domain),
    takesEndpointsAsAudience: config.assertionAudience !== "issuer",
    isStrict: config.profile === "strict",
    commandLine: config.commandLine,
    fetchRequestObject: createFetchRequestObject(domain),
    findClient: createFindClient({ ...domain, defaultOrganizationIdOf, documents }),
    explainClient: createExplainClient({ ...domain, documents }),
    defaultOrganizationIdOf,
    rateLimits: createRateLimits(config.rateLimits),
    dpop: createDpopVerifier({ database: domain.database, nonces: createNonces(config) }),
    systemProjectIdOf: async (instanceId: string) => (await instanceOf(instanceId)).systemProjectId,
  };
}

// Every node has the same master keys, and therefore the same nonces.
function createNonces(config: Config): RotatingNonces {
  const [newest, ...former] = config.masterKeys.map((key) => deriveKey(parseMasterKey(key.reveal()), "dpop nonce"));
  if (newest === undefined) throw new Error("no master key");
  return createRotatingNonces({ keys: [newest, ...former], lifetime: nonceLifetime });
}
