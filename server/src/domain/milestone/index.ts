export { listMilestones, type MilestoneSearch } from "./list-milestones.ts";
export { listReached } from "./milestone.store.ts";
export type { Milestone, MilestoneType } from "./milestone.ts";
export { reachMilestone } from "./reach-milestone.ts";
