import type { Fault } from "../../../base/fault.ts";
import type { AdministeredResource } from "../../../domain/administrator-access/index.ts";
import { type Administrator, listMembershipsOfUser } from "../../../domain/administrator-search/index.ts";
import { acceptAppointment, declineAppointment } from "../../../domain/membership/index.ts";
import { findOrganization } from "../../../domain/organization/index.ts";
import { isFreshCaller, mayActForUser } from "../../../domain/session/index.ts";
import { endPreparedSessions, terminateOtherSessions } from "../../../domain/sign-out/index.ts";
import type { WebResponse } from "../../../web/index.ts";
import type { PageDeps } from "../../deps.ts";
import { seeOther } from "../../visit/answer.ts";
import { type Account, pageIn } from "../parts/account.ts";
import { confirmPage } from "../parts/confirm.ts";
import { accountPaths } from "../parts/frame.ts";
import { accountPage, attempt, errorsOf, toNews } from "../parts/handlers.ts";
import { pagerOf, readOffset } from "../parts/pages-of-list.ts";
import { showAccount } from "../parts/show-account.ts";
import { type AppointmentScope, type AppointmentView, appointmentsPage, nameOfScope } from "./view.ts";

const path = accountPaths.appointments;
const acceptPath = `${path}/accept`;
const limit = 10;

/**
 * `/ui/account/appointments`: what the user administers, and what other organizations ask them to. Declining is a form
 * of the list; accepting has a page of its own, which asks for a fresh authentication.
 */
export const appointmentPages = [
  accountPage({
    path,
    goal: "account-appointments",
    get: async (deps, account) => {
      const offset = readOffset(account);
      const { administrators, total } = await listPositions(deps, account, { offset });
      const appointments = await Promise.all(administrators.map((position) => toView(deps, account, position)));
      return showAccount(deps, account, "appointments", (context, frame) =>
        appointmentsPage(context, {
          ...frame,
          appointments,
          declineAction: pageIn(account, path),
          pager: pagerOf(account, path, { offset, limit, total }),
        }),
      );
    },
    post: async (deps, account, form) => {
      const position = await findOffer(deps, account, form);
      if (position === undefined) return toList(account);
      const { userId } = account.user;
      const answer = { userId, resource: toResource(position) };
      // What was taken back meanwhile needs no answer.
      await attempt(() => declineAppointment({ ...deps, mayActFor: mayActForUser }, account.call, answer));
      return toNews(account, path, "appointment_declined");
    },
  }),
  accountPage({
    path: acceptPath,
    goal: "account-appointment",
    get: async (deps, account) => {
      const position = await findOffer(deps, account, account.visit.query);
      return position === undefined ? toList(account) : drawOffer(deps, account, position, undefined);
    },
    post: async (deps, account, form) => {
      const position = await findOffer(deps, account, account.visit.query);
      if (position === undefined) return toList(account);
      const { userId } = account.user;
      const fault = await attempt(() =>
        acceptAppointment(acceptDepsOf(deps), account.call, {
          userId,
          resource: toResource(position),
          roles: (form.get("roles") ?? "").split(" "),
        }),
      );
      return fault === undefined
        ? toNews(account, path, "appointment_accepted")
        : drawOffer(deps, account, position, fault);
    },
    pageOfForm: path,
  }),
];

const acceptDepsOf = (deps: PageDeps) => ({
  ...deps,
  mayActFor: mayActForUser,
  isFresh: isFreshCaller,
  endPreparedSessions,
  terminateOtherSessions,
});

const toList = (account: Account): WebResponse => seeOther(pageIn(account, path));

function listPositions(
  deps: PageDeps,
  { call, user }: Account,
  {
    offset,
    filters = [],
  }: { readonly offset: number; readonly filters?: Parameters<typeof listMembershipsOfUser>[2]["filters"] },
) {
  const page = { offset, limit };
  return listMembershipsOfUser(deps, call, {
    userId: user.userId,
    filters,
    orderBy: "created_at",
    isDescending: true,
    page,
  });
}

/** Finds the offer that an address or a form names, if it waits for the user's answer. */
async function findOffer(deps: PageDeps, account: Account, named: URLSearchParams): Promise<Administrator | undefined> {
  const level = levels.find((each) => each === named.get("level"));
  if (level === undefined) return undefined;
  const filters = [{ by: "scope", level, resourceId: named.get("id") ?? "" }] as const;
  const { administrators } = await listPositions(deps, account, { offset: 0, filters });
  return administrators.find(({ pendingRoles }) => pendingRoles.length > 0);
}

const levels = ["organization", "project", "project_grant"] as const;

function toResource({ resource }: Administrator): AdministeredResource {
  if (resource.level !== "project_grant") return resource;
  const { level, projectId, grantId } = resource;
  return { level, projectId, grantId };
}

function idOf({ resource }: Administrator): string {
  switch (resource.level) {
    case "instance":
      return "";
    case "organization":
      return resource.organizationId;
    case "project":
      return resource.projectId;
    case "project_grant":
      return resource.grantId;
    default:
      return resource satisfies never;
  }
}

async function toView(deps: PageDeps, account: Account, position: Administrator): Promise<AppointmentView> {
  const { roles, pendingRoles } = position;
  const { level } = position.resource;
  const id = idOf(position);
  return {
    scope: await toScope(deps, account, position),
    roles,
    ...(pendingRoles.length > 0 && {
      offer: { roles: pendingRoles, acceptHref: pageIn(account, acceptPath, { level, id }), level, id },
    }),
  };
}

async function toScope(deps: PageDeps, { call }: Account, { resource }: Administrator): Promise<AppointmentScope> {
  const nameOf = async (organizationId: string): Promise<string> =>
    (await findOrganization(deps.database.read, call.instanceId, organizationId))?.name ?? organizationId;
  switch (resource.level) {
    case "instance":
      return resource;
    case "organization":
      return { level: resource.level, name: resource.name };
    case "project":
      return {
        level: resource.level,
        name: resource.name,
        organizationName: await nameOf(resource.organizationId),
      };
    case "project_grant":
      return {
        level: resource.level,
        name: resource.projectName,
        organizationName: await nameOf(resource.organizationId),
        grantedOrganizationName: await nameOf(resource.grantedOrganizationId),
      };
    default:
      return resource satisfies never;
  }
}

async function drawOffer(
  deps: PageDeps,
  account: Account,
  position: Administrator,
  fault: Fault | undefined,
): Promise<WebResponse> {
  const { pendingRoles } = position;
  const scope = await toScope(deps, account, position);
  return showAccount(deps, account, "appointments", (context, frame) =>
    confirmPage(context, {
      ...frame,
      title: context.say("account.appointments.confirm_title", { name: nameOfScope(context, scope) }),
      text: context.say("account.appointments.confirm_text", { roles: pendingRoles.join(", ") }),
      submit: context.say("account.appointments.accept"),
      action: pageIn(account, acceptPath, { level: position.resource.level, id: idOf(position) }),
      // What the user was shown: other roles that are offered meanwhile are not accepted by it.
      hidden: { roles: pendingRoles.join(" ") },
      backHref: pageIn(account, path),
      errors: errorsOf(deps, context, fault).map(({ message }) => ({ message })),
    }),
  );
}
