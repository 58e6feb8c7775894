/**
 * Thrown for an invalid setting: how the operator spelled it, what is wrong, and what to do. Never contains a secret.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly setting: string;
  readonly problem: string;
  readonly fix: string;

  constructor(setting: string, problem: string, fix: string, cause?: unknown) {
    super(`${setting} ${problem}: ${fix}`, { cause });
    this.setting = setting;
    this.problem = problem;
    this.fix = fix;
  }
}
