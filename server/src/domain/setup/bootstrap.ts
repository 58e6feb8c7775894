import type { Clock } from "../../base/clock.ts";
import { generateRsaKeyPair } from "../../base/jose/index.ts";
import type { Language } from "../../base/language.ts";
import type { PasswordHasher } from "../../base/password/password-hash.ts";
import type { Secret } from "../../base/secret.ts";
import type { Database } from "../../database/index.ts";
import { type NewUserKey, parseExpiry } from "../credential/index.ts";
import { findFirstInstance, type Instance } from "../instance/index.ts";
import { type AddSigningKeyDeps, type GeneratedKeyPair, generateFirstKeyPairs } from "../signing-key/index.ts";
import type { NewHumanUser } from "../user-management/index.ts";
import { lockInstances } from "./bootstrap.store.ts";
import { bootstrapInstance } from "./bootstrap-instance.ts";
import type { FirstUserDeps } from "./first-users.ts";
import { useHost } from "./use-host.ts";

export interface BootstrapDeps extends FirstUserDeps, AddSigningKeyDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwordHasher: Pick<PasswordHasher, "hash">;
}

export interface BootstrapInput {
  /** Host of the configured base URL, in canonical form. */
  readonly host: string;
  readonly organizationName: string;
  readonly defaultLanguage: Language;
  /** The operator chooses the password, so the rules for passwords are not applied to it. */
  readonly administrator?: {
    readonly username: string;
    readonly email?: string | undefined;
    readonly password?: { readonly value: Secret; readonly isChangeRequired: boolean } | undefined;
  };
  /** Creates the service account `bootstrap` with credentials that do not expire. */
  readonly machine?: { readonly hasToken: boolean; readonly hasKey: boolean } | undefined;
  /** First signing keys, if they were generated already. */
  readonly keyPairs?: readonly GeneratedKeyPair[];
}

export interface Bootstrapped {
  readonly instance: Instance;
  /** Whether this call created it. */
  readonly isNew: boolean;
  /** Token of the service account, if this call created it; shown now and never again. */
  readonly personalAccessToken?: Secret;
  /** Key file of the service account, likewise. */
  readonly keyFile?: Secret;
}

/**
 * Creates the first instance of an empty database; finds it in any other, and makes the configured host reach it.
 * Several nodes may start at once: one creates the instance, the others find it.
 */
export async function bootstrap(deps: BootstrapDeps, input: BootstrapInput): Promise<Bootstrapped> {
  const existing = await findFirstInstance(deps.database.read);
  if (existing !== undefined) return { instance: await useHost(deps, existing, input.host), isNew: false };
  const owner = input.administrator && (await toOwner(deps, input.host, input.administrator));
  const keyPairs = input.keyPairs ?? (await generateFirstKeyPairs());
  const call = { instanceId: deps.newId(), requestId: "bootstrap", now: deps.clock(), language: input.defaultLanguage };
  const key = input.machine?.hasKey === true ? await createKey(call.now) : undefined;
  const made = await deps.database.change(call, async (tx) => {
    await lockInstances(tx);
    if ((await findFirstInstance(tx)) !== undefined) return undefined;
    return bootstrapInstance(tx, deps, {
      ...input,
      name: input.organizationName,
      isHostGenerated: true,
      owner,
      keyPairs,
      machines:
        input.machine === undefined ? [] : [{ ...bootstrapMachine, key, ...(input.machine.hasToken && { token: {} }) }],
    });
  });
  const instance = await findFirstInstance(deps.database.read);
  if (instance === undefined) throw new Error("the instance that was just made is not there");
  const { token, key: issued } = made?.machines[0] ?? {};
  return {
    instance,
    isNew: made !== undefined,
    ...(token && { personalAccessToken: token.token }),
    ...(issued?.keyFile && { keyFile: issued.keyFile }),
  };
}

const bootstrapMachine = { username: "bootstrap", name: "bootstrap", role: "IAM_OWNER" } as const;

const createKey = async (now: number): Promise<NewUserKey> => ({
  ...(await generateRsaKeyPair()),
  expiresAt: parseExpiry(undefined, now),
});

async function toOwner(
  deps: BootstrapDeps,
  host: string,
  { username, email, password }: NonNullable<BootstrapInput["administrator"]>,
): Promise<Omit<NewHumanUser, "organizationId">> {
  return {
    username,
    profile: { givenName: username, familyName: "Administrator" },
    // A name with an `@` has to be an address of the user.
    email: {
      address: email ?? (username.includes("@") ? username : `${username}@${mailDomain(host)}`),
      isVerified: true,
    },
    password: password && {
      hash: await deps.passwordHasher.hash(password.value.reveal()),
      isChangeRequired: password.isChangeRequired,
    },
  };
}

// An email address has no brackets and no bare IP; such an installation sends no mail to it anyway.
const mailDomain = (host: string): string => (/^[a-z0-9.-]*[a-z][a-z0-9.-]*$/.test(host) ? host : "localhost");
