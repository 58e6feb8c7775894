import { form, given, type Href, type Html, html, link, type PageContext } from "../../../html/index.ts";
import { type Entry, entryList } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";
import { type Pager, pager } from "../parts/pager.ts";

/** Where a position applies, by the names that its organization gave. */
export type AppointmentScope =
  | { readonly level: "instance" }
  | { readonly level: "organization"; readonly name: string }
  | { readonly level: "project"; readonly name: string; readonly organizationName: string }
  | {
      readonly level: "project_grant";
      readonly name: string;
      readonly organizationName: string;
      readonly grantedOrganizationName: string;
    };

/** A position of the user. */
export interface AppointmentView {
  readonly scope: AppointmentScope;
  /** The roles that have effect. */
  readonly roles: readonly string[];
  /** What waits for the user's answer. Declining posts `level` and `id`. */
  readonly offer?:
    | {
        readonly roles: readonly string[];
        readonly acceptHref: Href;
        readonly level: string;
        readonly id: string;
      }
    | undefined;
}

/** What the user administers, and what others ask them to. */
export interface AppointmentsModel extends AccountFrame {
  readonly appointments: readonly AppointmentView[];
  readonly declineAction: Href;
  readonly pager: Pager;
}

export function appointmentsPage(context: PageContext, model: AppointmentsModel): Html {
  const { appointments, declineAction } = model;
  return accountPage(context, model, {
    title: context.say("account.appointments.title"),
    intro: context.say("account.appointments.text"),
    body: html`<div class="panel">${
      appointments.length === 0
        ? html`<p>${context.say("account.appointments.none")}</p>`
        : entryList(appointments.map((appointment) => entry(context, declineAction, appointment)))
    }</div>
${pager(context, model.pager)}`,
  });
}

function entry(context: PageContext, declineAction: Href, { scope, roles, offer }: AppointmentView): Entry {
  const name = nameOfScope(context, scope);
  return {
    title: given(name),
    mark: offer && context.say("account.appointments.waiting"),
    isOpen: offer !== undefined,
    lines: [
      kindOfScope(context, scope),
      roles.length > 0 && context.sayHtml("account.appointments.roles", { roles: given(roles.join(", ")) }),
      offer && context.sayHtml("account.appointments.offered", { roles: given(offer.roles.join(", ")) }),
    ],
    ...(offer !== undefined && {
      actions: html`${link(offer.acceptHref, context.say("account.appointments.accept"), context.say("account.appointments.accept_one", { name }))}
${form(context, {
  action: declineAction,
  hidden: { level: offer.level, id: offer.id },
  submit: {
    kind: "quiet",
    label: context.say("account.appointments.decline"),
    ariaLabel: context.say("account.appointments.decline_one", { name }),
  },
})}`,
    }),
  };
}

/** Returns the name of what is administered. */
export const nameOfScope = (context: PageContext, scope: AppointmentScope): string =>
  scope.level === "instance" ? context.say("account.appointments.instance") : scope.name;

function kindOfScope(context: PageContext, scope: AppointmentScope): Html | string | undefined {
  switch (scope.level) {
    case "instance":
      return undefined;
    case "organization":
      return context.say("account.appointments.organization");
    case "project":
      return context.sayHtml("account.appointments.project", { organization: given(scope.organizationName) });
    case "project_grant":
      return context.sayHtml("account.appointments.project_grant", {
        organization: given(scope.organizationName),
        other: given(scope.grantedOrganizationName),
      });
    default:
      return scope satisfies never;
  }
}
