import type { Language } from "../../base/language.ts";
import type { Details, Tx } from "../../database/index.ts";
import { createInstance } from "../instance/index.ts";
import { reachMilestone } from "../milestone/index.ts";
import { createOrganization } from "../organization/index.ts";
import { createProject } from "../project/index.ts";
import { createDefaultSettings } from "../settings/index.ts";
import { type AddSigningKeyDeps, createFirstSigningKeys, type GeneratedKeyPair } from "../signing-key/index.ts";
import type { NewHumanUser } from "../user-management/index.ts";
import {
  createMachineAdministrator,
  createOwner,
  type FirstUserDeps,
  type MachineAdministrator,
  type NewMachineAdministrator,
} from "./first-users.ts";

export interface NewInstanceContents {
  readonly name: string;
  readonly defaultLanguage: Language;
  /** Host that reaches the instance, in canonical form. */
  readonly host: string;
  readonly isHostGenerated: boolean;
  readonly organizationName: string;
  /** First owner; without an owner the setup of the instance stays open. */
  readonly owner?: Omit<NewHumanUser, "organizationId"> | undefined;
  readonly machines?: readonly Omit<NewMachineAdministrator, "organizationId">[] | undefined;
  /** First signing keys, generated before the unit of work because that takes long. */
  readonly keyPairs: readonly GeneratedKeyPair[];
}

export interface BootstrappedInstance {
  readonly details: Details;
  readonly organizationId: string;
  readonly systemProjectId: string;
  readonly ownerUserId?: string;
  /** One entry for each service account that was asked for, in that order. */
  readonly machines: readonly MachineAdministrator[];
}

const systemProjectName = "Doorward";

/** Step: creates the instance of this unit of work with everything that it needs to be used. */
export async function bootstrapInstance(
  tx: Tx,
  deps: FirstUserDeps & AddSigningKeyDeps,
  input: NewInstanceContents,
): Promise<BootstrappedInstance> {
  const organizationId = deps.newId();
  const systemProjectId = deps.newId();
  const details = await createInstance(tx, {
    ...input,
    defaultOrganizationId: organizationId,
    systemProjectId,
  });
  await reachMilestone(tx, "instance_created");
  await createDefaultSettings(tx);
  await createOrganization(tx, deps, { name: input.organizationName, organizationId, instanceHost: input.host });
  await createFirstSigningKeys(tx, deps, input.keyPairs);
  await createProject(tx, deps, { organizationId, projectId: systemProjectId, name: systemProjectName });
  const owner = input.owner && (await createOwner(tx, deps, { ...input.owner, organizationId }));
  const machines = [];
  for (const machine of input.machines ?? []) {
    machines.push(await createMachineAdministrator(tx, deps, { ...machine, organizationId }));
  }
  return { details, organizationId, systemProjectId, machines, ...(owner && { ownerUserId: owner.userId }) };
}
