import { EntryRefused } from "./entry-refused.ts";

/** What an entry makes that is inactive where its data comes from. */
interface Closed {
  /** Makes it, and returns its id. */
  readonly make: () => Promise<string>;
  /** Deactivates it. */
  readonly close: (id: string) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
  /** Returns the id of what exists in its place, where an entry is refused for that. */
  readonly existing: () => string;
}

/**
 * Makes what is inactive in the data, and deactivates it at once: nothing is active that was not. What cannot be
 * deactivated is removed again, and its entry refused. What exists already is deactivated too, because an import that
 * ended in between is repeated.
 */
export async function makeClosed({ make, close, remove, existing }: Closed): Promise<string> {
  let id: string;
  try {
    id = await make();
  } catch (error) {
    if (!(error instanceof EntryRefused) || error.refusal.isExisting !== true) throw error;
    const refused = await settle(close(existing()));
    // With that id there is something of another organization.
    throw refused === undefined || refused.refusal.id.endsWith("not_found") ? error : refused;
  }
  const refused = await settle(close(id));
  if (refused === undefined) return id;
  await settle(remove(id));
  throw refused;
}

/** Waits for calls of an entry, and returns why they were refused. */
export async function settle(performed: Promise<unknown>): Promise<EntryRefused | undefined> {
  try {
    await performed;
    return undefined;
  } catch (error) {
    if (error instanceof EntryRefused) return error;
    throw error;
  }
}
