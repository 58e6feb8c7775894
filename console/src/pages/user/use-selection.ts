import { useState } from "react";

/** Rows of a list that the user chose: some by their keys, or all that match the filters. */
interface RowSelection {
  readonly keys: ReadonlySet<string>;
  readonly isAll: boolean;
  /** At least one, where anything is selected. */
  readonly count: number;
  readonly select: (keys: readonly string[], isSelected: boolean) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

const nothing: ReadonlySet<string> = new Set();

/** Keeps what is selected from page to page, as long as the filters of the list stay the same. */
export function useSelection(filters: string): RowSelection {
  const [state, setState] = useState({ filters, keys: nothing, isAll: false });
  const { keys, isAll } = state.filters === filters ? state : { keys: nothing, isAll: false };
  return {
    keys,
    isAll,
    count: isAll ? 1 : keys.size,
    // A box that is cleared while all are selected ends that: the others are not known.
    select: (changed, isSelected) => {
      const next = new Set(keys);
      for (const key of changed) {
        if (isSelected) next.add(key);
        else next.delete(key);
      }
      setState({ filters, keys: isAll ? nothing : next, isAll: false });
    },
    selectAll: () => setState({ filters, keys: nothing, isAll: true }),
    clear: () => setState({ filters, keys: nothing, isAll: false }),
  };
}
