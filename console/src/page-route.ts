import type { ComponentType } from "react";

/** A page: its path below the console's address, and how its component is loaded. */
export interface PageRoute {
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
}
