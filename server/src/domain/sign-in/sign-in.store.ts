import type { Instant } from "../../base/clock.ts";
import { deleteAll, type EndedRows, list, type Reader, sql, type Tx, text } from "../../database/index.ts";
import { type AuthRequest, type AuthRequestRow, openRequestOfBrowser, toAuthRequest } from "../auth-request/index.ts";
import type { Factors } from "../session/index.ts";
import { type CurrentSignIn, ended, type Problem, type SignIn, type SignInKey, type SignInState } from "./state.ts";

interface Row {
  readonly state: SignInState;
  readonly loginName: string;
  readonly userId: string | null;
  readonly userOrganizationId: string | null;
  readonly problem: string | null;
  readonly attemptId: string | null;
  readonly factors: string;
  readonly signInEpoch: number | null;
  /** That of the user now; null without a user. */
  readonly userEpoch: number | null;
  readonly sealedSignUp: string | null;
  readonly attemptEnd: number;
}

const columns =
  text(`s.state, s.login_name as "loginName", s.user_id as "userId", s.problem, s.way_id as "attemptId", s.factors,
      s.sealed_sign_up as "sealedSignUp", s.expires_at as "attemptEnd", s.sign_in_epoch as "signInEpoch",
      u.sign_in_epoch as "userEpoch", u.organization_id as "userOrganizationId"`);

const withUser = sql`left join users u on u.instance_id = s.instance_id and u.user_id = s.user_id`;

/** Finds the attempt of a browser, for a request or without one. */
export async function findSignIn(
  reader: Reader,
  instanceId: string,
  key: SignInKey,
  now: Instant,
): Promise<CurrentSignIn | undefined> {
  const row = await reader.maybe<Row>(sql`select ${columns} from sign_ins s ${withUser}
    where s.instance_id = ${instanceId} and s.browser_hash = ${key.browserHash} and s.auth_request_id = ${key.authRequestId ?? ""}`);
  return row && toSignIn(row, now);
}

/** The open request of a browser, with the attempt that is to answer it. */
export interface RequestedSignIn {
  readonly authRequest: AuthRequest;
  readonly signIn: CurrentSignIn | undefined;
}

/** Finds the open request of a browser together with its attempt. */
export async function findRequestedSignIn(
  reader: Reader,
  instanceId: string,
  key: { readonly authRequestId: string; readonly browserHash: string },
  now: Instant,
): Promise<RequestedSignIn | undefined> {
  const row = await reader.maybe<AuthRequestRow & (Row | { readonly state: null })>(sql`select r.*, ${columns}
    from (${openRequestOfBrowser(instanceId, key, now)}) r
    left join sign_ins s on s.instance_id = ${instanceId} and s.browser_hash = ${key.browserHash}
      and s.auth_request_id = r."authRequestId" ${withUser}`);
  return row && { authRequest: toAuthRequest(row), signIn: row.state === null ? undefined : toSignIn(row, now) };
}

/**
 * Returns the attempt of a row. One that established who the user is says so when it has ended: in its time, or with
 * what ended the sessions of the user.
 */
function toSignIn(row: Row, now: Instant): CurrentSignIn | undefined {
  const { signInEpoch } = row;
  const isOver = row.attemptEnd <= now;
  if (signInEpoch !== null && (isOver || signInEpoch !== row.userEpoch)) return over;
  if (isOver) return undefined;
  return {
    state: row.state,
    loginName: row.loginName,
    userId: row.userId ?? undefined,
    userOrganizationId: row.userOrganizationId ?? undefined,
    problem: row.problem === null ? undefined : (JSON.parse(row.problem) as Problem),
    attemptId: row.attemptId ?? undefined,
    factors: JSON.parse(row.factors) as Factors,
    signInEpoch: signInEpoch ?? undefined,
    ...(row.sealedSignUp !== null && { sealedSignUp: row.sealedSignUp }),
  };
}

const over: CurrentSignIn = { ...ended, userOrganizationId: undefined };

/**
 * Writes the attempt of a browser, over any former state. From the first factor on an attempt keeps its end,
 * whatever is written: refused forms must not keep it alive.
 */
export async function putSignIn(tx: Tx, key: SignInKey, signIn: SignIn, expiresAt: Instant): Promise<void> {
  const problem = signIn.problem === undefined ? null : JSON.stringify(signIn.problem);
  const authRequestId = key.authRequestId ?? "";
  await tx.run(sql`insert into sign_ins (instance_id, browser_hash, auth_request_id, state, login_name, user_id, problem, way_id, factors, sign_in_epoch,
      sealed_sign_up, expires_at)
    values (${tx.instanceId}, ${key.browserHash}, ${authRequestId}, ${signIn.state}, ${signIn.loginName}, ${signIn.userId},
      ${problem}, ${signIn.attemptId}, ${JSON.stringify(signIn.factors)}, ${signIn.signInEpoch},
      ${signIn.sealedSignUp}, ${expiresAt})
    on conflict (instance_id, browser_hash, auth_request_id) do update set state = excluded.state, login_name = excluded.login_name,
      user_id = excluded.user_id, problem = excluded.problem, way_id = excluded.way_id, factors = excluded.factors,
      sign_in_epoch = excluded.sign_in_epoch, sealed_sign_up = excluded.sealed_sign_up,
      expires_at = case when sign_ins.sign_in_epoch is not null and sign_ins.way_id = excluded.way_id then sign_ins.expires_at
        else excluded.expires_at end`);
}

/** Deletes an attempt that has come to its end. */
export async function deleteSignIn(tx: Tx, key: SignInKey): Promise<void> {
  await tx.run(sql`delete from sign_ins where instance_id = ${tx.instanceId} and browser_hash = ${key.browserHash}
    and auth_request_id = ${key.authRequestId ?? ""}`);
}

/** Deletes the attempts of a user who is deleted, in every browser. */
export function deleteSignInsOfUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const where = sql`instance_id = ${tx.instanceId} and user_id in ${list(userIds)}`;
  return deleteAll(tx, { table: text("sign_ins"), where });
}

/** Moves the attempts of a browser, which are few (`putSignIn`), to its new secret. */
export async function moveSignIns(tx: Tx, browser: { readonly from: string; readonly to: string }): Promise<void> {
  await tx.run(sql`update sign_ins set browser_hash = ${browser.to}
    where instance_id = ${tx.instanceId} and browser_hash = ${browser.from}`);
}

/** Attempts that did not end before the instant, when they had to. */
export const expiredSignIns = (before: number): EndedRows => ({
  table: text("sign_ins"),
  where: () => sql`expires_at < ${before}`,
});
