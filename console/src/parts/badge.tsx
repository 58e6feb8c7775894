import type { ReactNode } from "react";

export type BadgeLook = "good" | "bad" | "neutral" | "warning";

/** A word about a state, with a color that repeats it. */
export const Badge = ({ look = "neutral", children }: { readonly look?: BadgeLook; readonly children: ReactNode }) => (
  <span className={`badge ${look}`}>{children}</span>
);
