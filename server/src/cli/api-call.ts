import { CommandError } from "./command-error.ts";

/** Calls a method of the API: `call("project.v2.ProjectService/CreateProject", {…})`. */
export type ApiClient = (method: string, message: object) => Promise<Readonly<Record<string, unknown>>>;

interface RefusalDetails {
  readonly code: string;
  readonly id: string;
  readonly retryAfter: number | undefined;
}

/** Thrown when the server refuses a request. */
export class ApiRefusal extends CommandError {
  /** Canonical code of the refusal, such as `already_exists`. */
  readonly code: string;
  /** Stable slug of the cause, such as `user.username_taken`; empty for what is not the API. */
  readonly id: string;
  /** Seconds after which the server asks to try again. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, id, retryAfter }: RefusalDetails) {
    const fix = fixes[code];
    super(message, fix === undefined ? {} : { fix });
    this.code = code;
    this.id = id;
    this.retryAfter = retryAfter;
  }
}

const fixes: Readonly<Record<string, string>> = {
  unauthenticated:
    "sign in with doorward login, or use a valid token: a personal access token in DOORWARD_TOKEN, or in the file of --token-file",
  permission_denied: "use the token of a user who may do this, for example an owner of the organization",
};
