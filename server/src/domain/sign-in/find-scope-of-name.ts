import type { Call } from "../../call/index.ts";
import { loginSettingsOf } from "../settings/index.ts";
import { type BrowserVisit, organizationOf, type SignInDeps } from "./browser-visit.ts";
import type { EnteredName } from "./read-name.ts";
import type { CurrentSignIn } from "./state.ts";

/** The scope that a name belongs to. */
export interface ScopeOfName {
  /** Undefined where the settings of the instance apply. */
  readonly organizationId: string | undefined;
  /** The organization of the named user, where the settings permit to reveal it. */
  readonly userOrganizationId: string | undefined;
  /** Whether users there sign in with what is checked here. */
  readonly isLocalAllowed: boolean;
  /** The name is unknown, and the settings permit to report that. */
  readonly isUnknownRevealed: boolean;
}

/**
 * Returns the scope of a name: the login's organization, otherwise that of the user, unless the settings hide which
 * users exist. Administrators of the instance get to the password page where its settings allow it: they would have no
 * way in otherwise, and the page shows no more than that.
 */
export async function findScopeOfName(
  deps: SignInDeps,
  call: Call,
  visit: BrowserVisit,
  { signIn, name }: { readonly signIn: CurrentSignIn; readonly name: EnteredName },
): Promise<ScopeOfName> {
  const given = organizationOf(visit);
  const isRevealed = !name.hidesUnknown;
  const userOrganizationId = given === undefined && isRevealed ? signIn.userOrganizationId : undefined;
  const organizationId = given ?? userOrganizationId;
  // For an unknown name the settings are asked about a user who administers nothing, which takes as long.
  const { allowLocalAuthentication: isLocalAllowed } = await loginSettingsOf(deps, call, {
    organizationId,
    userId: signIn.userId ?? "",
  });
  const isUnknownRevealed = signIn.userId === undefined && isRevealed;
  return { organizationId, userOrganizationId, isLocalAllowed, isUnknownRevealed };
}
