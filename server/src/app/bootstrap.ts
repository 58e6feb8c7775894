import type { Config } from "../config/index.ts";
import { findFirstInstance, type Instance } from "../domain/instance/index.ts";
import { type Bootstrapped, bootstrap } from "../domain/setup/index.ts";
import type { GeneratedKeyPair } from "../domain/signing-key/index.ts";
import type { Domain } from "./domain.ts";
import { openTokenFile } from "./token-file.ts";

/**
 * Fills an empty database according to the bootstrap settings, and never touches any other. Returns the first instance.
 */
export async function bootstrapFirstInstance(
  config: Config,
  domain: Domain,
  keyPairs?: readonly GeneratedKeyPair[],
): Promise<Instance> {
  const { machinePatFile } = config.bootstrap;
  const isEmpty = (await findFirstInstance(domain.database.read)) === undefined;
  if (machinePatFile === undefined || !isEmpty) return (await fill(config, domain, keyPairs)).instance;
  const file = await openTokenFile(machinePatFile, "DOORWARD_BOOTSTRAP_MACHINE_PAT_FILE");
  try {
    const { instance, personalAccessToken } = await fill(config, domain, keyPairs);
    if (personalAccessToken !== undefined) await file.write(personalAccessToken);
    return instance;
  } finally {
    await file.close();
  }
}

function fill(
  { baseUrl, bootstrap: settings }: Config,
  domain: Domain,
  keyPairs: readonly GeneratedKeyPair[] | undefined,
): Promise<Bootstrapped> {
  const { organization, admin, machinePatFile } = settings;
  return bootstrap(domain, {
    host: new URL(baseUrl).hostname,
    organizationName: organization,
    defaultLanguage: "en",
    hasMachine: machinePatFile !== undefined,
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
