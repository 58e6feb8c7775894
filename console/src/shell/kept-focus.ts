import { useEffect } from "react";

/**
 * Gives the focus a new place when what had it is gone, such as a button that is shown no longer once it was pressed,
 * the row of a table, or a title that another page replaces: to the heading of what was around it. Otherwise the next
 * key would begin at the top of the document, and a screen reader would say nothing.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    // What had the focus, and what is around it, from the inside.
    let around: readonly Element[] = [];
    let isPlanned = false;
    const check = () => {
      isPlanned = false;
      const [latest] = around;
      if (latest === undefined || !isFocusNowhere()) return;
      if (latest.isConnected && !latest.matches(":disabled")) around = [];
      else headingOf(around)?.focus({ preventScroll: true });
    };
    // After everything else that moves the focus, such as a dialog that closes.
    const plan = () => {
      if (!isPlanned) requestAnimationFrame(check);
      isPlanned = true;
    };
    const remember = ({ target }: FocusEvent) => {
      around = target instanceof Element ? [...ancestorsOf(target)] : [];
    };
    const observer = new MutationObserver(plan);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    addEventListener("focusin", remember);
    addEventListener("focusout", plan);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", remember);
      removeEventListener("focusout", plan);
    };
  }, []);
}

const isFocusNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

function* ancestorsOf(element: Element): Generator<Element> {
  for (let at: Element | null = element; at !== null; at = at.parentElement) yield at;
}

/** Returns the heading of the innermost part that is still there, which can have the focus from now on. */
function headingOf(around: readonly Element[]): HTMLElement | null {
  const part = around.find((one) => one.isConnected && one.matches("dialog, section.section, article, main"));
  const heading =
    part?.querySelector<HTMLElement>("h1, h2") ??
    document.querySelector<HTMLElement>("main h1") ??
    document.querySelector<HTMLElement>("main");
  if (heading !== null && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  return heading;
}
