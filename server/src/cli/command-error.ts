export interface CommandErrorOptions {
  /** The setting to change, as its environment variable is called. */
  readonly setting?: string;
  /** What to do, in the imperative. */
  readonly fix?: string;
  readonly cause?: unknown;
}

/** Why a command could not do what it was asked for, for the person who asked: the cause, the setting, the fix. Never contains a secret. */
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
