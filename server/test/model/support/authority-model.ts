// What tokens may contain, and what is left of them later, as the rules say: a pure model beside `oauth/authority`. All
// that lets an application in, or gives it something, is a switch here, and every token is asked again.

/** The words of scopes; `aud:` names a project. */
export const scopes = {
  plain: ["openid", "email", "offline_access"],
  rights: ["me:read", "admin:read"],
  projects: ["aud:sibling", "aud:bank", "aud:travel", "aud:apis"],
  ofResources: ["a", "b", "c"],
} as const;
export const rights: readonly string[] = scopes.rights;
export const ofResources: readonly string[] = scopes.ofResources;

export type OrganizationName = "home" | "elsewhere" | "default";
export type ProjectName = "own" | "sibling" | "bank" | "travel" | "base";
/** `ours`: the address of our own APIs. */
export type ResourceName = "files" | "money" | "ours";

export const organizationOf: Readonly<Record<ProjectName, OrganizationName>> = {
  own: "home",
  sibling: "home",
  bank: "elsewhere",
  travel: "elsewhere",
  base: "default",
};
const projectOfResource = { files: "sibling", money: "bank" } as const;
export const resourceFacts = {
  files: { isJwt: false, lifetime: 0, scopes: ["a", "b"] },
  money: { isJwt: true, lifetime: 600, scopes: ["b", "c"] },
} as const;

export interface ModelClient {
  readonly project: ProjectName;
  readonly needsConsent: boolean;
  readonly isNarrow: boolean;
  readonly isJwt: boolean;
  /** Whether the instance trusts it at times. */
  readonly mayBeTrusted: boolean;
}

export const modelClients: readonly ModelClient[] = [
  { project: "own" },
  { project: "own", mayBeTrusted: true },
  { project: "own", needsConsent: true, isNarrow: true },
  { project: "own", isJwt: true },
  { project: "travel" },
  { project: "base" },
].map((given) => ({
  needsConsent: false,
  isNarrow: false,
  isJwt: false,
  mayBeTrusted: false,
  ...(given as Pick<ModelClient, "project">),
}));
export const userHomes: readonly OrganizationName[] = ["home", "elsewhere"];

/** What can be different later than when a token was given. */
export interface Switches {
  /** The instance trusts a client with our own APIs. */
  isTrusted: boolean;
  /** The bank lends its project to the home of a user. */
  isLent: boolean;
  /** Travel lends its project to that home, which recognizes it. */
  isRecognized: boolean;
  /** Applications of one organization ask people of others. */
  isAsking: boolean;
  isBankActive: boolean;
  isMoneyActive: boolean;
  /** Whether the owner of the money gives its scope `c`. */
  hasMoneyScope: boolean;
}

export interface AuthorityModel extends Switches {
  now: number;
  /** Which resource has the address of the money; each is another one. */
  moneyVersion: number;
  readonly consents: Map<string, Set<string>>;
  readonly tokens: ModelToken[];
}

export interface Asked {
  readonly scope: readonly string[];
  readonly resources: readonly ResourceName[];
}

export interface Person {
  readonly client: number;
  readonly user: number;
}

/** One access token. */
export interface ModelToken extends Person {
  readonly scope: ReadonlySet<string>;
  readonly audience: ReadonlySet<string>;
  readonly format: "opaque" | "jwt";
  readonly lifetime: number;
  readonly issuedAt: number;
  /** Which money it was given for. */
  readonly moneyVersion: number;
  /** What was granted with it. */
  readonly granted: Asked;
  /** What it was exchanged from. */
  readonly origin: ModelToken | undefined;
  readonly family: { isRevoked: boolean };
}

export const facts = (client: number): ModelClient => modelClients[client] as ModelClient;
const homeOf = (user: number): OrganizationName => userHomes[user] as OrganizationName;
const keyOf = ({ user, client }: Person): string => `${user} ${client}`;
const consentOf = (model: AuthorityModel, who: Person): ReadonlySet<string> =>
  model.consents.get(keyOf(who)) ?? new Set();

export const isTrusted = ({ isTrusted: isOn }: AuthorityModel, client: number): boolean =>
  isOn && facts(client).mayBeTrusted;

/** Whether an application is of an organization that the user's own does not trust. */
export function isForeign(model: AuthorityModel, { client, user }: Person): boolean {
  const { project } = facts(client);
  const owner = organizationOf[project];
  if (!model.isAsking || isTrusted(model, client) || owner === "default" || owner === homeOf(user)) return false;
  return !(project === "travel" && homeOf(user) === "home" && model.isRecognized);
}

const isAskedForAll = (model: AuthorityModel, who: Person): boolean =>
  facts(who.client).needsConsent || isForeign(model, who);

/** Whether an application may name a project of another one without the user's consent. */
function isShared(model: AuthorityModel, project: ProjectName, { client, user }: Person): boolean {
  const asker = organizationOf[facts(client).project];
  if (organizationOf[project] === asker) return true;
  const isLent = { bank: model.isLent, travel: model.isRecognized, own: false, sibling: false, base: false };
  return isLent[project] && asker === "home" && (isTrusted(model, client) || homeOf(user) === "home");
}

const isThere = (model: AuthorityModel, resource: "files" | "money"): boolean =>
  resource === "files" || (model.isMoneyActive && model.isBankActive);

/** The scopes that a resource has now. */
export const scopesAt = (model: AuthorityModel, resource: "files" | "money"): readonly string[] =>
  resourceFacts[resource].scopes.filter((scope) => scope !== "c" || model.hasMoneyScope);

const wordOf = (model: AuthorityModel, resource: "files" | "money", scope?: string): string =>
  [resource, resource === "money" ? model.moneyVersion : 0, ...(scope === undefined ? [] : [scope])].join("/");

/** Whether a client may have something of a resource: `version` is that for which it was given. */
export function permits(
  model: AuthorityModel,
  who: Person,
  at: { readonly resource: "files" | "money"; readonly version: number; readonly scope?: string },
): boolean {
  const { resource, version, scope } = at;
  if (!isThere(model, resource) || (resource === "money" && version !== model.moneyVersion)) return false;
  if (isShared(model, projectOfResource[resource], who) && !isAskedForAll(model, who)) return true;
  return consentOf(model, who).has(wordOf(model, resource, scope));
}

export const others = (resources: readonly ResourceName[]): ("files" | "money")[] =>
  resources.filter((one) => one !== "ours");
const projectIn = (scope: string): ProjectName | "apis" | undefined =>
  scope.startsWith("aud:") ? (scope.slice("aud:".length) as ProjectName | "apis") : undefined;

const asksForApis = ({ scope, resources }: Asked): boolean =>
  resources.includes("ours") || scope.some((one) => rights.includes(one) || one === "aud:apis");

/** Returns the request as it can be granted; undefined when it is refused before a user is involved. */
export function checkRequest(model: AuthorityModel, client: number, asked: Asked): Asked | undefined {
  const named = others(asked.resources);
  if (named.some((one) => !isThere(model, one))) return undefined;
  if (asked.scope.includes("aud:bank") && !model.isBankActive) return undefined;
  const isKnown = (one: string): boolean =>
    !ofResources.includes(one) || named.some((resource) => scopesAt(model, resource).includes(one));
  const scope = asked.scope.filter(isKnown);
  if (scope.length === 0) return undefined;
  const isComplete =
    isTrusted(model, client) || !asksForApis({ ...asked, scope }) || scope.some((one) => rights.includes(one));
  return { scope: isComplete ? scope : [...scope, "me:read"], resources: asked.resources };
}

/** The words of what a user is asked for. */
function wordsOf(model: AuthorityModel, { scope, resources }: Asked): string[] {
  return [
    ...scope.filter((one) => !ofResources.includes(one)),
    ...(resources.includes("ours") ? ["ours"] : []),
    ...others(resources).flatMap((resource) =>
      isThere(model, resource)
        ? [
            wordOf(model, resource),
            ...scope
              .filter((one) => scopesAt(model, resource).includes(one))
              .map((one) => wordOf(model, resource, one)),
          ]
        : [`gone ${resource}`],
    ),
  ];
}

const isConsented = (model: AuthorityModel, who: Person, asked: Asked): boolean =>
  wordsOf(model, asked).every((word) => consentOf(model, who).has(word));

function needsConsent(model: AuthorityModel, who: Person, asked: Asked): boolean {
  if (isAskedForAll(model, who)) return true;
  if (!isTrusted(model, who.client) && asksForApis(asked)) return true;
  const projects = asked.scope.map(projectIn).filter((one) => one !== undefined && one !== "apis");
  const own = facts(who.client).project;
  if (projects.some((one) => one !== own && isThereProject(model, one) && !isShared(model, one, who))) return true;
  return others(asked.resources).some((one) => isThere(model, one) && !isShared(model, projectOfResource[one], who));
}

const isThereProject = ({ isBankActive }: AuthorityModel, project: ProjectName): boolean =>
  project !== "bank" || isBankActive;

/** Whether the request is answered. With consent, what it asks for is remembered. */
export function answer(model: AuthorityModel, who: Person, asked: Asked, isGiven: boolean): boolean {
  if (!needsConsent(model, who, asked)) return true;
  if (isGiven) {
    model.consents.set(keyOf(who), new Set([...consentOf(model, who), ...wordsOf(model, asked)]));
    return true;
  }
  return isConsented(model, who, asked);
}

/** Whether what was answered is still good when the tokens are asked for. */
export const isStillGood = (model: AuthorityModel, who: Person, asked: Asked): boolean =>
  !needsConsent(model, who, asked) || isConsented(model, who, asked);

type Content = Pick<ModelToken, "scope" | "audience" | "format" | "lifetime">;

/** Returns the scope that is granted of a request. */
export function grantedScope(model: AuthorityModel, who: Person, asked: Asked, version: number): string[] {
  const named = others(asked.resources);
  return asked.scope.filter((one) => {
    if (rights.includes(one)) return hasRight(model, who, one);
    if (ofResources.includes(one)) {
      return named.some((at) => knows(model, at, one) && permits(model, who, { resource: at, version, scope: one }));
    }
    const project = projectIn(one);
    if (project === undefined) return true;
    if (project === "apis") return mayCallApis(model, who, asked);
    if (!isThereProject(model, project)) return false;
    return project === facts(who.client).project || isShared(model, project, who) || consentOf(model, who).has(one);
  });
}

export const knows = (model: AuthorityModel, resource: "files" | "money", scope: string): boolean =>
  scopesAt(model, resource).includes(scope);
const hasRight = (model: AuthorityModel, who: Person, right: string): boolean =>
  isTrusted(model, who.client) || consentOf(model, who).has(right);

const mayCallApis = (model: AuthorityModel, who: Person, asked: Asked): boolean =>
  asksForApis(asked) &&
  (isTrusted(model, who.client) || asked.scope.some((one) => rights.includes(one) && hasRight(model, who, one)));

const leadsAway = (scope: string): boolean => scope.startsWith("aud:") || rights.includes(scope);

/** Returns an access token for a part of what is asked for; undefined when nothing of the resources is left. */
export function contentOf(
  model: AuthorityModel,
  who: Person,
  asked: Asked,
  {
    named,
    version,
    instance,
  }: { readonly named: readonly ResourceName[]; readonly version: number; readonly instance: number },
): Content | undefined {
  const mayCall = mayCallApis(model, who, asked);
  const chosen = named.length > 0 ? named : asked.resources;
  const isLeft = (one: ResourceName): boolean =>
    one === "ours" ? mayCall : permits(model, who, { resource: one, version });
  const left = chosen.filter(isLeft);
  if (others(named).some((one) => !isLeft(one))) return undefined;
  if (left.length === 0 && others(chosen).length > 0) return undefined;
  const services = others(left);
  const mayHave = (scope: string): boolean => {
    if (!ofResources.includes(scope)) return true;
    const knowing = services.filter((at) => knows(model, at, scope));
    return knowing.length > 0 && knowing.every((resource) => permits(model, who, { resource, version, scope }));
  };
  const isForApis = mayCall && (chosen.length === 0 || chosen.includes("ours"));
  // What leads to a project or to our own APIs is not in a token that others serve.
  const isThere = (scope: string): boolean =>
    chosen.length === 0 || (isForApis ? scope === "aud:apis" || !scope.startsWith("aud:") : !leadsAway(scope));
  const scope = grantedScope(model, who, asked, version).filter((one) => mayHave(one) && isThere(one));
  const { project, isNarrow, isJwt } = facts(who.client);
  const siblings = modelClients.flatMap((one, index) => (one.project === project ? [`client:${index}`] : []));
  const audience = [
    `client:${who.client}`,
    ...(chosen.length > 0 || isNarrow ? [] : [...siblings, project]),
    ...scope.map(projectIn).filter((one) => one !== undefined),
    ...left,
    ...(isForApis ? ["apis"] : []),
  ];
  const ofService = services.some((one) => resourceFacts[one].isJwt) ? "jwt" : "opaque";
  const lifetimes = services.map((one) => resourceFacts[one].lifetime).filter((seconds) => seconds > 0);
  return {
    scope: new Set(scope),
    audience: new Set(audience),
    format: services.length > 0 ? ofService : isJwt ? "jwt" : "opaque",
    lifetime: Math.min(instance, ...lifetimes),
  };
}

/** A token and all that it was exchanged from, itself first. */
export const lineage = (token: ModelToken): ModelToken[] => [
  token,
  ...(token.origin === undefined ? [] : lineage(token.origin)),
];

/** Whether the client of a token is let in; what was exchanged in a project depends on what that project was given. */
function isLetIn(model: AuthorityModel, token: ModelToken): boolean {
  const { origin, client, granted } = token;
  const { project } = facts(client);
  if (origin !== undefined && lineage(origin).some((one) => facts(one.client).project === project)) return true;
  if (!isAskedForAll(model, token)) return true;
  return granted.scope.every((one) => ofResources.includes(one) || consentOf(model, token).has(one));
}

/** Whether the family that a token began may be renewed. */
export const isRefreshable = (model: AuthorityModel, first: ModelToken): boolean =>
  !first.family.isRevoked && isLetIn(model, first);

const isAlive = (model: AuthorityModel, token: ModelToken): boolean =>
  lineage(token).every((one) => !one.family.isRevoked && isLetIn(model, one)) &&
  model.now < token.issuedAt + token.lifetime * 1000;

/** What is left of a token; undefined when it is dead. */
export function current(model: AuthorityModel, token: ModelToken): Pick<Content, "scope" | "audience"> | undefined {
  if (!isAlive(model, token)) return undefined;
  const { scope, audience, moneyVersion: version } = token;
  const may = (resource: "files" | "money", one?: string): boolean =>
    permits(model, token, { resource, version, ...(one !== undefined && { scope: one }) });
  const isKept = (name: string): boolean => {
    if (name === "apis") return mayStillCall(model, token);
    if (name === "files" || name === "money") {
      const sources = lineage(token).filter(({ audience: names }) => names.has(name));
      return sources.every((one) => permits(model, one, { resource: name, version: one.moneyVersion }));
    }
    if (!(name in organizationOf)) return true;
    return isProjectKept(model, token, name as ProjectName);
  };
  const kept = new Set([...audience].filter(isKept));
  const services = (["files", "money"] as const).filter((one) => audience.has(one) && may(one));
  const isScopeKept = (one: string): boolean => {
    if (!ofResources.includes(one)) return true;
    const knowing = services.filter((at) => knows(model, at, one));
    return knowing.length > 0 && knowing.every((resource) => may(resource, one));
  };
  return { scope: new Set([...scope].filter(isScopeKept)), audience: kept };
}

/** Whether a project is still in an audience: for the client itself, or one whose token was exchanged. */
function isProjectKept(model: AuthorityModel, token: ModelToken, project: ProjectName): boolean {
  return lineage(token).some((one) => {
    if (facts(one.client).project === project) return true;
    if (!isThereProject(model, project)) return false;
    if (isShared(model, project, one)) return one.origin !== undefined || one.scope.has(`aud:${project}`);
    return one.origin === undefined && one.scope.has(`aud:${project}`) && consentOf(model, one).has(`aud:${project}`);
  });
}

/** A token that names none of the rights that were granted, or those of one it was exchanged from, has no others. */
function mayStillCall(model: AuthorityModel, token: ModelToken): boolean {
  const hasSome = (words: ReadonlySet<string>): boolean => rights.some((right) => words.has(right));
  if (!hasSome(token.scope) && lineage(token).some(({ granted }) => hasSome(new Set(granted.scope)))) return false;
  if (isTrusted(model, token.client)) return lineage(token).every(({ client }) => isTrusted(model, client));
  return hasSome(token.scope) && hasSome(consentOf(model, token));
}

/** Takes from a client what it has of a user. */
export function takeAway(model: AuthorityModel, who: Person): void {
  model.consents.delete(keyOf(who));
  for (const token of model.tokens) if (keyOf(token) === keyOf(who)) token.family.isRevoked = true;
}
