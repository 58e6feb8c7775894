import type { Tx } from "../../database/index.ts";
import { type Appointer, memberPermission } from "../administrator-access/index.ts";
import { languageOf } from "../contact/index.ts";
import { payForMessage, type QueueDeps, queueNotification } from "../notification/index.ts";
import { findOrganization } from "../organization/index.ts";
import { findUser } from "../user/index.ts";
import { plainName } from "./plain-name.ts";

export type OfferDeps = QueueDeps;

/**
 * Step: tells a user that an organization wants them as an administrator. The organization that appoints pays; when
 * it, or the user, had too many of these messages, only the account page says so. Nothing in the message is of the
 * organization's choice but its name.
 */
export async function tellOfAppointment(tx: Tx, deps: OfferDeps, appointer: Appointer, userId: string): Promise<void> {
  const user = await findUser(tx, tx.instanceId, userId);
  if (user?.kind !== "human" || !user.email.isVerified) return;
  const organizationId = appointingOrganization(appointer);
  const recipient = user.email.address;
  const taken = { channel: "email", purpose: "offer", recipient, userId, organizationId } as const;
  if (!(await payForMessage(tx, deps, taken))) return;
  const organization = await findOrganization(tx, tx.instanceId, organizationId);
  await queueNotification(tx, deps, {
    kind: "appointment_offered",
    channel: "email",
    userId,
    organizationId: user.organizationId,
    recipient,
    language: await languageOf(tx, user),
    subjectId: organizationId,
    values: { organizationName: plainName(organization?.name ?? "") || plainName(organizationId) },
    isPaid: true,
  });
}

// A grant lies in two organizations, and either may appoint.
function appointingOrganization({ scope, access }: Appointer): string {
  const [owners, others] = scope.permissionScopes;
  if (scope.level !== "project_grant" || owners === undefined) return scope.ownerId;
  const { projectGrantId: _, ...whole } = owners;
  const isOfOwner = access.allows(`${memberPermission.project_grant}.write`, whole);
  return isOfOwner ? scope.ownerId : (others?.organizationId ?? scope.ownerId);
}
