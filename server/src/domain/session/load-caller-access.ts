import {
  type Access,
  type Call,
  type Caller,
  createAccess,
  narrowPosition,
  type Position,
  type Presented,
} from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { type ContextLevel, levelOfMethods } from "./authentication-context.ts";
import { isFreshCaller } from "./is-fresh-caller.ts";

export interface CallerAccessDeps {
  readonly database: Pick<Database, "read">;
  readonly settings: SettingsReader;
  /** Whether administrators act only by a strong and recent sign-in (strict profile). */
  readonly isStrict: boolean;
}

/** A user behind a token, as far as they were identified. */
export interface IdentifiedCaller {
  readonly identity: Presented<Omit<Caller, "access" | "withheld">>;
  /** What the sign-in behind the token amounts to; undefined for service accounts, which do not sign in. */
  readonly level: ContextLevel | undefined;
  /** Leaves of the user's permissions what the application that calls may use; absent: all of them. */
  readonly limit?: ((access: Access) => Access) | undefined;
}

/**
 * Returns what the user of a token may do with it: the roles committed now, held to the sign-in behind the token. The
 * only way from a token to permissions, for our own APIs, registration and impersonation alike, so that none of them
 * can forget how the user signed in.
 */
export async function loadCallerAccess(
  deps: CallerAccessDeps,
  call: Call,
  { identity, level, limit }: IdentifiedCaller,
): Promise<Pick<Caller, "access" | "withheld">> {
  const loaded = await loadAccess(deps.database.read, call.instanceId, identity.userId);
  const access = limit === undefined ? loaded : limit(loaded);
  return deps.isStrict ? holdToSignIn(deps, call, { identity, access, level }) : { access };
}

/**
 * Returns what the sign-in behind a token amounts to, by the family of the token; undefined for what a service account
 * got by its own credentials.
 */
export const levelOfToken = ({
  clientId,
  userId,
  authenticationMethods,
}: {
  readonly clientId: string | undefined;
  readonly userId: string | undefined;
  readonly authenticationMethods: readonly string[];
}): ContextLevel | undefined => (clientId === userId ? undefined : levelOfMethods(authenticationMethods));

// In the strict profile administrators of the instance and of organizations act only by a sign-in with two factors, and
// administrators of anything change something only within ten minutes of it. What they may do to their own account
// depends on no position, and stays.
async function holdToSignIn(
  { database, settings }: CallerAccessDeps,
  call: Call,
  { identity, access, level }: IdentifiedCaller & { readonly access: Access },
): Promise<Pick<Caller, "access" | "withheld">> {
  if (level === undefined || access.positions.length === 0) return { access };
  if (level < 2 && access.positions.some(needsTwoFactors)) {
    const kept = access.positions.filter((position) => !needsTwoFactors(position));
    return { access: toReading(kept), withheld: { access, slug: "authentication.two_factors_needed" } };
  }
  // A question, and no call: nothing waits for its answer.
  const { isUnconfirmed: _, ...known } = identity;
  const caller = { ...known, access };
  if (await isFreshCaller(database.read, { ...call, caller }, settings)) return { access };
  return { access: toReading(access.positions), withheld: { access, slug: "authentication.too_old" } };
}

const needsTwoFactors = ({ level }: Position): boolean => level === "instance" || level === "organization";

const toReading = (positions: readonly Position[]): Access =>
  createAccess(positions.map((position) => narrowPosition(position, isReading)));

const isReading = (permission: string): boolean => /\.read(?::self)?$/.test(permission);
