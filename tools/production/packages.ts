/** A package of `package-lock.json`, as far as an installation without development packages looks at it. */
interface LockedPackage {
  readonly link?: boolean;
  /** Folder of a workspace that a link leads to. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

interface ProductionPackage {
  /** Where it is installed, from the root. */
  readonly path: string;
  /** The packages that ask for it. */
  readonly wantedBy: readonly string[];
  /** Whether npm continues where it is for another platform. */
  readonly isOptional: boolean;
  /**
   * Whether it is installed only because another workspace has it, and a package of production names it as an optional
   * peer.
   */
  readonly isOptionalPeer: boolean;
}

export interface Production {
  readonly packages: readonly ProductionPackage[];
  /** Folders of the workspaces that are shipped: the one asked for, and those that it depends on. */
  readonly workspaces: readonly string[];
}

interface Want {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isOptionalPeer: boolean;
}

/**
 * Returns what `npm ci --omit=dev --workspace …` installs, on all platforms together, as far as the lock file tells.
 */
export function productionPackages(locked: LockedPackages, workspace: string): Production {
  const found = new Map<string, ProductionPackage>();
  const workspaces = [workspace];
  const waiting = [workspace];
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    for (const want of wantsOf(locked[from] ?? {})) {
      const path = resolve(locked, from, want.name);
      if (path === undefined) {
        if (want.isOptional || want.isOptionalPeer) continue;
        throw new Error(`${from} wants ${want.name}, which is not in the lock file`);
      }
      const folder = locked[path]?.link === true ? locked[path].resolved : undefined;
      if (folder !== undefined) {
        if (!workspaces.includes(folder)) waiting.push(folder);
        if (!workspaces.includes(folder)) workspaces.push(folder);
        continue;
      }
      const before = found.get(path);
      if (before === undefined) waiting.push(path);
      found.set(path, {
        path,
        wantedBy: [...(before?.wantedBy ?? []), from],
        isOptional: want.isOptional && (before?.isOptional ?? true),
        isOptionalPeer: want.isOptionalPeer && (before?.isOptionalPeer ?? true),
      });
    }
  }
  return { packages: [...found.values()], workspaces };
}

function wantsOf(locked: LockedPackage): Want[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
  const isOptionalPeer = (name: string): boolean => peerDependenciesMeta[name]?.optional === true;
  return [
    ...Object.keys(dependencies).map((name) => ({ name, isOptional: false, isOptionalPeer: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true, isOptionalPeer: false })),
    ...Object.keys(peerDependencies).map((name) => ({
      name,
      isOptional: false,
      isOptionalPeer: isOptionalPeer(name),
    })),
  ];
}

// Node looks beside the package and then upwards.
function resolve(locked: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (Object.hasOwn(locked, path)) return path;
    if (folder === "") return undefined;
  }
}

const parentOf = (folder: string): string => folder.replace(/(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?)?[^/]+$/, "");
