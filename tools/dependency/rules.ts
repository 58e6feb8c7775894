import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import { layerPattern } from "./layers.ts";

const source = "^server/src/";
const packages = "(^|/)node_modules/";

/** Folders of `server/src` that have a door: outside of them only their `index.ts` may be imported. */
export interface Doors {
  readonly layers: readonly string[];
}

/**
 * Every rule about who may import whom, but for the order (`order.ts`). Names are what the report shows; comments say
 * what to do instead.
 */
export function dependencyRules(doors: Doors): IRegularForbiddenRuleType[] {
  return [...general, ...siblings, ...doorRules(doors), ...generations, ...knowledge, ...grants];
}

const general: IRegularForbiddenRuleType[] = [
  rule(
    "no-cycle",
    "Break the circle: move what both need to a file of its own, in an earlier layer or module.",
    {},
    { circular: true },
  ),
  rule("resolves", "The file or package does not exist.", {}, { couldNotResolve: true }),
  rule(
    "source-without-tests",
    "What ships never imports tests, tools, browser tests or benches.",
    { path: ["^(server|api)/src/", "^login/assets/"] },
    { path: ["/test/", "[.]test[.]ts$", "^(e2e|bench|tools|examples)/"] },
  ),
  rule(
    "source-without-development-packages",
    "What ships imports only packages listed as its dependencies.",
    { path: ["^server/src/", "^login/assets/"] },
    { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: "@types/" },
  ),
  rule("browser-without-server", "Browser modules stand alone.", { path: "^login/" }, { path: "^(server|api)/" }),
];

/** Layers that each answer a different kind of request. Code that two of them need belongs before all three. */
export const transports = ["oauth", "rpc", "pages"] as const;

const siblings: IRegularForbiddenRuleType[] = transports.map((transport) =>
  rule(
    `siblings/${transport}`,
    "Transports never import one another: what both need belongs below them (authority, bearer, web, domain).",
    { path: layerPattern(transport) },
    { path: transports.filter((other) => other !== transport).map((other) => layerPattern(other)) },
  ),
);

function doorRules(doors: Doors): IRegularForbiddenRuleType[] {
  return [
    rule(
      "own-door",
      "A module imports its own files directly; a door is for others, and what it offers needs a reader among them.",
      { path: `${source}(domain/[^/]+|[^/]+)/` },
      { path: `${source}$1/index[.]ts$` },
    ),
    rule(
      "door/domain",
      "Other modules are reached only through their index.ts.",
      { path: `${source}(domain/[^/]+/|[^/]+)` },
      { path: `${source}domain/[^/]+/(?!index[.]ts$)`, pathNot: [`${source}$1`] },
    ),
    ...doors.layers.map((layer) =>
      rule(
        `door/${layer}`,
        `${layer} is reached only through its index.ts.`,
        { path: source, pathNot: layerPattern(layer) },
        { path: layerPattern(layer), pathNot: `${source}${layer}/index[.]ts$` },
      ),
    ),
  ];
}

/** The services of version 1 of the API, as folders of `server/src/api/v1`. */
const servicesOfV1 = "management|auth|admin|system";

const generations: IRegularForbiddenRuleType[] = [
  rule(
    "api-generations",
    "Version 2 of the API never imports version 1; version 1 may use version 2.",
    { path: `${source}api/v2/` },
    { path: `${source}api/v1/` },
  ),
  rule(
    "api-services",
    "Services of version 1 never import one another: what they share belongs to api/v1/common.",
    { path: `${source}api/v1/([^/]+)/` },
    { path: `${source}api/v1/(?:${servicesOfV1})/`, pathNot: `${source}api/v1/$1/` },
  ),
];

const knowledge: IRegularForbiddenRuleType[] = [
  rule(
    "database-engines",
    "Only database/ knows the engines.",
    { path: source, pathNot: `${source}database/` },
    { path: [`${packages}pg/`, "^(node:)?sqlite$"] },
  ),
  rule(
    "stores",
    "SQL of a module is its own: a store is imported only inside its folder, or through the door.",
    { path: `${source}(domain/[^/]+|[^/]+)` },
    { path: "[.]store[.]ts$", pathNot: [`${source}$1/`] },
  ),
  rule(
    "given-roles",
    "Roles are written by the steps that also end what others could have opened before: addMembership, changeRoles. Declining gives none.",
    { path: source, pathNot: `${source}domain/membership/(add-membership|change-roles|decline-appointment)[.]ts$` },
    { path: `${source}domain/membership/given-role[.]store[.]ts$` },
  ),
  rule(
    "protobuf",
    "Only api/ and rpc/ know messages, protobuf and Connect.",
    { path: source, pathNot: `${source}(api|rpc)/` },
    { path: [`${packages}@bufbuild/`, `${packages}@connectrpc/`, `${packages}@doorward/api/`, "^api/"] },
  ),
  rule(
    "html",
    "Only html/ renders HTML, with a template of its own.",
    { path: source },
    { path: `${packages}(hono|lit-html|handlebars|mustache|ejs|eta|pug|preact|react)/` },
  ),
  rule(
    "outbound",
    "Requests to other servers go through the guard in base/outbound.",
    { path: source, pathNot: `${source}base/outbound` },
    { path: [`${packages}(undici|axios|got|node-fetch)/`, "^(node:)?undici$"] },
  ),
  rule(
    "command-line",
    "Only the command line knows how it is parsed.",
    { path: source, pathNot: `${source}(cli/|main[.]ts$)` },
    { path: `${packages}commander/` },
  ),
  rule(
    "configuration",
    "Configuration is handed down in pieces by the composition root.",
    { path: source, pathNot: [`${source}(app|cli|config)/`, `${source}(app|main)[.]ts$`] },
    { path: `${source}config/` },
  ),
];

/** A grant is a file of `oauth/token/grants/`, or a folder there. */
const grants: IRegularForbiddenRuleType[] = [
  rule(
    "grants",
    "Grants never import one another; what they share belongs to a phase of the endpoint.",
    { path: `${source}oauth/token/grants/([^/.]+)[/.]` },
    { path: `${source}oauth/token/grants/`, pathNot: `${source}oauth/token/grants/$1[/.]` },
  ),
];

function rule(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType {
  return { name, comment, severity: "error", from, to };
}
