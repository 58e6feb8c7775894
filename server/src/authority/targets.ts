import type { Reader } from "../database/index.ts";
import type { Client } from "../domain/application/index.ts";
import { type Asker, type AudienceProject, listAudienceProjects } from "../domain/project/index.ts";
import { audienceOfScope } from "./audience.ts";
import type { ConsentPolicy } from "./consent-policy.ts";
import { isOwnResource } from "./resource.ts";
import { rightsOfScope } from "./rights.ts";

/** The instance, as far as it decides for whom a token is. */
export interface AudienceInstance {
  readonly instanceId: string;
  readonly issuer: string;
  /** The instance's built-in project: the audience of our own APIs. */
  readonly systemProjectId: string;
}

/** What a request names: scopes with our own namespace word, and resources (RFC 8707). */
export interface Requested {
  readonly scope: ReadonlySet<string>;
  readonly resources: readonly string[];
}

/** Whether tokens for our own APIs are requested: by their project, by a right, or by any address of ours. */
export function asksForApis({ scope, resources }: Requested, { issuer, systemProjectId }: AudienceInstance): boolean {
  return (
    rightsOfScope(scope).size > 0 ||
    audienceOfScope(scope, systemProjectId).includes(systemProjectId) ||
    resources.some((resource) => isOwnResource(resource, issuer))
  );
}

/** Returns the ids of other projects than the client's own and ours for which tokens are requested. */
export const otherProjectsOf = (
  client: Client,
  scope: ReadonlySet<string>,
  { systemProjectId }: AudienceInstance,
): string[] => [
  ...new Set(audienceOfScope(scope, systemProjectId).filter((id) => id !== client.projectId && id !== systemProjectId)),
];

/** Where a decision is made, and how the instance handles users of other organizations. */
interface AskedAt {
  readonly reader: Reader;
  readonly instance: AudienceInstance;
  readonly consent: Pick<ConsentPolicy, "isSkippedAcrossOrganizations">;
}

/** Returns who asks: an application that the instance trusts with our own APIs asks for every user. */
export const askerOf = (
  { consent }: Pick<AskedAt, "consent">,
  { client, userId }: { readonly client: Client; readonly userId: string },
): Asker =>
  client.isTrustedForApi
    ? { organizationId: client.organizationId }
    : {
        organizationId: client.organizationId,
        userId,
        needsRecognition: !consent.isSkippedAcrossOrganizations,
      };

/** Lists those of the other projects that exist, as they are for the user where there is one. */
export async function findOtherProjects(
  { reader, instance, consent }: AskedAt,
  { client, userId }: { readonly client: Client; readonly userId?: string },
  scope: ReadonlySet<string>,
): Promise<readonly AudienceProject[]> {
  const projectIds = otherProjectsOf(client, scope, instance);
  if (projectIds.length === 0) return [];
  const asker =
    userId === undefined ? { organizationId: client.organizationId } : askerOf({ consent }, { client, userId });
  return listAudienceProjects(reader, instance.instanceId, { ...asker, projectIds });
}
