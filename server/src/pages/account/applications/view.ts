import { form, given, type Href, type Html, html, type PageContext } from "../../../html/index.ts";
import { type ScopeTopic, scopeList } from "../../login/parts/scopes.ts";
import { entryList } from "../parts/entry.ts";
import { type AccountFrame, accountPage } from "../parts/frame-view.ts";

/** An application with tokens of the user. */
export interface ApplicationView {
  readonly clientId: string;
  /** The client id where the application was deleted. */
  readonly name: string;
  readonly topics: readonly ScopeTopic[];
  /** What the scopes of resources permit, in the words of their owners. */
  readonly permissions: readonly string[];
  readonly since: number;
  /** Undefined when it has no access now, but would not have to ask for it. */
  readonly lastUsedAt: number | undefined;
  readonly canRenew: boolean;
}

/** Applications that can act for the user. Revoking posts `client_id`. */
export interface ApplicationsModel extends AccountFrame {
  readonly applications: readonly ApplicationView[];
  readonly revokeAction: Href;
}

export function applicationsPage(context: PageContext, model: ApplicationsModel): Html {
  const { applications, revokeAction } = model;
  return accountPage(context, model, {
    title: context.say("account.applications.title"),
    intro: context.say("account.applications.text"),
    body: html`<div class="panel">${
      applications.length === 0
        ? html`<p>${context.say("account.applications.none")}</p>`
        : entryList(
            applications.map(({ clientId, name, topics, permissions, since, lastUsedAt, canRenew }) => ({
              title: given(name),
              lines: [
                context.sayHtml("account.applications.since", { at: context.showInstant(since) }),
                lastUsedAt === undefined
                  ? context.say("account.applications.remembered")
                  : context.sayHtml("account.applications.used", { at: context.showInstant(lastUsedAt) }),
                lastUsedAt !== undefined && !canRenew && context.say("account.applications.ends"),
                topics.length > 0 &&
                  html`<details><summary>${context.say("account.applications.may")}</summary>${scopeList(context, { topics, permissions })}</details>`,
              ],
              actions: form(context, {
                action: revokeAction,
                hidden: { client_id: clientId },
                submit: {
                  kind: "quiet",
                  label: context.say("account.applications.revoke"),
                  ariaLabel: context.say("account.applications.revoke_one", { name }),
                },
              }),
            })),
          )
    }</div>`,
  });
}
