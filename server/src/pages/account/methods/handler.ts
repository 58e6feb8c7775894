import type { ProviderSummary } from "../../../domain/identity-provider/index.ts";
import { isPasswordEnding } from "../../../domain/password/index.ts";
import type { LoginSettings } from "../../../domain/settings/index.ts";
import { listSignInMethods, type SignInMethods } from "../../../domain/sign-in-method/index.ts";
import { listAcceptedCredentials } from "../../../domain/webauthn-key/index.ts";
import type { PageDeps } from "../../deps.ts";
import type { PasskeySignals } from "../../login/parts/passkey-signals.ts";
import { hostOf } from "../../visit/visit.ts";
import { linkPage } from "../link/link-address.ts";
import { listLinkableProviders } from "../link/linkable-providers.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { accountSettings } from "../parts/account-settings.ts";
import type { AccountFrame } from "../parts/frame-view.ts";
import { accountPage } from "../parts/handlers.ts";
import { showAccount } from "../parts/show-account.ts";
import { type CodeView, type MethodsModel, methodsPage } from "./view.ts";

/** `/ui/account/methods`: the user's sign-in methods, and those that the settings allow to add. */
export const methodsPages = [
  accountPage({
    path: "/ui/account/methods",
    goal: "account-methods-list",
    get: async (deps: PageDeps, account: Account) => {
      const methods = await listSignInMethods(deps, account.call, account.user);
      const settings = await accountSettings(deps, account);
      const providers = await listLinkableProviders(deps, account);
      const isEnding = await isPasswordEnding(deps, account.call, account.user.userId);
      const signals = await findSignals(deps, account);
      return showAccount(deps, account, "methods", (context, frame) =>
        methodsPage(context, toModel(account, frame, methods, { settings, providers, isEnding, signals })),
      );
    },
  }),
];

/** Returns the user's current passkeys and name for the browser. */
async function findSignals(deps: PageDeps, { call, user: { userId }, visit }: Account): Promise<PasskeySignals> {
  const rpId = hostOf(visit.request);
  const accepted = await listAcceptedCredentials(deps, call, { userId, relyingPartyId: rpId });
  const { userHandle, name, displayName, credentialIds: allAcceptedCredentialIds } = accepted;
  return {
    signalAllAcceptedCredentials: { rpId, userId: userHandle, allAcceptedCredentialIds },
    signalCurrentUserDetails: { rpId, userId: userHandle, name, displayName },
  };
}

interface Surroundings {
  readonly settings: LoginSettings;
  readonly providers: readonly ProviderSummary[];
  readonly isEnding: boolean;
  readonly signals: PasskeySignals;
}

function toModel(
  account: Account,
  frame: AccountFrame,
  methods: SignInMethods,
  { settings, providers, isEnding, signals }: Surroundings,
): MethodsModel {
  const { hasPassword, passwordChangedAt, passkeys, securityKeys, links, recoveryCodesLeft, codes } = methods;
  const { allowLocalAuthentication, allowPasskeys, secondFactors } = settings;
  const remove = (kind: string, id?: string, provider?: string) =>
    pageIn(account, "/ui/account/methods/remove", { kind, id, provider });
  const only = (isAllowed: boolean, path: string) => (isAllowed ? pageIn(account, path) : undefined);
  const keyOf = (kind: "passkey" | "u2f") => (key: SignInMethods["passkeys"][number]) => ({
    name: key.name,
    createdAt: key.createdAt,
    removeHref: remove(kind, key.credentialId),
  });
  const hasRecovery = codes.includes("recovery_codes");
  const mayRecover = secondFactors.includes("recovery_codes");
  return {
    ...frame,
    password:
      hasPassword || allowLocalAuthentication
        ? {
            isSet: hasPassword,
            changedAt: passwordChangedAt,
            isEnding,
            href: only(allowLocalAuthentication, "/ui/account/password"),
          }
        : undefined,
    passkeys: passkeys.map(keyOf("passkey")),
    addPasskeyHref: only(allowPasskeys, "/ui/account/passkey"),
    securityKeys: securityKeys.map(keyOf("u2f")),
    addSecurityKeyHref: only(secondFactors.includes("u2f"), "/ui/account/security-key"),
    codes: (["totp", "otp_email", "otp_sms"] as const).flatMap((kind) =>
      codeView(account, kind, { codes, secondFactors }),
    ),
    recovery:
      hasRecovery || mayRecover
        ? {
            left: recoveryCodesLeft,
            href: only(mayRecover, "/ui/account/recovery-codes"),
            removeHref: hasRecovery ? remove("recovery_codes") : undefined,
          }
        : undefined,
    links: links.map(({ providerName, externalUsername, identityProviderId, externalUserId, isSuspended }) => ({
      provider: providerName,
      username: externalUsername,
      isSuspended,
      removeHref: remove("idp", externalUserId, identityProviderId),
    })),
    signals,
    linkable: providers.map((provider) => ({ provider: provider.name, href: linkPage(account, provider) })),
  };
}

function codeView(
  account: Account,
  kind: CodeView["kind"],
  { codes, secondFactors }: Pick<SignInMethods, "codes"> & Pick<LoginSettings, "secondFactors">,
): CodeView[] {
  const { email, phone } = account.user;
  const isOn = codes.includes(kind);
  const isAllowed = secondFactors.includes(kind);
  if (!isOn && !isAllowed) return [];
  const isPossible = { totp: true, otp_email: email.isVerified, otp_sms: phone?.isVerified === true }[kind];
  const recipient = { totp: undefined, otp_email: email.address, otp_sms: phone?.number }[kind];
  const addHref =
    kind === "totp" ? pageIn(account, "/ui/account/totp") : pageIn(account, "/ui/account/methods/add", { kind });
  return [
    {
      kind,
      isOn,
      recipient: isPossible ? recipient : undefined,
      addHref: !isOn && isPossible ? addHref : undefined,
      removeHref: isOn ? pageIn(account, "/ui/account/methods/remove", { kind }) : undefined,
    },
  ];
}
