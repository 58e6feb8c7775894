import { existsSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { createApiClient } from "../api-client.ts";
import { answer } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { type ApplicationEnvironment, environmentFile, toEnvironmentText, writeEnvironmentFile } from "../env-file.ts";
import { findServer } from "../find-server.ts";
import { type ApplicationType, type ApplicationTypeName, applicationTypes } from "./application-types.ts";
import { type ClientOptions, clientFields, refuseClientFields } from "./client-options.ts";
import { type RegisteredApplication, registerApplication } from "./register-application.ts";
import type { RegisteredResource, WantedResource } from "./register-resource.ts";
import { keepKey, type ProfileOptions, wantedProfile } from "./security-profile.ts";

interface Options extends ProfileOptions, ClientOptions {
  readonly type: ApplicationTypeName;
  readonly redirectUri?: string[];
  readonly postLogoutRedirectUri?: string[];
  readonly project?: string;
  readonly organization?: string;
  readonly writeEnv?: string;
  readonly loginUri?: string;
  readonly trustedForApi?: boolean;
  readonly uri?: string;
  readonly scope?: string[];
  readonly registration: boolean;
}

/** Registers an application and prints its configuration. */
export async function runAppCreate(command: Command, name: string): Promise<void> {
  const options = command.opts<Options>();
  const { type } = options;
  const defaults: ApplicationType = applicationTypes[type];
  const redirectUris = options.redirectUri ?? listOf(defaults.redirectUri);
  // The default logout address only fits the default redirect address: another application has another one.
  const ownLogout = options.redirectUri === undefined ? listOf(defaults.postLogoutRedirectUri) : [];
  const postLogoutRedirectUris = options.postLogoutRedirectUri ?? ownLogout;
  // Checked before there is a secret that could be lost.
  if (options.writeEnv !== undefined && existsSync(options.writeEnv)) {
    throw new CommandError(`${options.writeEnv} already exists`, { fix: "name another file with --write-env" });
  }
  const fields = clientFields(options);
  if (defaults.oidc === undefined) refuseClientFields(fields, type);
  const resource = wantedResource(options);
  const profile = wantedProfile(options, { type, redirectUris });
  const server = await findServer(command);
  const made = await registerApplication(createApiClient(server), {
    name,
    type,
    redirectUris,
    postLogoutRedirectUris,
    projectId: options.project,
    organizationId: options.organization,
    loginUri: options.loginUri,
    isTrustedForApi: options.trustedForApi === true,
    clientFields: fields,
    isFapi: profile !== undefined,
    resource,
  });
  if (profile !== undefined) await keepKey(profile, made.key ?? "");
  const environment: ApplicationEnvironment = {
    ISSUER: server.url,
    CLIENT_ID: made.clientId,
    CLIENT_SECRET: made.clientSecret,
    CLIENT_KEY_FILE: profile?.keyFile,
    LOGIN_TOKEN: made.loginToken,
    RESOURCE: made.resource?.uri,
    REDIRECT_URI: redirectUris[0],
    POST_LOGOUT_REDIRECT_URI: postLogoutRedirectUris[0],
  };
  const file = await keep(server.dataDirectory, name, options.writeEnv, environment);
  // Written to a chosen file, the secret stays out of the terminal's scroll-back.
  const isSecretShown = options.writeEnv === undefined;
  const { clientSecret, loginToken, key: _, notes, ...ids } = made;
  const secrets = {
    ...(clientSecret !== undefined && { clientSecret }),
    ...(loginToken !== undefined && { loginToken }),
  };
  const shown = isSecretShown ? secrets : {};
  const addresses = { redirectUris, postLogoutRedirectUris };
  answer(
    command,
    {
      name,
      type,
      issuer: server.url,
      ...ids,
      ...shown,
      ...addresses,
      ...(profile && { securityProfile: "fapi2", keyFile: profile.keyFile }),
      ...(file && { envFile: file }),
      notes,
    },
    describe({ name, type, made, environment, file, isSecretShown, addresses }),
  );
}

// Checked before anything is made.
function wantedResource({ type, uri, scope, registration }: Options): WantedResource | undefined {
  if (type !== "mcp-server") {
    if (uri === undefined && scope === undefined) return undefined;
    throw new CommandError("--uri and --scope are for servers that accept tokens", { fix: "add --type mcp-server" });
  }
  if (uri === undefined) {
    throw new CommandError("a server that accepts tokens needs an address", {
      fix: "set it with --uri, for example --uri http://localhost:3001/mcp",
    });
  }
  return { uri, scopes: scope ?? [], isOpen: registration };
}

const listOf = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

async function keep(
  dataDirectory: string | undefined,
  name: string,
  wanted: string | undefined,
  environment: ApplicationEnvironment,
): Promise<string | undefined> {
  if (wanted !== undefined) await writeEnvironmentFile(wanted, environment, { replaces: false });
  const beside = dataDirectory === undefined ? undefined : environmentFile(dataDirectory, name);
  if (beside !== undefined) await writeEnvironmentFile(beside, environment, { replaces: true });
  const file = wanted ?? beside;
  return file && relative(process.cwd(), file);
}

interface Described {
  readonly name: string;
  readonly type: ApplicationTypeName;
  readonly made: RegisteredApplication;
  readonly environment: ApplicationEnvironment;
  readonly file: string | undefined;
  readonly isSecretShown: boolean;
  readonly addresses: { readonly redirectUris: readonly string[]; readonly postLogoutRedirectUris: readonly string[] };
}

function describe({ name, type, made, environment, file, isSecretShown, addresses }: Described): string {
  const shown = isSecretShown ? environment : { ...environment, CLIENT_SECRET: undefined, LOGIN_TOKEN: undefined };
  const secret = (made.clientSecret ?? made.loginToken) === undefined ? "" : " The secret is shown this once.";
  return [
    `Application "${name}" (${type}) is registered.${isSecretShown ? secret : ""}`,
    ...made.notes.map((note) => `  note: ${note}`),
    "",
    toEnvironmentText(shown).trimEnd(),
    ...describeOthers(addresses),
    ...(made.resource === undefined ? [] : describeResource(made.resource, environment.ISSUER)),
    ...(file === undefined
      ? []
      : ["", `The same is in ${file}, for: node --env-file=${file} …, doorward token --env ${file}`]),
  ].join("\n");
}

/** The environment has room for one address of each kind; the others are said beside it. */
function describeOthers({ redirectUris, postLogoutRedirectUris }: Described["addresses"]): string[] {
  const others = [
    ...redirectUris.slice(1).map((uri) => `It may also return to ${uri}`),
    ...postLogoutRedirectUris.slice(1).map((uri) => `After sign-out it may also return to ${uri}`),
  ];
  return others.length === 0 ? [] : ["", ...others];
}

/** What a resource publishes and answers, to be pasted (RFC 9728 §2, §5.1). */
function describeResource({ uri, scopes, metadataUrl }: RegisteredResource, issuer: string): string[] {
  const metadata = {
    resource: uri,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
  };
  return [
    "",
    `Publish at ${metadataUrl}:`,
    JSON.stringify(metadata, undefined, 2),
    "",
    "Answer 401 where there is no valid token, with the header:",
    `WWW-Authenticate: Bearer resource_metadata="${metadataUrl}"`,
    "",
    `Introspect each token at ${issuer}/oauth/v2/introspect, as CLIENT_ID with CLIENT_SECRET (Basic), and accept it if`,
    `active is true, aud contains ${uri}, and scope contains what the call needs.`,
  ];
}
