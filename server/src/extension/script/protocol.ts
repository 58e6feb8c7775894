/** What the threads that run scripts and the rest of the process say to each other. */

/** Of how many tenants a thread keeps an interpreter. */
export const mostTenants = 8;

/** One run of a script. */
export interface RunRequest {
  /** Whose script it is: an interpreter that ran the script of one tenant never runs that of another. */
  readonly tenant: string;
  readonly source: string;
  /** The function that is called. */
  readonly name: string;
  /** Milliseconds, including the time that the script waits for answers. */
  readonly timeout: number;
  /** Which `ctx` and `api` the function gets. */
  readonly kind: ContextKind;
  /** JSON: what `ctx` is made of. */
  readonly input: string;
  /** The namespace words under which modules can be required. */
  readonly words: readonly string[];
}

export type ContextKind = "token" | "saml" | "authentication" | "pre_creation" | "post_creation";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly text: string;
}

export type RunFailure =
  /** It threw, or is not JavaScript. */
  | "threw"
  | "no_function"
  | "timeout"
  /** It computed for too long, whatever its timeout. */
  | "computed_too_long"
  | "out_of_memory"
  | "result_too_large"
  /** Others needed the thread more. */
  | "displaced"
  /** Too many runs wait already, or it waited too long for its turn. */
  | "too_many"
  /** Its organization used what it may of the run time of the instance, so it did not begin. */
  | "run_time_used_up"
  /** The interpreter failed. */
  | "broken";

export interface RunOutcome {
  readonly failure?: RunFailure;
  /** What the script threw, shortened. */
  readonly message?: string;
  /** JSON: what the script asked for; absent after a failure. */
  readonly result?: string;
  readonly logs: readonly LogLine[];
  /** How long the run took, including the time that the script waited for answers. */
  readonly milliseconds: number;
}

/** A question of a script whose answer only the rest of the process has. */
export interface Question {
  readonly id: number;
  readonly kind: string;
  /** JSON. */
  readonly argument: string;
}

export interface Answer {
  readonly id: number;
  /** JSON. */
  readonly value?: string;
  /** What the script catches. */
  readonly error?: string;
}

export type FromThread = "ready" | { readonly question: Question } | { readonly outcome: RunOutcome };
