/** The result of a check. `ok` is reported as well, to show what was checked. */
export interface Finding {
  /** What was checked, in one or two words: `port`, `master key`. */
  readonly check: string;
  readonly level: "ok" | "warning" | "error";
  readonly message: string;
  /** The setting to change, by the name of its environment variable. */
  readonly setting?: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
}

/** Creates the findings of one check. */
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
