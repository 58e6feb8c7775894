/** A node of a plan as `explain (analyze, buffers, format json)` tells it. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a statement touched. */
export interface Cost {
  readonly buffers: number;
  /** The most rows that a step read, whether or not they passed. */
  readonly rows: number;
  /** The step that read them. */
  readonly step: string;
}

export function costOf(plan: PlanNode): Cost {
  const steps = allOf(plan).map((node) => ({ rows: rowsOf(node), step: nameOf(node) }));
  const most = steps.reduce((found, each) => (each.rows > found.rows ? each : found));
  return { buffers: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0), ...most };
}

const allOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(allOf)];

const rowsOf = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Join Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0));

const nameOf = (node: PlanNode): string =>
  [node["Node Type"], node["Relation Name"], node["Index Name"], node["Index Cond"]].filter(Boolean).join(" ");
