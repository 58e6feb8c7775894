import { Fault } from "../../base/fault.ts";
import { generateRsaKeyPair } from "../../base/jose/index.ts";
import type { Language } from "../../base/language.ts";
import { parseHost } from "../../base/names/host.ts";
import { isName } from "../../base/names/name.ts";
import type { PasswordHasher } from "../../base/password/password-hash.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { type NewUserKey, parseExpiry } from "../credential/index.ts";
import { preparePassword } from "../password/index.ts";
import type { SettingsReader } from "../settings/index.ts";
import { type AddSigningKeyDeps, generateFirstKeyPairs } from "../signing-key/index.ts";
import type { NewHumanUser } from "../user-management/index.ts";
import { type BootstrappedInstance, bootstrapInstance } from "./bootstrap-instance.ts";
import type { FirstUserDeps, NewMachineAdministrator } from "./first-users.ts";

export interface CreateInstanceDeps extends FirstUserDeps, AddSigningKeyDeps {
  readonly database: Database;
  readonly passwordHasher: PasswordHasher;
  readonly settings: SettingsReader;
  /** Host of the configured base URL; instances without a host of their own get one below it. */
  readonly baseHost: string;
}

export interface CreateInstance {
  readonly name: string;
  /** Defaults to the name. */
  readonly organizationName?: string;
  /** Host that reaches the instance; generated when absent. */
  readonly customDomain?: string;
  readonly defaultLanguage: Language;
  readonly owner?: NewOwner;
  readonly machine?: NewMachine;
}

interface NewMachine extends Omit<NewMachineAdministrator, "organizationId" | "key"> {
  /** Asks for a key file; without expiry when `expiresAt` is absent. */
  readonly key?: { readonly expiresAt?: number | undefined } | undefined;
}

interface NewOwner extends Omit<NewHumanUser, "organizationId" | "password" | "username"> {
  readonly username: string;
  readonly password?: { readonly password: string; readonly isChangeRequired: boolean } | undefined;
}

/**
 * Creates a further instance with its owner: for system users only. It shares only the process with other instances.
 */
export async function createInstanceWithOwner(
  deps: CreateInstanceDeps,
  call: Call,
  input: CreateInstance,
): Promise<BootstrappedInstance & { readonly instanceId: string }> {
  requirePermission(call, "system.instance.write", {});
  const name = input.name.trim();
  if (!isName(name)) throw new Fault("invalid_argument", "instance.name_invalid", { field: "instanceName" });
  const instanceId = deps.newId();
  const custom = input.customDomain === undefined ? undefined : parseHost(input.customDomain);
  if (input.customDomain !== undefined && custom === undefined) {
    throw new Fault("invalid_argument", "instance.domain_invalid", { field: "customDomain" });
  }
  const owner = input.owner && (await prepareOwner(deps, { ...call, instanceId }, input.owner));
  const machine = input.machine && { ...input.machine, key: await prepareKey(input.machine, call.now) };
  const keyPairs = await generateFirstKeyPairs();
  const made = await deps.database.change({ ...call, instanceId }, (tx) =>
    bootstrapInstance(tx, deps, {
      name,
      defaultLanguage: input.defaultLanguage,
      host: custom ?? `${instanceId}.${deps.baseHost}`,
      isHostGenerated: custom === undefined,
      organizationName: input.organizationName ?? name,
      keyPairs,
      owner,
      machines: machine === undefined ? [] : [machine],
    }),
  );
  return { ...made, instanceId };
}

async function prepareKey({ key }: NewMachine, now: number): Promise<NewUserKey | undefined> {
  const expiresAt = key && parseExpiry(key.expiresAt, now);
  return expiresAt === undefined ? undefined : { ...(await generateRsaKeyPair()), expiresAt };
}

// The password must satisfy the rules that the new instance begins with.
async function prepareOwner(
  deps: CreateInstanceDeps,
  call: Call,
  owner: NewOwner,
): Promise<Omit<NewHumanUser, "organizationId">> {
  const { password } = owner;
  if (password === undefined) return { ...owner, password };
  return { ...owner, password: await preparePassword(deps, call, { ...owner, organizationId: "" }, password) };
}
