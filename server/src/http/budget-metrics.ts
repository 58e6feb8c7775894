const name = "doorward_budget_refusals_total";

/** How often each budget refused, in the text format of Prometheus. */
export const writeBudgetMetrics = (refusals: ReadonlyMap<string, number>): string =>
  [
    `# HELP ${name} Refusals of each budget: of a source, client, caller, recipient, user, organization or instance`,
    `# TYPE ${name} counter`,
    ...[...refusals].map(([budget, count]) => `${name}{budget="${budget}"} ${count}`),
    "",
  ].join("\n");
