import { builtInNames, consolePaths, openBuiltIn } from "../../domain/application/index.ts";
import { createPageContext, type PageContext } from "../../html/index.ts";
import type { WebHandler, WebRequest, WebResponse, WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { assetRoute, respondWithPage } from "../respond.ts";
import { type PageHandler, pageRoutes } from "../visit/handlers.ts";
import { answerError, showError } from "../visit/show-error.ts";
import type { Visit } from "../visit/visit.ts";
import { assetsPath, type LoadConsole } from "./console-files.ts";
import { consoleDocument, returnDocument } from "./view.ts";

/**
 * Returns the routes of the console for administrators, where it is served: its document at every address, except those
 * of the files of its build and of the end of its sign-in.
 */
export function consoleRoutes(deps: PageDeps): WebRoute[] {
  const { loadConsole } = deps;
  if (loadConsole === undefined) return [];
  const pages = [
    { path: consolePaths.signedIn, get: showReturn },
    { path: consolePaths.home, get: showConsole(loadConsole) },
    { path: `${consolePaths.home}*`, get: showConsole(loadConsole) },
  ].flatMap((page) => pageRoutes(deps, page));
  return [
    // First, so that what is malformed below the console's address is refused on a page.
    assetRoute(`${assetsPath}:file`, (path) => loadConsole()?.find(path)),
    { path: consolePaths.home.slice(0, -1), protocol: "page", methods: ["GET"], handler: addSlash },
    ...pages.map((route) => ({ ...route, handler: atHome(deps, route.handler) })),
  ];
}

const addSlash: WebHandler = async ({ path, query }) => movedTo(308, `${path}/${query === "" ? "" : `?${query}`}`);

/** A path that the console can have: no escape, and nothing that browsers read differently. */
const isPlainPath = (path: string): boolean => /^[\w./~-]*$/.test(path) && !path.includes("//");

/**
 * Answers at the instance's own origin only. The console signs in, and proves its key, at the address of the issuer, so
 * that a browser at another host of the instance is sent there.
 */
const atHome =
  (deps: PageDeps, handler: WebHandler): WebHandler =>
  async (request) => {
    const { path, query, instance, call } = request;
    if (!isPlainPath(path) || path.startsWith(assetsPath)) {
      const { language, requestId } = call;
      call.note?.({ errorId: "not_found" });
      return answerError(deps, { error: "not_found", language, requestId, path, origin: instance.origin });
    }
    if (isAtHome(request)) return handler(request);
    return movedTo(307, `${instance.origin}${path}${query === "" ? "" : `?${query}`}`);
  };

const isAtHome = ({ instance, header }: WebRequest): boolean =>
  URL.parse(`http://${header("host") ?? ""}`)?.hostname === new URL(instance.origin).hostname;

const movedTo = (status: number, location: string): WebResponse => ({
  status,
  headers: { "cache-control": "no-store", "referrer-policy": "same-origin", location },
});

const showConsole =
  (loadConsole: LoadConsole): PageHandler =>
  async (deps, visit) => {
    const built = loadConsole();
    if (built === undefined) {
      const detail = "npm run build -w console";
      return showError(deps, visit, { error: "console_not_built", detail });
    }
    const clientId = await openBuiltIn(deps, visit.call, "console");
    const client = await deps.clients.find(visit.call.instanceId, clientId);
    // The organization of the built-in project was deactivated.
    if (client?.isActive !== true) {
      return showError(deps, visit, { error: "client_inactive", client: { name: builtInNames.console } });
    }
    const page = consoleDocument(contextOf(deps, visit), { built, clientId, languages: visit.languages });
    return respond(visit, page);
  };

// The token request that follows needs a nonce in its proof; having it here saves the refusal that would tell it.
const showReturn: PageHandler = async (deps, visit) => {
  const response = respond(visit, returnDocument(contextOf(deps, visit)));
  return { ...response, headers: { ...response.headers, "dpop-nonce": deps.proofNonce(visit.call) } };
};

const respond = ({ request, call }: Visit, page: ReturnType<typeof consoleDocument>): WebResponse =>
  respondWithPage({ page, language: call.language, origin: request.instance.origin, surface: "console" });

const contextOf = ({ texts, assets }: PageDeps, { call: { language } }: Visit): PageContext =>
  createPageContext({ texts, assets, language, csrfToken: "", languageLinks: [] });
