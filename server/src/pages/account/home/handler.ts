import { isPasswordEnding } from "../../../domain/password/index.ts";
import type { LoginSettings } from "../../../domain/settings/index.ts";
import { listSignInMethods, type SignInMethods } from "../../../domain/sign-in-method/index.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import { accountPage } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { accountHomePage, type SecurityLevel, type Suggestion } from "./view.ts";

/** `/ui/account`: the user, how well the account is secured, and the single change that would help most. */
export const homePage = accountPage({
  path: "/ui/account",
  goal: "account",
  get: async (deps, account) => {
    const methods = await listSignInMethods(deps, account.call, account.user);
    const isEnding = await isPasswordEnding(deps, account.call, account.user.userId);
    const kind = isEnding ? "renew_password" : suggest(account, methods, await accountSettings(deps, account));
    const suggestion = kind && { kind, href: pageIn(account, suggestionPaths[kind]) };
    return showAccount(deps, account, "home", (context, frame) =>
      accountHomePage(context, { ...frame, level: levelOf(methods), suggestion }),
    );
  },
});

const hasSecondFactor = ({ codes, securityKeys }: SignInMethods): boolean =>
  securityKeys.length > 0 || codes.some((kind) => kind !== "recovery_codes");

/** Returns how well an account is secured by its methods. */
function levelOf(methods: SignInMethods): SecurityLevel {
  if (methods.passkeys.length > 0) return "passkey";
  if (methods.hasPassword) return hasSecondFactor(methods) ? "two_factors" : "password";
  return methods.links.some(({ isSuspended }) => !isSuspended) ? "external" : "nothing";
}

const suggestionPaths: Readonly<Record<Suggestion, string>> = {
  verify_email: "/ui/account/email",
  add_passkey: "/ui/account/passkey",
  add_totp: "/ui/account/totp",
  add_recovery_codes: "/ui/account/recovery-codes",
  set_password: "/ui/account/password",
  renew_password: "/ui/account/password",
};

/** Suggests the change that would help most, among those that the settings allow. */
function suggest(
  { user }: Pick<Account, "user">,
  methods: SignInMethods,
  settings: LoginSettings,
): Suggestion | undefined {
  const { allowLocalAuthentication, allowPasskeys, secondFactors } = settings;
  const isWeak = methods.hasPassword && methods.passkeys.length === 0 && !hasSecondFactor(methods);
  if (!user.email.isVerified) return "verify_email";
  if (isWeak && allowLocalAuthentication && allowPasskeys) return "add_passkey";
  if (isWeak && secondFactors.includes("totp")) return "add_totp";
  const mayLoseSecond = methods.hasPassword && hasSecondFactor(methods) && methods.recoveryCodesLeft === 0;
  if (mayLoseSecond && secondFactors.includes("recovery_codes")) return "add_recovery_codes";
  // A device is lost more easily than a password, and a passkey with it.
  const hasOnlyOnePasskey = methods.passkeys.length === 1 && !methods.hasPassword && methods.links.length === 0;
  return hasOnlyOnePasskey && allowPasskeys ? "add_passkey" : undefined;
}
