import { createHash } from "node:crypto";
import { toHref } from "../../html/index.ts";
import type { WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import { isFromThisMachine, pageHeaders } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, show } from "../visit/answer.ts";
import { type PageHandler, pageRoutes } from "../visit/handlers.ts";
import { showError } from "../visit/show-error.ts";
import { type CapturedMessage, listCapturedMessages } from "./captured-messages.ts";
import { type InboxMessage, inboxPage } from "./inbox-view.ts";

const path = "/ui/dev/inbox";
const mailPath = "/ui/dev/inbox/mail";

/**
 * `/ui/dev/inbox`: the messages that a development server would have sent, for people and (`Accept: application/json`)
 * for programs. They contain codes, so the inbox exists only in development, and only for this machine.
 */
export function inboxRoutes(deps: PageDeps): WebRoute[] {
  if (!deps.isDevelopment) return [];
  const inbox = pageRoutes(deps, { path, get: showInbox }).map((route) => ({
    ...route,
    handler: async (request: WebRequest) => (wantsJson(request) ? answerJson(deps, request) : route.handler(request)),
  }));
  return [...inbox, ...pageRoutes(deps, { path: mailPath, get: showMail })];
}

/** Returns the address of the inbox for callers that may see it. */
export const inboxPathFor = (deps: Pick<PageDeps, "isDevelopment">, request: WebRequest): string | undefined =>
  deps.isDevelopment && isFromThisMachine(request) ? path : undefined;

const showInbox: PageHandler = async (deps, visit) => {
  if (!isFromThisMachine(visit.request)) return showError(deps, visit, { error: "not_found" });
  const messages = await list(deps, visit.request);
  return show(deps, visit, (context) => inboxPage(context, { messages: messages.map(toView) }), { hasForm: false });
};

/** Shows a mail as its reader would see it: a separate document that can do nothing but be displayed. */
const showMail: PageHandler = async (deps, visit) => {
  const { request, query } = visit;
  const messages = isFromThisMachine(request) ? await list(deps, request) : [];
  const found = messages.find(({ id }) => id === query.get("id"));
  if (found === undefined || found.html === null) return showError(deps, visit, { error: "not_found" });
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(found.html) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    status: 200,
    headers: {
      ...pageHeaders({ surface: "account", isHttps: request.instance.origin.startsWith("https:") }),
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; img-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups`,
      "content-type": "text/html; charset=utf-8",
      "content-language": found.language,
    },
    body: found.html,
  };
};

async function answerJson(deps: PageDeps, request: WebRequest): Promise<WebResponse> {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "accept",
  };
  if (!isFromThisMachine(request)) return { status: 404, headers, body: "{}" };
  return { status: 200, headers, body: JSON.stringify({ messages: await list(deps, request) }) };
}

const list = (deps: PageDeps, request: WebRequest): Promise<CapturedMessage[]> =>
  listCapturedMessages(deps, request.call, new URLSearchParams(request.query).get("recipient") ?? undefined);

function wantsJson(request: WebRequest): boolean {
  const accepted = (request.header("accept") ?? "").split(",").map((part) => part.split(";", 1)[0]?.trim());
  return accepted.includes("application/json") && !accepted.includes("text/html");
}

const toView = ({ id, state, recipient, createdAt, code, link, ...message }: CapturedMessage): InboxMessage => ({
  kind: message.kind,
  recipient,
  code,
  text: message.text,
  mailHref: message.html === null ? undefined : pathTo(mailPath, { id }),
  isSuperseded: state === "superseded",
  at: Date.parse(createdAt),
  linkHref: link === null ? undefined : toHref(link),
});
