import { useSyncExternalStore } from "react";

let message = "";
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: string): void {
  message = next;
  for (const listener of listeners) listener();
}

/** Tells the user that something was done. It disappears after some seconds, so nothing depends on reading it. */
export function tell(text: string): void {
  clearTimeout(timer);
  set(text);
  timer = setTimeout(() => set(""), 6000);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where `tell` shows its texts; once in a document. It is a live region, so that its texts are read aloud. */
export function Toasts() {
  const text = useSyncExternalStore(subscribe, () => message);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {text !== "" && <p className="toast">{text}</p>}
    </div>
  );
}
