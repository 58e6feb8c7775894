// What the standards and our decisions say of tokens, as a pure model: no database, no server, a few arrays.

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const lifetimes = {
  code: minute,
  access: 12 * hour,
  refreshIdle: 30 * day,
  refreshAbsolute: 90 * day,
};

type Life = "active" | "inactive" | "deleted";

interface Session {
  readonly user: number;
  isLive: boolean;
}

interface Code {
  readonly client: number;
  readonly session: number;
  readonly expiresAt: number;
  /** The family that it was exchanged for; absent while it is unused. */
  family?: number;
}

interface Family {
  readonly client: number;
  readonly session: number;
  /** Absolute end of refreshing. */
  readonly expiresAt: number;
  isRevoked: boolean;
}

interface AccessToken {
  readonly family: number;
  readonly expiresAt: number;
  isRevoked: boolean;
}

interface RefreshToken {
  readonly family: number;
  readonly expiresAt: number;
  isSpent: boolean;
}

/** Everything that decides whether a token is valid. Indices are those of the real objects in `FamilyFixtures`. */
export interface FamilyModel {
  now: number;
  readonly users: Life[];
  readonly clients: Life[];
  readonly sessions: Session[];
  readonly codes: Code[];
  readonly families: Family[];
  readonly accessTokens: AccessToken[];
  readonly refreshTokens: RefreshToken[];
}

/** One session for each user at the start. */
export function newModel(now: number, counts: { readonly users: number; readonly clients: number }): FamilyModel {
  return {
    now,
    users: Array.from({ length: counts.users }, () => "active"),
    clients: Array.from({ length: counts.clients }, () => "active"),
    sessions: Array.from({ length: counts.users }, (_, user) => ({ user, isLive: true })),
    codes: [],
    families: [],
    accessTokens: [],
    refreshTokens: [],
  };
}

const at = <Item>(list: readonly Item[], index: number): Item => list[index] as Item;

/** Whether this session may sign a user in at all. */
export function isSessionGood(model: FamilyModel, index: number): boolean {
  const { user, isLive } = at(model.sessions, index);
  return isLive && at(model.users, user) === "active";
}

export function isFamilyGood(model: FamilyModel, index: number): boolean {
  const { client, session, isRevoked } = at(model.families, index);
  return !isRevoked && at(model.clients, client) === "active" && isSessionGood(model, session);
}

/** Returns what introspection has to say of an access token. */
export function isActive(model: FamilyModel, index: number): boolean {
  const { family, expiresAt, isRevoked } = at(model.accessTokens, index);
  return !isRevoked && model.now < expiresAt && isFamilyGood(model, family);
}

/** Whether a refresh token works for its own client. */
function isRefreshable(model: FamilyModel, index: number): boolean {
  const { family, expiresAt, isSpent } = at(model.refreshTokens, index);
  return (
    !isSpent && model.now < expiresAt && model.now < at(model.families, family).expiresAt && isFamilyGood(model, family)
  );
}

function isRedeemable(model: FamilyModel, index: number): boolean {
  const { client, session, expiresAt, family } = at(model.codes, index);
  const isUsable = family === undefined && model.now < expiresAt && at(model.clients, client) === "active";
  return isUsable && isSessionGood(model, session);
}

export function authorize(model: FamilyModel, client: number, session: number): void {
  model.codes.push({ client, session, expiresAt: model.now + lifetimes.code });
}

/** Presents a code, by the client it was issued to. True: there are tokens. */
export function redeem(model: FamilyModel, index: number): boolean {
  const code = at(model.codes, index);
  if (!isRedeemable(model, index)) {
    // RFC 6749 §4.1.2: a code presented twice revokes what it gave; an unauthenticated client changes nothing.
    if (code.family !== undefined && isClientGood(model, code.client)) revokeFamily(model, code.family);
    return false;
  }
  code.family = model.families.length;
  const { client, session } = code;
  model.families.push({ client, session, expiresAt: model.now + lifetimes.refreshAbsolute, isRevoked: false });
  issue(model, code.family);
  return true;
}

/** Presents a refresh token, by the client it was issued to. True: there are new tokens. */
export function refresh(model: FamilyModel, index: number): boolean {
  const token = at(model.refreshTokens, index);
  if (!isRefreshable(model, index)) {
    // RFC 9700 §4.14.2: a spent token that is presented again revokes the family.
    if (token.isSpent && isClientGood(model, at(model.families, token.family).client))
      revokeFamily(model, token.family);
    return false;
  }
  token.isSpent = true;
  issue(model, token.family);
  return true;
}

function issue(model: FamilyModel, family: number): void {
  const { expiresAt } = at(model.families, family);
  model.accessTokens.push({ family, expiresAt: model.now + lifetimes.access, isRevoked: false });
  const idleEnd = Math.min(model.now + lifetimes.refreshIdle, expiresAt);
  model.refreshTokens.push({ family, expiresAt: idleEnd, isSpent: false });
}

export const isClientGood = (model: FamilyModel, client: number): boolean => at(model.clients, client) === "active";

export function revokeFamily(model: FamilyModel, family: number): void {
  at(model.families, family).isRevoked = true;
}

export function revokeAccessToken(model: FamilyModel, index: number): void {
  at(model.accessTokens, index).isRevoked = true;
}

export function endSession(model: FamilyModel, session: number): void {
  at(model.sessions, session).isLive = false;
}

export function endSessionsOf(model: FamilyModel, user: number): void {
  for (const session of model.sessions) if (session.user === user) session.isLive = false;
}

/** Deletion is final; the other two go back and forth. */
export function setLife(list: Life[], index: number, life: Life): void {
  list[index] = life;
}
