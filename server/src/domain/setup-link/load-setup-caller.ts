import { hashSecret, type Secret } from "../../base/secret.ts";
import {
  type Call,
  type Caller,
  type Companion,
  createAccess,
  tokenKindOf,
  withoutLoginClient,
} from "../../call/index.ts";
import { createCompanion, type Database } from "../../database/index.ts";
import { loadAccess } from "../administrator-access/index.ts";
import { claimProvider, findHome, findOpenLink, holdOpenLink, isEverythingActive } from "./setup-link.store.ts";
import { creatorPermission, permissionsOf, type SetupLink, SetupLinkEnded } from "./setup-link.ts";

export interface SetupCallerDeps {
  readonly database: Pick<Database, "read">;
}

/** A browser that has a link open. */
export interface SetupSession {
  readonly link: SetupLink;
  readonly sessionHash: string;
  /** The creator, with nothing but what the link allows. */
  readonly caller: Caller;
}

/**
 * Returns the session of a browser by its secret, with the rights that its link has at this moment. Throws
 * `SetupLinkEnded` when there is none.
 */
export async function loadSetupSession(
  deps: SetupCallerDeps,
  call: Call,
  secret: Secret | undefined,
): Promise<SetupSession> {
  if (secret === undefined || tokenKindOf(secret.reveal()) !== "setupSession") throw new SetupLinkEnded();
  const sessionHash = hashSecret(secret);
  const link = await findOpenLink(deps.database.read, call, sessionHash);
  if (link === undefined) throw new SetupLinkEnded();
  return { link, sessionHash, caller: await setupCallerOf(deps, call, link) };
}

/**
 * Returns the creator of a link as a caller who may do in its organization what the link is for, and nothing anywhere
 * else. Refuses when they are not active, when the token is gone with which they created the link, when they may not
 * create it any longer, or when the organization is not active. The link is named as the client in events. As none of
 * their roles is left, what is set up is answered for by these permissions alone.
 */
export async function setupCallerOf(
  { database: { read } }: SetupCallerDeps,
  { instanceId, now }: Pick<Call, "instanceId" | "now">,
  link: SetupLink,
): Promise<Caller> {
  const { creatorId, organizationId, linkId, parts } = link;
  const home = await findHome(read, instanceId, creatorId);
  if (home === undefined || !(await isEverythingActive(read, { instanceId, now }, link))) throw new SetupLinkEnded();
  const held = withoutLoginClient(await loadAccess(read, instanceId, creatorId));
  const permissions = new Set(parts.flatMap((part) => permissionsOf[part]));
  const isHeld = (permission: string): boolean => held.allows(permission, { organizationId });
  if (!isHeld(creatorPermission) || ![...permissions].every(isHeld)) throw new SetupLinkEnded();
  const access = createAccess([{ level: "organization", resourceId: organizationId, permissions }]);
  return { userId: creatorId, organizationId: home, clientId: linkId, access, setupLinkId: linkId };
}

/**
 * Returns what ends the units of work of a step: they are committed only while the browser has the link open and its
 * creator is active. A unit and the revocation of its link are done one after the other. `addsProvider`: the provider
 * that the unit added becomes that of the link.
 */
export const companionOfStep = (
  { link, sessionHash }: SetupSession,
  { addsProvider }: { readonly addsProvider: boolean },
): Companion =>
  createCompanion(async (tx) => {
    const isOpen = await holdOpenLink(tx, { linkId: link.linkId, sessionHash }, addsProvider ? "alone" : "share");
    if (!isOpen || !(await isEverythingActive(tx, tx, link))) throw new SetupLinkEnded();
    if (addsProvider && !(await claimProvider(tx, link))) throw new SetupLinkEnded();
  });
