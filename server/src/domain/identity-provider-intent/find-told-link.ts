import type { Call } from "../../call/index.ts";
import type { Reader } from "../../database/index.ts";
import type { IdentityProvider } from "../identity-provider/index.ts";
import type { ExternalIdentity } from "../identity-provider-client/index.ts";
import { findCountingLink, type IdentityLink } from "../identity-provider-link/index.ts";
import { findInstance } from "../instance/index.ts";
import type { PreparedDeps } from "../user/index.ts";
import type { IdentityIntent } from "./identity-intent.ts";

/** The account that a provider named in an attempt. */
interface NamedAccount {
  readonly intent: Pick<IdentityIntent, "browserHash">;
  readonly provider: Pick<IdentityProvider, "identityProviderId" | "speaker" | "ownerOrganizationId">;
  readonly identity: Pick<ExternalIdentity, "subject" | "email" | "isEmailVerified">;
}

/**
 * Step: finds the link of an account that an application learns of. The application then signs in its user, or offers
 * to create one if there is no link. So the link of a user who cannot sign in is reported in the organization of that
 * user alone: no other organization can keep the account from its owner. Our own pages know more exactly which
 * organization a sign-in is for, and look again.
 */
export async function findToldLink(
  reader: Reader,
  call: Call,
  deps: PreparedDeps,
  { intent, provider, identity }: NamedAccount,
): Promise<IdentityLink | undefined> {
  const { identityProviderId, speaker } = provider;
  const { subject: externalUserId, email, isEmailVerified } = identity;
  const home = intent.browserHash === null ? await homeOfNewUsers(reader, call, provider) : undefined;
  const account = { identityProviderId, speaker, externalUserId };
  return findCountingLink(reader, call.instanceId, deps, account, { email, isEmailVerified, home });
}

// Where a user would be created by the request that is proposed to the caller (`createUser`); a browser that comes back
// has none.
async function homeOfNewUsers(
  reader: Reader,
  { instanceId, caller }: Call,
  { ownerOrganizationId }: NamedAccount["provider"],
): Promise<string | undefined> {
  if (ownerOrganizationId !== "") return ownerOrganizationId;
  return caller?.organizationId ?? (await findInstance(reader, instanceId))?.defaultOrganizationId;
}
