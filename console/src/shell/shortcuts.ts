import { useEffect } from "react";
import { useAddress } from "../address.ts";
import { areas } from "./areas.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], dialog") !== null;

/** Returns how a key with Ctrl, on a Mac with Cmd, is written. */
export const keyOf = (key: string): string => (navigator.platform.startsWith("Mac") ? `⌘${key}` : `Ctrl ${key}`);

interface Shortcuts {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
  /** Whether keys without Ctrl or Cmd do something; speech input can press them by mistake (WCAG 2.1.4). */
  readonly hasSingleKeys: boolean;
}

/**
 * Listens to the keys of the console: Ctrl or Cmd with K opens the palette, `g` and a letter leads to an area, and `?`
 * shows them. Single keys do nothing while the user types.
 */
export function useShortcuts({ openPalette, openHelp, hasSingleKeys }: Shortcuts): void {
  const { go } = useAddress();
  useEffect(() => {
    let isAfterG = false;
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!hasSingleKeys || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      if (event.key === "?") openHelp();
      const area = isAfterG ? areas.find(({ key }) => key === event.key) : undefined;
      isAfterG = event.key === "g";
      if (area !== undefined) go(area.to);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}
