// What may be made of tokens, and when it is dead, as the rules say: a pure model that follows every token to those it
// was made from, where the server keeps lists of sources.

export const hour = 3_600_000;
const lifetimes = { access: 12 * hour, id: 12 * hour, refreshIdle: 30 * 24 * hour, refreshAbsolute: 90 * 24 * hour };

export const allScopes = ["openid", "profile", "email", "offline_access"] as const;
const dataScopes = new Set(["openid", "profile", "email"]);

/** What a client is; indices are those of the fixtures. */
export interface ModelClient {
  readonly project: number;
  readonly isPublic: boolean;
  readonly needsConsent: boolean;
  readonly needsProof: boolean;
  /** With the permissions of its users. */
  readonly isTrusted: boolean;
  /** Of an organization that the users' own does not trust, while it does not have the project from it. */
  readonly isForeign: boolean;
}

/** Key of a proof, by its index. */
type Key = number | undefined;

interface Family {
  readonly client: number;
  readonly user: number;
  readonly session: number;
  readonly scope: ReadonlySet<string>;
  readonly audience: ReadonlySet<string>;
  readonly expiresAt: number;
  /** What it was exchanged from; absent for a sign-in. */
  readonly origin: Origin | undefined;
  /** How many act behind each other. */
  readonly actors: number;
  /** Everything below it, for the limit of a chain. */
  readonly basis: ReadonlySet<string>;
  key: Key;
  isRevoked: boolean;
}

interface Origin {
  readonly subject: Given;
  /** The token of the actor. */
  readonly actor: number | undefined;
}

/** A token that is exchanged, or the id of a user. */
export type Given =
  | { readonly kind: "access"; readonly token: number }
  | { readonly kind: "id"; readonly idToken: number }
  | { readonly kind: "user"; readonly user: number };

interface AccessToken {
  readonly family: number;
  readonly scope: ReadonlySet<string>;
  readonly audience: ReadonlySet<string>;
  readonly key: Key;
  readonly expiresAt: number;
  isRevoked: boolean;
}

interface IdToken {
  readonly family: number;
  /** The access token that came with it. */
  readonly token: number | undefined;
  readonly expiresAt: number;
}

interface RefreshToken {
  readonly family: number;
  readonly expiresAt: number;
  isSpent: boolean;
}

export interface DerivedModel {
  now: number;
  /** Whether the instance trusts the clients that it can trust. */
  readonly trust: boolean[];
  isImpersonationOn: boolean;
  /** Whether the users' organization has the project of the foreign client, and recognizes that. */
  isGranted: boolean;
  /** What users agreed to, by user and client. */
  readonly consents: Map<string, ReadonlySet<string>>;
  readonly clients: readonly ModelClient[];
  readonly users: { isActive: boolean; mayImpersonate: boolean }[];
  readonly sessions: { readonly user: number; isLive: boolean }[];
  readonly families: Family[];
  readonly accessTokens: AccessToken[];
  readonly idTokens: IdToken[];
  readonly refreshTokens: RefreshToken[];
}

const at = <Item>(list: readonly Item[], index: number): Item => list[index] as Item;

export const nameOfClient = (client: number): string => `client-${client}`;
export const nameOfProject = (project: number): string => `project-${project}`;

export function isSessionGood(model: DerivedModel, index: number): boolean {
  const { user, isLive } = at(model.sessions, index);
  return isLive && at(model.users, user).isActive;
}

const mayAct = (model: DerivedModel, actor: number, user: number): boolean => {
  const { isActive, mayImpersonate } = at(model.users, actor);
  return model.isImpersonationOn && isActive && mayImpersonate && !at(model.users, user).mayImpersonate;
};

function isFamilyAlive(model: DerivedModel, index: number): boolean {
  const family = at(model.families, index);
  if (family.isRevoked || !at(model.users, family.user).isActive) return false;
  if (family.session >= 0 && !isSessionGood(model, family.session)) return false;
  if (family.origin === undefined) return isLetIn(model, family);
  const { subject, actor } = family.origin;
  if (!isGivenAlive(model, subject) || !areActorsTrusted(model, index)) return false;
  if (actor === undefined) return true;
  const { family: actorFamily } = at(model.accessTokens, actor);
  return isAlive(model, actor) && mayAct(model, at(model.families, actorFamily).user, family.user);
}

/** Whether the user agreed to all that a client has, or does not have to be asked. */
function isLetIn(model: DerivedModel, { client, user, scope }: Family): boolean {
  if (!isAsked(model, client)) return true;
  const consented = model.consents.get(consentKey(user, client));
  return [...scope].every((one) => consented?.has(one));
}

/** The family that a token belongs to; undefined for the id of a user. */
function familyOf(model: DerivedModel, given: Given): number | undefined {
  if (given.kind === "user") return undefined;
  return given.kind === "access"
    ? at(model.accessTokens, given.token).family
    : at(model.idTokens, given.idToken).family;
}

/** A family and all that it was exchanged from. */
function familiesBehind(model: DerivedModel, index: number | undefined): Set<number> {
  if (index === undefined) return new Set();
  const { origin } = at(model.families, index);
  if (origin === undefined) return new Set([index]);
  const { subject, actor } = origin;
  const ofActor = actor === undefined ? undefined : at(model.accessTokens, actor).family;
  const behind = [familyOf(model, subject), ofActor].flatMap((one) => [...familiesBehind(model, one)]);
  return new Set([index, ...behind]);
}

/**
 * Whether the clients that a right to act for others went through are trusted: those of actors, and each that began to
 * act with one.
 */
function areActorsTrusted(model: DerivedModel, index: number | undefined): boolean {
  if (index === undefined) return true;
  const { origin, client } = at(model.families, index);
  if (origin === undefined) return true;
  const below = familyOf(model, origin.subject);
  if (!areActorsTrusted(model, below)) return false;
  if (origin.actor === undefined) return true;
  const { family: ofActor } = at(model.accessTokens, origin.actor);
  const behind = familiesBehind(model, ofActor);
  // What rested on the same families before is only acted with again.
  const isNew = !behind.isSubsetOf(familiesBehind(model, below));
  return mayUsePermissions(model, ofActor) && (!isNew || isTrusted(model, client));
}

const isTrusted = ({ clients, trust }: DerivedModel, client: number): boolean =>
  at(clients, client).isTrusted && at(trust, client);

/**
 * Whether a client may use what the user of a family is permitted: it and all that the family came through are trusted.
 */
export const mayUsePermissions = (model: DerivedModel, family: number): boolean =>
  [...familiesBehind(model, family)].every((one) => isTrusted(model, at(model.families, one).client));

/** Whether an access token is valid now, with everything below it. */
export function isAlive(model: DerivedModel, index: number): boolean {
  const { family, expiresAt, isRevoked } = at(model.accessTokens, index);
  return !isRevoked && model.now < expiresAt && isFamilyAlive(model, family);
}

/** Whether a token is valid now, or a user active. */
export function isGivenAlive(model: DerivedModel, given: Given): boolean {
  switch (given.kind) {
    case "access":
      return isAlive(model, given.token);
    case "id": {
      const { family, token, expiresAt } = at(model.idTokens, given.idToken);
      if (model.now >= expiresAt) return false;
      return token === undefined ? isFamilyAlive(model, family) : isAlive(model, token);
    }
    case "user":
      return at(model.users, given.user).isActive;
    default:
      return given satisfies never;
  }
}

const consentKey = (user: number, client: number): string => `${user} ${client}`;

const isAsked = ({ clients, isGranted }: DerivedModel, client: number): boolean =>
  at(clients, client).needsConsent || (at(clients, client).isForeign && !isGranted);

/** Keeps what a user agrees to, when they are asked. */
function agree(model: DerivedModel, user: number, client: number, scope: readonly string[]): void {
  if (!isAsked(model, client)) return;
  const key = consentKey(user, client);
  model.consents.set(key, new Set([...(model.consents.get(key) ?? []), ...scope]));
}

export function signIn(model: DerivedModel, client: number, session: number, scope: readonly string[], key: Key): void {
  const { isPublic, project } = at(model.clients, client);
  const siblings = model.clients.flatMap((one, index) => (one.project === project ? [nameOfClient(index)] : []));
  const granted = new Set(scope);
  agree(model, at(model.sessions, session).user, client, scope);
  model.families.push({
    client,
    user: at(model.sessions, session).user,
    session,
    scope: granted,
    audience: new Set([...siblings, nameOfProject(project)]),
    expiresAt: model.now + lifetimes.refreshAbsolute,
    origin: undefined,
    actors: 0,
    basis: new Set(),
    key: isPublic ? key : undefined,
    isRevoked: false,
  });
  issue(model, model.families.length - 1, { scope: granted, key, hasAccessToken: true });
}

function issue(
  model: DerivedModel,
  index: number,
  { scope, key, hasAccessToken }: { scope: ReadonlySet<string>; key: Key; hasAccessToken: boolean },
): void {
  const family = at(model.families, index);
  const end = family.origin === undefined ? Number.POSITIVE_INFINITY : family.expiresAt;
  if (hasAccessToken) {
    const expiresAt = Math.min(model.now + lifetimes.access, end);
    model.accessTokens.push({ family: index, scope, audience: family.audience, key, expiresAt, isRevoked: false });
    if (family.scope.has("offline_access")) {
      const idle = Math.min(model.now + lifetimes.refreshIdle, family.expiresAt);
      model.refreshTokens.push({ family: index, expiresAt: idle, isSpent: false });
    }
  }
  if (!scope.has("openid")) return;
  const token = hasAccessToken ? model.accessTokens.length - 1 : undefined;
  model.idTokens.push({ family: index, token, expiresAt: Math.min(model.now + lifetimes.id, end) });
}

export interface Exchange {
  readonly client: number;
  readonly subject: Given;
  /** An access token. */
  readonly actor: number | undefined;
  readonly scope: readonly string[];
  /** Names of the audience; empty for that of the given tokens. */
  readonly audience: readonly string[];
  readonly key: Key;
  readonly requested: "access_token" | "jwt" | "id_token";
}

/** What the presenter of a token may have of it. */
interface Allowance {
  readonly user: number;
  readonly session: number;
  readonly scope: ReadonlySet<string> | undefined;
  readonly audience: ReadonlySet<string>;
  readonly expiresAt: number;
  readonly isBound: boolean;
  readonly actors: number;
  readonly basis: ReadonlySet<string>;
}

/** Exchanges, if that is allowed; says whether it is. */
export function exchange(model: DerivedModel, asked: Exchange): boolean {
  const { client, key, scope, requested } = asked;
  const { needsConsent, needsProof, isPublic } = at(model.clients, client);
  const subject = allowanceOf(model, asked, asked.subject);
  const actor =
    asked.actor === undefined ? undefined : allowanceOf(model, asked, { kind: "access", token: asked.actor });
  if (subject === undefined || (needsProof && key === undefined)) return false;
  if (asked.actor !== undefined) {
    const { family: ofActor } = at(model.accessTokens, asked.actor);
    // A public client shows that it is itself only by the key that the token is bound to.
    const isShown = !isPublic || actor?.isBound === true;
    if (!isShown || !isTrusted(model, client) || !mayUsePermissions(model, ofActor)) return false;
  }
  if (asked.actor !== undefined && (actor === undefined || needsConsent || !mayAct(model, actor.user, subject.user)))
    return false;
  if (asked.actor === undefined && asked.subject.kind === "user") return false;
  const isGranted = (one: string) =>
    subject.scope === undefined ? dataScopes.has(one) || actor?.scope?.has(one) === true : subject.scope.has(one);
  if (scope.length === 0 || !scope.every(isGranted)) return false;
  if (requested === "id_token" && !scope.includes("openid")) return false;
  const reach = new Set([...subject.audience, ...(actor?.audience ?? [])]);
  if (!asked.audience.every((name) => reach.has(name))) return false;
  const inherited = subject.audience.size > 0 ? subject.audience : (actor?.audience ?? subject.audience);
  const actors = subject.actors + (actor === undefined ? 0 : 1 + actor.actors);
  const ofActor = actor === undefined ? [] : [`user ${actor.user}`, `session ${actor.session}`, ...actor.basis];
  const basis = new Set([...subject.basis, ...ofActor]);
  if (actors > 8 || basis.size > 64) return false;
  const isBound = subject.isBound || actor?.isBound === true;
  const earliest = Math.min(subject.expiresAt, actor?.expiresAt ?? subject.expiresAt);
  model.families.push({
    client,
    user: subject.user,
    session: subject.session,
    scope: new Set(scope),
    audience: asked.audience.length > 0 ? new Set(asked.audience) : inherited,
    expiresAt: Math.min(model.now + lifetimes.refreshAbsolute, earliest),
    origin: { subject: asked.subject, actor: asked.actor },
    actors,
    basis,
    key: isPublic || isBound || requested === "id_token" ? key : undefined,
    isRevoked: false,
  });
  const hasAccessToken = requested !== "id_token";
  issue(model, model.families.length - 1, { scope: new Set(scope), key, hasAccessToken });
  return true;
}

function allowanceOf(model: DerivedModel, { client, key }: Exchange, given: Given): Allowance | undefined {
  if (!isGivenAlive(model, given)) return undefined;
  if (given.kind === "user") {
    const nothing = { audience: new Set<string>(), basis: new Set<string>(), isBound: false, actors: 0 };
    return { ...nothing, user: given.user, session: -1, scope: undefined, expiresAt: Number.POSITIVE_INFINITY };
  }
  const idToken = given.kind === "id" ? at(model.idTokens, given.idToken) : undefined;
  const tokenIndex = given.kind === "access" ? given.token : idToken?.token;
  const token = tokenIndex === undefined ? undefined : at(model.accessTokens, tokenIndex);
  const index = token?.family ?? idToken?.family ?? 0;
  const family = at(model.families, index);
  const keys = [token?.key, family.key].filter((one) => one !== undefined);
  if (keys.some((one) => one !== key)) return undefined;
  const isBound = keys.length > 0;
  const self = at(model.clients, client);
  const issuer = at(model.clients, family.client);
  const isFit =
    idToken === undefined
      ? isMeantFor(token?.audience ?? new Set(), model, client) && (!self.needsConsent || family.client === client)
      : !self.needsConsent &&
        !issuer.needsConsent &&
        issuer.project === self.project &&
        (family.client === client || isMeantFor(token?.audience ?? family.audience, model, client)) &&
        // Only the key that it is bound to shows that a public client is itself.
        (!self.isPublic || isBound);
  if (!isFit) return undefined;
  const ownToken = tokenIndex === undefined ? [] : [`token ${tokenIndex}`];
  return {
    user: family.user,
    session: family.session,
    scope: token?.scope ?? family.scope,
    audience: idToken === undefined ? (token?.audience ?? new Set()) : new Set([nameOfClient(client)]),
    expiresAt: Math.min(idToken?.expiresAt ?? Number.POSITIVE_INFINITY, token?.expiresAt ?? family.expiresAt),
    isBound,
    actors: family.actors,
    basis: new Set([...ownToken, `family ${index}`, ...family.basis]),
  };
}

const isMeantFor = (audience: ReadonlySet<string>, model: DerivedModel, client: number): boolean =>
  audience.has(nameOfClient(client)) || audience.has(nameOfProject(at(model.clients, client).project));

/** Refreshes, if that is allowed; says whether it is. */
export function refresh(model: DerivedModel, index: number, key: Key): boolean {
  const token = at(model.refreshTokens, index);
  const family = at(model.families, token.family);
  const { needsProof, isPublic } = at(model.clients, family.client);
  if (needsProof && key === undefined) return false;
  const isGood = model.now < Math.min(token.expiresAt, family.expiresAt) && isFamilyAlive(model, token.family);
  if (token.isSpent || !isGood || (family.key !== undefined && family.key !== key)) return false;
  token.isSpent = true;
  if (isPublic) family.key ??= key;
  issue(model, token.family, { scope: family.scope, key, hasAccessToken: true });
  return true;
}

export function revokeAccessToken(model: DerivedModel, index: number): void {
  at(model.accessTokens, index).isRevoked = true;
}

export function revokeFamily(model: DerivedModel, index: number): void {
  at(model.families, index).isRevoked = true;
}

/** Ends what a client has of a user: the consent, and the families that were issued to it. */
export function takeAccessAway(model: DerivedModel, user: number, client: number): void {
  model.consents.delete(consentKey(user, client));
  for (const family of model.families) if (family.user === user && family.client === client) family.isRevoked = true;
}

/** Sets whether a user is active. What one who is not had in sessions, and without one, has ended for good. */
export function setActive(model: DerivedModel, user: number, isActive: boolean): void {
  at(model.users, user).isActive = isActive;
  if (isActive) return;
  for (const session of model.sessions) if (session.user === user) session.isLive = false;
  for (const family of model.families) if (family.user === user && family.session < 0) family.isRevoked = true;
}
