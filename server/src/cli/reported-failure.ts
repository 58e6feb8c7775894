/** A failure that was already reported to the user; only the exit code is left. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2) {
    super("reported already");
    this.exitCode = exitCode;
  }
}
