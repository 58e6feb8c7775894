/** What a check found. `ok` is said as well, so that one sees what was looked at. */
export interface Finding {
  /** What was looked at, in one or two words: `port`, `master key`. */
  readonly check: string;
  readonly level: "ok" | "warning" | "error";
  readonly message: string;
  /** The setting that decides it, as its environment variable is called. */
  readonly setting?: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
}

/** Makes the findings of one check. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, level: "ok", message }),
  warning: (message: string, setting: string, fix: string): Finding => ({
    check,
    level: "warning",
    message,
    setting,
    fix,
  }),
  error: (message: string, setting: string, fix: string): Finding => ({ check, level: "error", message, setting, fix }),
});
