import type { Call } from "./api.ts";
import type { LoginSettings, User } from "./server-words.ts";

/** Second factors as users are asked for them, strongest first, with the words of the interface for each. */
const secondFactors = [
  {
    kind: "key",
    label: "Security key or passkey",
    setting: "SECOND_FACTOR_TYPE_U2F",
    methods: ["PASSKEY", "U2F"],
    check: "webAuthN",
  },
  { kind: "totp", label: "Authenticator app", setting: "SECOND_FACTOR_TYPE_OTP", methods: ["TOTP"], check: "totp" },
  {
    kind: "otpSms",
    label: "Code by text message",
    setting: "SECOND_FACTOR_TYPE_OTP_SMS",
    methods: ["OTP_SMS"],
    check: "otpSms",
  },
  {
    kind: "otpEmail",
    label: "Code by email",
    setting: "SECOND_FACTOR_TYPE_OTP_EMAIL",
    methods: ["OTP_EMAIL"],
    check: "otpEmail",
  },
  {
    kind: "recoveryCode",
    label: "Recovery code",
    setting: "SECOND_FACTOR_TYPE_RECOVERY_CODES",
    methods: ["RECOVERY_CODE"],
    check: "recoveryCode",
  },
] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Reads the login settings of an organization, or of the instance while no user is known. */
export async function readSettings(call: Call, organizationId?: string): Promise<LoginSettings> {
  const ctx = organizationId === undefined ? { instance: true } : { orgId: organizationId };
  const { settings = {} } = await call<{ settings?: LoginSettings }>("settings.v2.SettingsService/GetLoginSettings", {
    ctx,
  });
  return settings;
}

/**
 * Returns what a user can be asked for as a second factor, and whether they have one that the settings do not allow.
 */
export async function listSecondFactors(call: Call, userId: string, settings: LoginSettings) {
  const { authMethodTypes = [] } = await call<{ authMethodTypes?: readonly string[] }>(
    "user.v2.UserService/ListAuthenticationMethodTypes",
    { userId },
  );
  const has = ({ methods }: SecondFactor): boolean =>
    methods.some((method) => authMethodTypes.includes(`AUTHENTICATION_METHOD_TYPE_${method}`));
  const theirs = secondFactors.filter(has);
  return {
    usable: theirs.filter(isAllowedBy(settings)),
    // A passkey is a sign-in of its own, and recovery codes stand in for another factor: neither makes a second factor
    // due.
    isDue: ["TOTP", "U2F", "OTP_SMS", "OTP_EMAIL"].some((method) =>
      authMethodTypes.includes(`AUTHENTICATION_METHOD_TYPE_${method}`),
    ),
    hasAny: theirs.some(({ kind }) => kind !== "recoveryCode"),
  };
}

/** Returns what a user can set up here: an app, and codes to an address or a number that is confirmed. */
export async function listAddable(call: Call, userId: string, settings: LoginSettings): Promise<SecondFactor[]> {
  const { user } = await call<{ user: User }>("user.v2.UserService/GetUserByID", { userId });
  const { email, phone } = user.human ?? {};
  const isPossible = {
    key: false,
    totp: true,
    recoveryCode: false,
    otpSms: phone?.isVerified === true,
    otpEmail: email?.isVerified === true,
  };
  return secondFactors.filter(isAllowedBy(settings)).filter(({ kind }) => isPossible[kind]);
}

function isAllowedBy({ secondFactors: names = [] }: LoginSettings): (factor: SecondFactor) => boolean {
  // SECOND_FACTOR_TYPE_OTP and …_TOTP are one value.
  const allowed = new Set(names.map((name) => name.replace(/_TOTP$/, "_OTP")));
  return ({ setting }) => allowed.has(setting);
}
