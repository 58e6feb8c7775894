import { existsSync } from "node:fs";
import { CommandError } from "../command-error.ts";
import { writePrivateFile } from "../private-file.ts";
import type { ApplicationTypeName } from "./application-types.ts";

/** The security profiles that an application may keep, by the names of the registration metadata. */
export const securityProfiles = ["fapi2"] as const;

/** What the command line says of a profile. */
export interface ProfileOptions {
  readonly securityProfile?: (typeof securityProfiles)[number];
  readonly keyFile?: string;
}

/** A profile that an application is to keep, and the file for the key by which it authenticates. */
export interface WantedProfile {
  readonly keyFile: string;
}

/** Returns the profile that was asked for. Checked before anything is made, so that no key is lost. */
export function wantedProfile(
  { securityProfile, keyFile }: ProfileOptions,
  { type, redirectUris }: { readonly type: ApplicationTypeName; readonly redirectUris: readonly string[] },
): WantedProfile | undefined {
  if (securityProfile === undefined) {
    if (keyFile === undefined) return undefined;
    throw new CommandError("--key-file is for applications with a key", { fix: "add --security-profile fapi2" });
  }
  if (type !== "web") {
    throw new CommandError("only an application on a server can use the FAPI 2.0 profile", {
      fix: "omit --type, or use --type web",
    });
  }
  if (!redirectUris.every((uri) => uri.startsWith("https:"))) {
    throw new CommandError("the FAPI 2.0 profile allows only https redirect addresses", {
      fix: "name one with --redirect-uri, for example --redirect-uri https://bank.example/callback",
    });
  }
  if (keyFile === undefined) {
    throw new CommandError("the application authenticates with a key, which is shown only once", {
      fix: "name a file for it with --key-file, for example --key-file bank.json",
    });
  }
  if (existsSync(keyFile)) {
    throw new CommandError(`${keyFile} already exists`, { fix: "name another file with --key-file" });
  }
  return { keyFile };
}

/** Writes the key of an application into its file. */
export const keepKey = ({ keyFile }: WantedProfile, key: string): Promise<void> =>
  writePrivateFile(keyFile, `${key}\n`, { replaces: false, option: "--key-file" });
