import type { FileImport } from "./circles.ts";
import { domainModules, layerPattern, layers, modulePattern } from "./layers.ts";

/** What stands in an order: earlier ones may not import later ones. */
interface Order {
  readonly name: string;
  readonly members: readonly string[];
  readonly patternOf: (member: string) => string;
  readonly why: (member: string) => string;
}

const orders: readonly Order[] = [
  {
    name: "order-of-layers",
    members: layers,
    patternOf: layerPattern,
    why: (layer) => `${layer} stands before it: right may import left, never the other way round.`,
  },
  {
    name: "order-of-modules",
    members: domainModules,
    patternOf: modulePattern,
    why: (module) => `${module} stands before it in the order of the domain.`,
  },
];

/**
 * Finds the imports of what stands later in the order of layers or of modules. As rules of dependency-cruiser, which
 * analyzes every pattern before it uses it, they would take as long as all imports.
 */
export function againstOrder(imports: readonly FileImport[]): string[] {
  return orders.flatMap(({ name, members, patternOf, why }) => {
    const patterns = members.map((member) => new RegExp(patternOf(member)));
    const known = new Map<string, number>();
    const positionOf = (path: string): number => {
      const position = known.get(path) ?? patterns.findIndex((pattern) => pattern.test(path));
      known.set(path, position);
      return position;
    };
    const found = imports.flatMap(({ from, to }) => {
      const position = positionOf(from);
      if (position === -1 || positionOf(to) <= position) return [];
      const member = members[position] ?? "";
      return [`${name}/${member}: ${from} → ${to}\n    ${why(member)}`];
    });
    return [...new Set(found)];
  });
}
