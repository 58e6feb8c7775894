import type { Instant } from "../../base/clock.ts";
import type { JobRuns } from "../../base/queue/job-runs.ts";
import { type Call, requirePermission } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { findHandledAt, listFollowers } from "../../event/index.ts";

export interface ViewDeps {
  readonly database: Database;
  readonly jobRuns: JobRuns;
}

/** A feed of events or a job. */
export interface View {
  readonly kind: "feeds" | "jobs";
  readonly name: string;
  /** Position of the last event that was handled. */
  readonly position: number;
  /** When that event happened. */
  readonly eventAt?: Instant | undefined;
  /** When it last did something; a job: when it last succeeded in this process. */
  readonly ranAt?: Instant | undefined;
}

/** Lists feeds and jobs of the installation, for system users. */
export async function listViews({ database, jobRuns }: ViewDeps, call: Call): Promise<View[]> {
  requirePermission(call, "system.debug.read", {});
  const followers = await listFollowers(database.read);
  const feeds = followers.map(({ follower: name, position, eventAt, movedAt }): View => {
    return { kind: "feeds", name, position, eventAt: eventAt ?? undefined, ranAt: movedAt };
  });
  return [...feeds, ...jobsOf(jobRuns)];
}

/**
 * Lists feeds and jobs as far as they concern the instance, for callers who may read it. Positions, and when a feed
 * moved, would tell how much happens in other instances.
 */
export async function listViewsOfInstance({ database, jobRuns }: ViewDeps, call: Call): Promise<View[]> {
  requirePermission(call, "iam.read", {});
  const feeds: View[] = [];
  for (const follower of await listFollowers(database.read)) {
    const eventAt = await findHandledAt(database.read, call.instanceId, follower);
    feeds.push({ kind: "feeds", name: follower.follower, position: 0, eventAt });
  }
  return [...feeds, ...jobsOf(jobRuns)];
}

const jobsOf = (jobRuns: JobRuns): View[] =>
  jobRuns.list().map(({ name, succeededAt }) => ({ kind: "jobs", name, position: 0, ranAt: succeededAt }));
