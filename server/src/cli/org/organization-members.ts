/**
 * Lists that grow with the users of an organization, by the stage in which they are sent. Everything else of an
 * organization is sent first. Stages follow the order in which the server imports the lists of one request.
 */
export const stages = [
  ["humanUsers", "machineUsers"],
  ["machineKeys", "userLinks", "userMetadata"],
  ["userGrants", "orgMembers", "projectMembers", "projectGrantMembers"],
] as const;

export type StreamedMember = (typeof stages)[number][number];

/**
 * Members that are sent again with the list, because their ids change: the server recognizes what exists by its name,
 * and entries of the same request may name it by its old id.
 */
export const companions: Readonly<Partial<Record<StreamedMember, readonly string[]>>> = {
  userLinks: ["oidcIdps", "jwtIdps"],
  userGrants: ["projectGrants"],
  projectGrantMembers: ["projectGrants"],
};

/** Members that wait for users, or for what comes after them. */
export const lateMembers = ["projectGrants", "orgState", "orgDeactivatedByInstance"] as const;

/** Members that say how an organization is closed. */
export const stateMembers: readonly string[] = ["orgState", "orgDeactivatedByInstance"];

const streamed: ReadonlySet<string> = new Set(stages.flat());

export const isStreamed = (member: string): member is StreamedMember => streamed.has(member);
