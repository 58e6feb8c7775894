import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorDetailSchema } from "@doorward/api/service/v1/error_pb";
import { t } from "../text/catalogue.ts";

/** A refusal of the server, as its user reads it. */
export interface Problem {
  readonly message: string;
  /** Name of the cause, which never changes, such as `user.not_found`. */
  readonly id?: string;
  /** Path of the field that was refused, in the names of the contract's JSON. */
  readonly field?: string;
  /** The caller lacks a permission. */
  readonly isForbidden: boolean;
  readonly isAbsent: boolean;
}

/** Returns what can be said about an error that a call ended with. */
export function problemOf(error: unknown): Problem {
  const failure = ConnectError.from(error);
  const [detail] = failure.findDetails(ErrorDetailSchema);
  const isUnreachable = detail === undefined && (failure.code === Code.Unknown || failure.code === Code.Unavailable);
  return {
    message: isUnreachable ? t("problem.unreachable") : (detail?.message ?? failure.rawMessage),
    ...(detail && { id: detail.id }),
    ...(detail?.field && { field: detail.field }),
    isForbidden: failure.code === Code.PermissionDenied,
    isAbsent: failure.code === Code.NotFound,
  };
}
