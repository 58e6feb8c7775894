import { type KeptAnswer, keepAnswer } from "../../domain/identity-provider-intent/index.ts";
import type { WebHandler, WebRoute } from "../../web/index.ts";
import type { PageDeps } from "../deps.ts";
import { pathTo, seeOther } from "../visit/answer.ts";
import { pageRoutes } from "../visit/handlers.ts";
import { openVisit } from "../visit/visit.ts";
import { directoryPage } from "./directory-handler.ts";
import { invalidAnswer, receive } from "./receive.ts";
import { createSamlRoutes } from "./saml.ts";

/**
 * Creates the addresses to which providers return browsers, the one for proxies that add a signed token, and the page
 * where users enter the credentials of a directory.
 */
export const createProviderRoutes = (deps: PageDeps): WebRoute[] => [
  ...answerRoutes(deps, callback),
  ...answerRoutes(deps, `${callback}/:organizationId`),
  route("GET", "/idps/jwt", async (request) => {
    const visit = await openVisit(deps, request);
    const state = only(visit.query, "authRequestID");
    const said = { header: (name: string) => request.header(name) };
    return state === undefined ? invalidAnswer(deps, visit) : receive(deps, visit, state, said);
  }),
  ...createSamlRoutes(deps),
  ...pageRoutes(deps, directoryPage),
];

const callback = "/idps/callback";

/** Returns the routes of one callback: that of the instance's providers, or that of an organization's. */
const answerRoutes = (deps: PageDeps, path: string): WebRoute[] => [
  route("GET", path, async (request) => {
    const visit = await openVisit(deps, request);
    const { query } = visit;
    if (isStateAlone(query)) return receive(deps, visit, query.get("state") ?? "", "posted");
    const answer = readAnswer(query);
    return answer === undefined ? invalidAnswer(deps, visit) : receive(deps, visit, answer.state, answer.said);
  }),
  // OAuth 2.0 Form Post Response Mode: another site's form arrives without our cookie, and the redirected request has
  // it (SameSite=Lax).
  route("POST", path, async (request) => {
    const visit = await openVisit(deps, request);
    const type = request.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    const answer =
      type === "application/x-www-form-urlencoded" ? readPosted(new URLSearchParams(request.body)) : undefined;
    if (answer === undefined) return invalidAnswer(deps, visit);
    await keepAnswer(deps, visit.call, answer);
    return seeOther(pathTo(request.path, { state: answer.state }));
  }),
];

const route = (method: "GET" | "POST", path: string, handler: WebHandler): WebRoute => ({
  methods: [method],
  path,
  handler,
  protocol: "page",
  rateLimit: "login",
  bodyLimit: 32 * 1024,
});

const longest = 8192;

/** Returns a parameter that occurs once: a repeated one is ambiguous (RFC 6749 §3.1). */
function only(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  return value === undefined || value === "" || value.length > longest || others.length > 0 ? undefined : value;
}

const isStateAlone = (query: URLSearchParams): boolean =>
  only(query, "state") !== undefined && ["code", "error", "iss"].every((name) => !query.has(name));

/**
 * Returns the provider's answer; undefined for an invalid one: without state, with a repeated parameter, or with
 * neither or both of code and error.
 */
function readAnswer(given: URLSearchParams): { readonly state: string; readonly said: KeptAnswer } | undefined {
  const state = only(given, "state");
  const isClear = ["code", "error", "iss"].every((name) => given.getAll(name).length <= 1);
  if (state === undefined || !isClear || given.has("code") === given.has("error")) return undefined;
  const issuer = given.get("iss") ?? undefined;
  const error = only(given, "error");
  if (error !== undefined) return { state, said: { error, issuer } };
  const code = only(given, "code");
  return code === undefined ? undefined : { state, said: { code, issuer } };
}

/** Returns a posted answer, with what the provider says of the user beside the code (Sign in with Apple). */
function readPosted(given: URLSearchParams): ReturnType<typeof readAnswer> {
  const answer = readAnswer(given);
  const user = only(given, "user");
  if (answer === undefined || user === undefined || !("code" in answer.said)) return answer;
  return { ...answer, said: { ...answer.said, user } };
}
