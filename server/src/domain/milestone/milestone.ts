import type { Instant } from "../../base/clock.ts";

/** What an instance can reach, in the order of the contract. */
export const milestoneTypes = [
  "instance_created",
  "authentication_succeeded_on_instance",
  "project_created",
  "application_created",
  "authentication_succeeded_on_application",
  "instance_deleted",
] as const;

export type MilestoneType = (typeof milestoneTypes)[number];

/** A milestone of an instance. */
export interface Milestone {
  readonly type: MilestoneType;
  /** When it was first reached; undefined before. */
  readonly reachedAt?: Instant | undefined;
}

/** The event aggregate of a milestone. It has a single event. */
export const milestoneAggregate = (instanceId: string, type: MilestoneType) =>
  ({ aggregateType: "milestone", aggregateId: type, ownerId: instanceId }) as const;
