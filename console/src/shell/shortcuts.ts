import { useEffect } from "react";
import { useAddress } from "../address.ts";
import { areas } from "./areas.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], dialog") !== null;

/**
 * Listens to the keys of the console: Ctrl or Cmd with K opens the palette, `g` and a letter leads to an area. They do
 * nothing while the user types.
 */
export function useShortcuts(openPalette: () => void): void {
  const { go } = useAddress();
  useEffect(() => {
    let isAfterG = false;
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      const area = isAfterG ? areas.find(({ key }) => key === event.key) : undefined;
      isAfterG = event.key === "g";
      if (area !== undefined) go(area.to);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  });
}
