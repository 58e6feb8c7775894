import { generateKeyPairSync } from "node:crypto";

export const homeId = "700000000000000001";
export const guestId = "700000000000000002";

/** An organization with everything that an import has, and another that one of its projects is granted to. */
export function everything(): object[] {
  const { publicKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
  const text = { subject: "Subject", title: "Title", greeting: "Hello", text: "Text", buttonText: "Go" };
  const messages = [{ language: "en", ...text }];
  const home = {
    orgId: homeId,
    org: { name: "Home" },
    domainPolicy: { orgId: homeId, userLoginMustBeDomain: true },
    labelPolicy: { primaryColor: "#123456", hideLoginNameSuffix: true },
    lockoutPolicy: { maxPasswordAttempts: 7, maxOtpAttempts: 6 },
    passwordComplexityPolicy: { minLength: "12", hasNumber: true },
    privacyPolicy: { tosLink: "https://home.example/tos", helpLink: "https://home.example/help" },
    loginPolicy: {
      allowUsernamePassword: true,
      allowExternalIdp: true,
      secondFactors: ["SECOND_FACTOR_TYPE_OTP"],
      passwordCheckLifetime: "864000s",
      idps: [{ idpId: "jwt-1", ownerType: "IDP_OWNER_TYPE_ORG" }],
    },
    jwtIdps: [
      {
        idpId: "jwt-1",
        idp: {
          name: "Tokens",
          jwtEndpoint: "https://jwt.example/in",
          issuer: "https://jwt.example",
          keysEndpoint: "https://jwt.example/keys",
          headerName: "x-auth-token",
        },
      },
    ],
    oidcIdps: [
      {
        idpId: "oidc-1",
        state: "IDP_STATE_INACTIVE",
        idp: {
          name: "Provider",
          clientId: "doorward",
          clientSecret: "what the provider gave",
          issuer: "https://provider.example",
          scopes: ["openid", "email"],
          providerOptions: { isAutoUpdate: true },
          usePkce: true,
        },
      },
    ],
    domains: [{ domainName: "home.example" }],
    projects: [
      { projectId: "71", project: { name: "Shop", projectRoleAssertion: true, hasProjectCheck: true } },
      { projectId: "79", state: "PROJECT_STATE_INACTIVE", project: { name: "Closed" } },
    ],
    projectRoles: [
      { projectId: "71", roleKey: "buyer", displayName: "Buyer", group: "people" },
      { projectId: "71", roleKey: "seller", displayName: "Seller" },
    ],
    oidcApps: [
      {
        appId: "72",
        app: {
          projectId: "71",
          name: "Web",
          redirectUris: ["https://shop.example/callback"],
          responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
          grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
          authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE",
          postLogoutRedirectUris: ["https://shop.example/"],
        },
      },
    ],
    apiApps: [
      {
        appId: "73",
        state: "APP_STATE_INACTIVE",
        app: { projectId: "71", name: "API", authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" },
      },
    ],
    humanUsers: [
      {
        userId: "74",
        user: {
          userName: "ada",
          profile: { firstName: "Ada", lastName: "L", displayName: "Ada L", preferredLanguage: "en", nickName: "A" },
          email: { email: "ada@home.example", isEmailVerified: true },
          phone: { phone: "+41791234567", isPhoneVerified: true },
          hashedPassword: { value: "$2b$04$1JJYeFsCQkxk2pZwSNPZKuQYIRPRXtkKZ8vqE6PqvXf.PT0pUOmIi" },
        },
      },
      {
        userId: "75",
        state: "USER_STATE_INACTIVE",
        user: {
          userName: "bob",
          profile: { firstName: "Bob", lastName: "B" },
          email: { email: "bob@home.example" },
        },
      },
    ],
    machineUsers: [
      { userId: "76", user: { userName: "robot", name: "Robot", accessTokenType: "ACCESS_TOKEN_TYPE_JWT" } },
    ],
    machineKeys: [
      {
        keyId: "k1",
        userId: "76",
        publicKey: Buffer.from(pem).toString("base64"),
        expirationDate: "2030-01-01T00:00:00Z",
      },
    ],
    userLinks: [
      { userId: "74", idpId: "jwt-1", providedUserId: "ext-ada", providedUserName: "ada@jwt.example" },
      { userId: "74", idpId: "oidc-1", providedUserId: "ada", providedUserName: "ada@provider.example" },
    ],
    userMetadata: [{ id: "74", key: "plan", value: Buffer.from("gold").toString("base64") }],
    actions: [
      { actionId: "a1", action: { name: "note", script: "function note(ctx, api) {}", timeout: "5s" } },
      {
        actionId: "a2",
        state: "ACTION_STATE_INACTIVE",
        action: { name: "off", script: "function off(ctx, api) {}", timeout: "5s" },
      },
    ],
    triggerActions: [{ flowType: "1", triggerType: "1", actionIds: ["a1"] }],
    projectGrants: [{ grantId: "g1", projectGrant: { projectId: "71", grantedOrgId: guestId, roleKeys: ["buyer"] } }],
    userGrants: [{ userId: "74", projectId: "71", roleKeys: ["buyer", "seller"] }],
    orgMembers: [{ userId: "74", roles: ["ORG_OWNER"] }],
    projectMembers: [{ projectId: "71", userId: "76", roles: ["PROJECT_OWNER"] }],
    projectGrantMembers: [{ projectId: "71", grantId: "g1", userId: "78", roles: ["PROJECT_GRANT_OWNER"] }],
    loginTexts: [{ language: "en", loginText: { title: "Come in" } }],
    initMessages: messages,
    passwordResetMessages: messages,
    verifyEmailMessages: messages,
    verifyPhoneMessages: [{ language: "en", text: "Code {{.Code}}" }],
    verifySmsOtpMessages: [{ language: "en", text: "Code {{.OTP}}" }],
    verifyEmailOtpMessages: messages,
    domainClaimedMessages: messages,
    passwordlessRegistrationMessages: messages,
    inviteUserMessages: messages,
  };
  const guest = {
    orgId: guestId,
    orgState: "ORG_STATE_INACTIVE",
    orgDeactivatedByInstance: true,
    org: { name: "Guest" },
    // It follows the login settings of the instance, and offers this one beside.
    jwtIdps: [
      {
        idpId: "jwt-2",
        idp: {
          name: "Guest tokens",
          jwtEndpoint: "https://jwt.example/in",
          issuer: "https://jwt.example",
          keysEndpoint: "https://jwt.example/keys",
          headerName: "x-auth-token",
        },
      },
    ],
    offeredIdpIds: ["jwt-2"],
    humanUsers: [
      {
        userId: "78",
        user: {
          userName: "eve",
          profile: { firstName: "Eve", lastName: "E" },
          email: { email: "eve@guest.example", isEmailVerified: true },
        },
      },
    ],
    userGrants: [{ userId: "78", projectId: "71", projectGrantId: "g1", roleKeys: ["buyer"] }],
  };
  return [home, guest];
}

/** Names entries whose ids an instance chooses by what they are, and sorts lists, which are in order of creation. */
export function comparable(orgs: readonly Record<string, unknown>[]): unknown {
  const names = new Map<string, string>();
  // biome-ignore lint/suspicious/noExplicitAny: responses are JSON.
  for (const org of orgs as any[]) {
    for (const { actionId, action } of org.actions ?? []) names.set(actionId, action.name);
    for (const { grantId, projectGrant } of org.projectGrants ?? []) names.set(grantId, projectGrant.grantedOrgId);
    for (const { idpId, idp } of [...(org.jwtIdps ?? []), ...(org.oidcIdps ?? [])]) names.set(idpId, idp.name);
  }
  const name = (value: unknown): unknown => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (Array.isArray(value))
      return value.map(name).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => [key, name(item)]),
    );
  };
  return name(orgs);
}
