import type { Instant } from "../../base/clock.ts";
import type { Reader } from "../../database/index.ts";
import { mayVouchFor } from "../administrator-access/index.ts";
import { type IdentityProvider, speakerOf } from "../identity-provider/index.ts";
import type { LinkKind } from "../identity-provider-link/index.ts";
import type { LoadedMeans, Reading } from "./load-means.ts";
import type { Offer } from "./read-offers.ts";
import { type SignInMethods, signInMethods } from "./sign-in-methods.ts";

/**
 * Step: returns the methods of signing in that a user has where the login offers this, by each reading of what they
 * have. Which links count depends on what the sign-in is for, as in the sign-in itself. The word of an administrator
 * can also count by a verified address that the provider reports: that is not known before.
 */
export async function judge(
  reader: Reader,
  { instanceId, now }: { readonly instanceId: string; readonly now: Instant },
  user: { readonly userId: string; readonly organizationId: string },
  { loaded: { readings, links }, offer }: { readonly loaded: LoadedMeans; readonly offer: Offer },
): Promise<Record<Reading, SignInMethods>> {
  const counting = links.filter(({ assertedIn }) => assertedIn === null || offer.isForOrganization);
  const linked = offer.providers.filter((provider) => counting.some((link) => isOfProvider(link, provider)));
  const conditions = { login: offer.login, isVouchedFor: await isVouchedFor(reader, instanceId, user, linked), now };
  return { all: signInMethods(readings.all, conditions), own: signInMethods(readings.own, conditions) };
}

async function isVouchedFor(
  reader: Reader,
  instanceId: string,
  user: { readonly userId: string; readonly organizationId: string },
  providers: readonly IdentityProvider[],
): Promise<boolean> {
  for (const provider of providers) {
    if (await mayVouchFor(reader, instanceId, provider, user)) return true;
  }
  return false;
}

// The links of a provider that never had another speaker get its name only when the next one begins to speak.
const isOfProvider = ({ identityProviderId, speaker }: LinkKind, provider: IdentityProvider): boolean =>
  identityProviderId === provider.identityProviderId &&
  (speaker === provider.speaker || (provider.speaker === "" && speaker === speakerOf(provider.configuration)));
