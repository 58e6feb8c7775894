import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";
import type { MatrixFixtures } from "./fixtures.ts";
import { type Expected, expectedOf, type Principal, reaches } from "./model.ts";
import { requestOf } from "./request.ts";
import type { Row } from "./rows.ts";
import type { Tenant } from "./tenant.ts";

/** One call: the caller, the method and the tenant. */
export interface Cell {
  readonly row: Row;
  readonly descriptor: DescMethodUnary;
  readonly principal: Principal;
  readonly tenant: Tenant;
  /** The organization that the call names; v1 methods look for everything there. */
  readonly organization: string | undefined;
}

/** The answer to a call: its outcome, and the words of a refusal. */
export interface Answered {
  readonly outcome: "unauthenticated" | "refused" | "allowed" | "failed";
  readonly words: string;
  /** Cause of a refusal. */
  readonly slug: string;
  readonly text: string;
  readonly isEmpty: boolean;
}

/** Makes the call of a cell, as Connect with JSON. */
export async function callCell(server: TestServer, cell: Cell): Promise<Answered> {
  const { row, descriptor, principal, tenant, organization } = cell;
  const answer = await server.rest("POST", `/${row.method}`, {
    body: requestOf(row, descriptor.input, tenant.objects),
    token: principal.token,
    headers: organization === undefined ? {} : { "x-service-orgid": organization },
  });
  return judge(answer);
}

function judge({ status, body }: RestAnswer): Answered {
  const slug = slugOf(body) ?? "";
  const said = {
    slug,
    words: status === 200 ? "ok" : `${body?.code} ${slug}`,
    text: JSON.stringify(body),
    isEmpty: isEmpty(body),
  };
  if (status === 401) return { outcome: "unauthenticated", ...said };
  // An allowed call that would have written met the frozen database.
  if (status === 200 || status === 500) return { outcome: "allowed", ...said };
  return { outcome: status === 403 || status === 404 ? "refused" : "failed", ...said };
}

const slugOf = (body: RestAnswer["body"]): string | undefined => body?.details?.[0]?.debug?.id;

// An empty list: the answer to a caller who may ask and sees nothing.
function isEmpty(body: RestAnswer["body"]): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Object.values(body).every((value) => !Array.isArray(value) || value.length === 0);
}

/** Returns what is wrong with the answer to a cell; undefined when it is right. */
export function complaintOf(fixtures: MatrixFixtures, cell: Cell, answered: Answered): string | undefined {
  const expected = expectedOf(cell.row, cell.principal, cell.tenant);
  // Some refusals come only after the check of the permission.
  if ((expected === "allowed" || expected === "filtered") && cell.row.afterwards.includes(answered.slug))
    return undefined;
  // A sign-in application holds permissions over accounts, and may use them where the user has proven themselves.
  if (
    cell.principal.position?.role === "IAM_LOGIN_CLIENT" &&
    (answered.slug.startsWith("user.login_client_") || cell.row.afterwards.includes(answered.slug))
  )
    return undefined;
  const leak = leakOf(fixtures, cell, answered);
  if (leak !== undefined) return leak;
  if (isAsExpected(cell, expected, answered)) return undefined;
  return `expected ${expected}, was ${answered.outcome}: ${answered.words}`;
}

function isAsExpected(cell: Cell, expected: Expected, { outcome, words, isEmpty: hasNothing }: Answered): boolean {
  const { row, organization, tenant, principal } = cell;
  const isNothing = /\/List/.test(row.method) && outcome === "allowed" && hasNothing;
  if (expected === "unauthenticated") return outcome === "unauthenticated";
  if (expected === "filtered")
    return outcome === "allowed" || (outcome === "refused" && !reaches(row, principal, tenant));
  // v1 methods look in the organization that the call names: an object elsewhere is absent, for every caller.
  const isElsewhere = organization !== undefined && organization !== tenant.objects["organization"];
  const isUnknown = organization !== undefined && tenant.name !== "own" && row.permissions.length === 0;
  if (expected === "allowed" && (outcome === "allowed" || !(isElsewhere || isUnknown) || row.isForEverybody)) {
    return outcome === "allowed";
  }
  // Removing an absent object succeeds; the wording shows that nothing was written.
  const isDone =
    /\/(Bulk)?(Delete|Remove)/.test(row.method) && words === "ok" && (isElsewhere || tenant.name !== "own");
  return outcome === "refused" || isNothing || isDone;
}

/** Returns what an answer shows of a tenant that the caller may not see; undefined when it shows nothing. */
function leakOf({ tenants }: MatrixFixtures, { row, principal }: Cell, { text, words }: Answered): string | undefined {
  if (words !== "ok") return undefined;
  for (const tenant of Object.values(tenants)) {
    const about = /Project|App|Resource|Grant|Authorization|Administrator|Member/.test(row.method)
      ? "list"
      : "organization";
    const isTheirs = (tenant.name === "own" && principal.isSelf) || principal.position?.level === "system";
    const mayBeSeen = isTheirs || reaches({ ...row, about }, principal, tenant);
    if (!mayBeSeen && row.permissions.length > 0 && text.includes(tenant.canary)) {
      return `shows something of ${tenant.name}: ${text.slice(0, 300)}`;
    }
  }
  return undefined;
}
