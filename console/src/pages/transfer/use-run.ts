import { useBlocker } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../text/catalogue.ts";
import type { Progress } from "./results.ts";

type Start = (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<void>;

/** An import that runs in the page: it ends with the page, which asks before it is left. */
export function useRun() {
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  const isRunning = progress?.isRunning === true;
  useEffect(() => () => running.current?.abort(), []);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isRunning && current.pathname !== next.pathname && !confirm(t("import.leave")),
    enableBeforeUnload: () => isRunning,
  });
  const start = useCallback(async (run: Start): Promise<void> => {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    await run(controller.signal, (next) => {
      if (running.current === controller) setProgress(next);
    });
  }, []);
  return {
    progress,
    isRunning,
    start,
    stop: useCallback(() => running.current?.abort(), []),
    /** Forgets what was reported, for another file. */
    clear: useCallback(() => {
      running.current?.abort();
      running.current = undefined;
      setProgress(undefined);
    }, []),
  };
}
