export interface CommandErrorOptions {
  /** The setting to change, by the name of its environment variable. */
  readonly setting?: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
  readonly cause?: unknown;
}

/** Thrown when a command fails, with the cause, the setting and the fix for its user. Never contains a secret. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly setting: string | undefined;
  readonly fix: string | undefined;

  constructor(problem: string, { setting, fix, cause }: CommandErrorOptions = {}) {
    super(problem, { cause });
    this.setting = setting;
    this.fix = fix;
  }
}
