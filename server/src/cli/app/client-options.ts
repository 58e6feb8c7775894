import { type Command, InvalidArgumentError, Option } from "commander";
import { CommandError } from "../command-error.ts";

/** What the command line says of the tokens of an OpenID Connect client, and of where it is told of sign-outs. */
export interface ClientOptions {
  readonly backChannelLogoutUri?: string;
  readonly tokenFormat?: "opaque" | "jwt";
  readonly roleAssertion?: boolean;
  readonly profileInIdToken?: boolean;
  readonly narrowAudience?: boolean;
}

/** Adds the options of a client's tokens. A switch takes `on` or `off`, so that an update can turn it off again. */
export function addClientOptions(command: Command): Command {
  return command
    .option("--back-channel-logout-uri <address>", "address that is told when a session of a user ends")
    .addOption(new Option("--token-format <format>", "format of its access tokens").choices(["opaque", "jwt"]))
    .addOption(onOff("--role-assertion", "roles of the user in access tokens and id tokens"))
    .addOption(onOff("--profile-in-id-token", "profile and email of the user in the id token"))
    .addOption(onOff("--narrow-audience", "tokens that are for this application only"));
}

const onOff = (flag: string, description: string): Option =>
  new Option(`${flag} [on|off]`, description).preset("on").argParser((value) => {
    if (value === "on" || value === "off") return value === "on";
    throw new InvalidArgumentError("Say on or off.");
  });

/** Returns the fields of the configuration that were given. */
export function clientFields(options: ClientOptions): Readonly<Record<string, unknown>> {
  const { backChannelLogoutUri, tokenFormat, roleAssertion, profileInIdToken, narrowAudience } = options;
  return {
    ...(backChannelLogoutUri !== undefined && { backChannelLogoutUri }),
    ...(tokenFormat !== undefined && {
      accessTokenType: tokenFormat === "jwt" ? "OIDC_TOKEN_TYPE_JWT" : "OIDC_TOKEN_TYPE_BEARER",
    }),
    ...(roleAssertion !== undefined && {
      accessTokenRoleAssertion: roleAssertion,
      idTokenRoleAssertion: roleAssertion,
    }),
    ...(profileInIdToken !== undefined && { idTokenUserinfoAssertion: profileInIdToken }),
    ...(narrowAudience !== undefined && { narrowAudience }),
  };
}

/** Refuses options of clients for a type without sign-ins. */
export function refuseClientFields(fields: Readonly<Record<string, unknown>>, type: string): void {
  if (Object.keys(fields).length === 0) return;
  throw new CommandError(`an application of the type ${type} signs no users in and has no such settings`, {
    fix: "omit the options of tokens and sign-outs, or use another --type",
  });
}
