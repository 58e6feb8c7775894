import { Fault } from "../../base/fault.ts";
import type { Details, Tx } from "../../database/index.ts";
import { claimIdentifier } from "./claim-identifier.ts";
import { insertInstance } from "./instance.store.ts";
import { instanceAggregate } from "./instance.ts";
import { insertInstanceDomain } from "./instance-domain.store.ts";

export interface NewInstance {
  readonly name: string;
  readonly defaultLanguage: string;
  readonly defaultOrganizationId: string;
  readonly systemProjectId: string;
  /** Host that reaches the instance, in canonical form. */
  readonly host: string;
  /** Whether we generated the host, so that it stays as long as the instance. */
  readonly isHostGenerated: boolean;
}

/** Step: creates the instance of this unit of work with its first host. `setup` creates what an instance contains. */
export async function createInstance(tx: Tx, input: NewInstance): Promise<Details> {
  await insertInstance(tx, input);
  await claimIdentifier(tx, "instance", { identifier: tx.instanceId });
  const isFree = await insertInstanceDomain(tx, {
    host: input.host,
    isPrimary: true,
    isGenerated: input.isHostGenerated,
    isTrusted: false,
  });
  if (!isFree) throw new Fault("already_exists", "instance.domain_taken", { field: "customDomain" });
  tx.record({
    type: "instance.created",
    ...instanceAggregate(tx.instanceId),
    sequence: 1,
    payload: { name: input.name, defaultLanguage: input.defaultLanguage, host: input.host },
  });
  return { sequence: 1, createdAt: tx.now, changedAt: tx.now, ownerId: tx.instanceId };
}
