import type { Config } from "../config/index.ts";
import { findFirstInstance, type Instance } from "../domain/instance/index.ts";
import { type Bootstrapped, bootstrap } from "../domain/setup/index.ts";
import type { GeneratedKeyPair } from "../domain/signing-key/index.ts";
import type { Domain } from "./domain.ts";
import { openTokenFile, type TokenFile } from "./token-file.ts";

/**
 * Fills an empty database according to the bootstrap settings, and never touches any other. Returns the first instance.
 */
export async function bootstrapFirstInstance(
  config: Config,
  domain: Domain,
  keyPairs?: readonly GeneratedKeyPair[],
): Promise<Instance> {
  const { machinePatFile, machineKeyFile } = config.bootstrap;
  const isEmpty = (await findFirstInstance(domain.database.read)) === undefined;
  const opened: TokenFile[] = [];
  const open = async (path: string | undefined, setting: string): Promise<TokenFile | undefined> => {
    if (path === undefined || !isEmpty) return undefined;
    const file = await openTokenFile(path, setting);
    opened.push(file);
    return file;
  };
  try {
    const tokenFile = await open(machinePatFile, "DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE");
    const keyFile = await open(machineKeyFile, "DOORWARD_BOOTSTRAP_MACHINE_KEY_FILE");
    const made = await fill(config, domain, keyPairs);
    if (made.personalAccessToken !== undefined) await tokenFile?.write(made.personalAccessToken);
    if (made.keyFile !== undefined) await keyFile?.write(made.keyFile);
    return made.instance;
  } finally {
    for (const file of opened) await file.close();
  }
}

function fill(
  { baseUrl, bootstrap: settings }: Config,
  domain: Domain,
  keyPairs: readonly GeneratedKeyPair[] | undefined,
): Promise<Bootstrapped> {
  const { organization, admin, machinePatFile, machineKeyFile } = settings;
  const hasToken = machinePatFile !== undefined;
  const hasKey = machineKeyFile !== undefined;
  return bootstrap(domain, {
    host: new URL(baseUrl).hostname,
    organizationName: organization,
    defaultLanguage: "en",
    machine: hasToken || hasKey ? { hasToken, hasKey } : undefined,
    ...(keyPairs && { keyPairs }),
    ...(admin && {
      administrator: {
        username: admin.username,
        email: admin.email,
        password: admin.password && { value: admin.password, isChangeRequired: admin.mustChangePassword },
      },
    }),
  });
}
