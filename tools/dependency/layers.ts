/**
 * The layers of `server/src` in their order: what stands later may import what stands earlier, never the other way
 * round. A layer is a folder or a file.
 */
export const layers = [
  "base",
  "config",
  "call",
  "text",
  "database",
  "event",
  "web",
  "domain",
  "authority",
  "bearer",
  "extension",
  "html",
  "message",
  "oauth",
  "saml",
  "api",
  "rpc",
  "pages",
  "jobs",
  "http",
  "app",
  "app.ts",
  "cli",
  "main.ts",
] as const;

/** The modules of `server/src/domain` in their order. */
export const domainModules = [
  "instance",
  // Counts for the instance; knows nothing of what is counted.
  "quota",
  "milestone",
  "metadata",
  "organization",
  "settings",
  "login-text",
  "branding",
  "message-text",
  // Describes what pages and messages of the modules before it would look like.
  "preview",
  "message-provider",
  "identity-provider",
  "one-time-secret",
  // An outbox: users queue messages in the transaction that causes them.
  "notification",
  "user",
  "login-name",
  "contact",
  "password",
  "user-search",
  "credential",
  "invitation",
  "picture",
  // Creates and changes users by all of the above.
  "user-management",
  // Speaks to providers; knows no users.
  "identity-provider-client",
  "identity-provider-link",
  "identity-provider-intent",
  "feature",
  "group",
  "project",
  // What a client is registered with; knows no rows.
  "oidc-configuration",
  "saml-configuration",
  "application",
  "resource",
  // The history of the modules before it.
  "event-log",
  // Counts that history.
  "statistics",
  "administrator-access",
  "membership",
  "administrator-search",
  "authorization",
  // Reads the lists of the modules before it.
  "permission-explanation",
  "signing-key",
  "saml-key",
  "action",
  "script",
  "factor",
  "webauthn-key",
  // Reads factors and keys alike.
  "sign-in-method",
  // Known to everything that signs users in.
  "sign-in-attempt",
  "session",
  // Finds what the lists of the modules before it show.
  "search",
  // Reads who created a job, as the sign-in left them.
  "bulk-job",
  // Reads what the administrator who created a link may do.
  "setup-link",
  // What users saved of lists, for themselves.
  "saved-view",
  // Judges administrators as the sign-in does.
  "administrator-lockout",
  // A queue: sessions end in the transaction that writes whom to tell.
  "logout-notice",
  // What failed in the queues before it.
  "maintenance",
  "auth-request",
  "device-authorization",
  "consent",
  // Tokens depend on it.
  "impersonation",
  "token",
  // Keeps what tokens would be issued for.
  "test-sign-in",
  // After the tokens, because they show which registrations were used.
  "registration",
  "client-logo",
  "sign-out",
  "sign-in",
  "sign-up",
  "identity-provider-sign-in",
  "identity-provider-logout",
  "setup",
  "reencryption",
  // Opens and seals what reencryption knows.
  "transfer",
  "deletion",
  "personal-data",
] as const;

/** A pattern that matches the path of everything in a layer. */
export const layerPattern = (layer: string): string =>
  `^server/src/${escapePattern(layer)}${layer.endsWith(".ts") ? "$" : "/"}`;

/** A pattern that matches the path of everything in a module of the domain. */
export const modulePattern = (module: string): string => `^server/src/domain/${escapePattern(module)}/`;

/** Names in `server/src` and `server/src/domain` that the order does not have yet. */
export function unordered(entries: readonly string[], domainEntries: readonly string[]): string[] {
  const known = new Set<string>(layers);
  const knownModules = new Set<string>([...domainModules, "README.md"]);
  return [
    ...entries.filter((entry) => !known.has(entry) && entry !== "README.md").map((entry) => `server/src/${entry}`),
    ...domainEntries.filter((entry) => !knownModules.has(entry)).map((entry) => `server/src/domain/${entry}`),
  ];
}

function escapePattern(text: string): string {
  return text.replaceAll(".", "[.]");
}
