interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Cost {
  readonly name: string;
  /** Microseconds for one operation in the function itself, and with all that it called. */
  own: number;
  total: number;
}

/** The functions of a profile of V8 with what each cost for one operation. */
export function readProfile(profile: Profile, operations: number): Cost[] {
  const own = new Map<number, number>();
  for (const [index, id] of profile.samples.entries())
    own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[index] ?? 0));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const costs = new Map<string, Cost>();
  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = nodes.get(id);
    if (node === undefined) return 0;
    const name = nameOf(node.callFrame);
    const cost = costs.get(name) ?? { name, own: 0, total: 0 };
    costs.set(name, cost);
    // What calls itself counts once.
    const within = above.has(name) ? above : new Set([...above, name]);
    let total = own.get(id) ?? 0;
    cost.own += total / operations;
    for (const child of node.children ?? []) total += visit(child, within);
    if (!above.has(name)) cost.total += total / operations;
    return total;
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, new Set());
  return [...costs.values()];
}

/** Two lists: what is dear by itself, and what is dear with all that it calls. */
export function writeProfile(costs: readonly Cost[], count: number): string {
  const lines = (title: string, key: "own" | "total"): string[] => [
    `  µs ${title}`,
    ...costs
      .toSorted((a, b) => b[key] - a[key])
      .slice(0, count)
      .map((cost) => `${cost[key].toFixed(1).padStart(6)} ${cost.name}`),
  ];
  return [...lines("by itself", "own"), "", ...lines("with what it calls", "total"), ""].join("\n");
}

function nameOf({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const file = url.replace(/^.*\/(server\/src|node_modules)\//, "");
  return `${functionName || "(anonymous)"}${file === "" ? "" : ` ${file}:${lineNumber + 1}`}`;
}
