/** An import of one file by another, both as paths from the root. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

/** The folders that each folder imports from, with one import of each. */
type Siblings = Map<string, Map<string, FileImport>>;

/**
 * Finds circles of folders that stand side by side, at every depth: a folder whose files import, through any number of
 * its siblings, from itself. Files may lie in no circle and their folders still do. Returns a shortest circle for each
 * group of folders that are entangled, as the imports that it consists of.
 */
export function circlesOfFolders(imports: Iterable<FileImport>): (readonly FileImport[])[] {
  const circles: (readonly FileImport[])[] = [];
  const siblings = siblingsOf(imports);
  const known = new Set<string>();
  for (const folder of [...siblings.keys()].sort()) {
    if (known.has(folder)) continue;
    const circle = shortestCircle(siblings, folder);
    if (circle === undefined) continue;
    circles.push(circle);
    const reached = reachedFrom(siblings, folder);
    for (const other of reached) if (reachedFrom(siblings, other).has(folder)) known.add(other);
  }
  return circles;
}

/** Attributes each import to the two folders, side by side, in which the paths of its files part. */
function siblingsOf(imports: Iterable<FileImport>): Siblings {
  const siblings: Siblings = new Map();
  for (const found of imports) {
    const [from, to] = [found.from.split("/"), found.to.split("/")];
    const depth = from.findIndex((name, index) => name !== to[index]);
    // Where a file stands beside a folder, it is part of what holds both.
    if (depth === -1 || depth >= from.length - 1 || depth >= to.length - 1) continue;
    const folder = from.slice(0, depth + 1).join("/");
    const others = siblings.get(folder) ?? new Map<string, FileImport>();
    const other = to.slice(0, depth + 1).join("/");
    if (!others.has(other)) others.set(other, found);
    siblings.set(folder, others);
  }
  return siblings;
}

function shortestCircle(siblings: Siblings, start: string): readonly FileImport[] | undefined {
  const paths = new Map<string, readonly FileImport[]>([[start, []]]);
  for (const [folder, path] of paths) {
    for (const [other, found] of siblings.get(folder) ?? []) {
      if (other === start) return [...path, found];
      if (!paths.has(other)) paths.set(other, [...path, found]);
    }
  }
  return undefined;
}

function reachedFrom(siblings: Siblings, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (const folder of open) {
    for (const other of siblings.get(folder)?.keys() ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return reached;
}
