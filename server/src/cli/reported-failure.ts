/** A failure that somebody was told of already; only the exit code is left. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2) {
    super("reported already");
    this.exitCode = exitCode;
  }
}
