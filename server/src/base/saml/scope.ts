/**
 * Namespaces by prefix that hold at an element: what it declares, and a link to what holds around it. Elements that
 * declare nothing share the scope of their parent, so that a document has as many entries as declarations.
 */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

/** Returns the namespace of a prefix, if it has one. Links are followed at most as often as documents are deep. */
export function namespaceIn(scope: Scope | undefined, prefix: string): string | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    const namespace = at.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** Returns the scope inside of an element that declares these namespaces. */
export const scopeInside = (outer: Scope | undefined, declared: readonly (readonly [string, string])[]): Scope =>
  outer !== undefined && declared.length === 0 ? outer : { declared: new Map(declared), outer };
