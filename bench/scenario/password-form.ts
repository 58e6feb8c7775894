import type { Answer } from "../load/connection.ts";
import type { RequestParts } from "../load/request.ts";
import type { Preparation, Work } from "../load/work.ts";
import type { ProductSeed, SeededUser } from "../product/seed.ts";
import { newChallenge, redeem } from "./code-exchange.ts";
import { authorize, endpoints, userScope, type Write } from "./product-requests.ts";

/**
 * A user signs in with their password on the pages, in a new browser each time: authorization request, the pages of
 * name and password, and the redemption of the code.
 */
export async function passwordForm(seed: ProductSeed, write: Write, { send }: Preparation): Promise<Work> {
  const start = (connection: number): BrowserStep => {
    const challenge = newChallenge();
    const parts = authorize(seed, userScope, challenge);
    const user = seed.people[connection % seed.people.length] ?? seed.user;
    return { user, cookies: new Map(), codeVerifier: challenge.codeVerifier, parts };
  };
  // The number of redirects is the server's choice, and the same in each walk.
  let requestsPerOperation = 1;
  for (let step = start(0); !isLast(step); requestsPerOperation++) {
    const answer = await send(write(step.parts));
    step = follow(seed, step, answer);
  }
  const steps = new Map<number, BrowserStep>();
  return {
    requestsPerOperation,
    isGood: ({ status }) => status < 400,
    next: (connection, last) => {
      const current = steps.get(connection);
      const isNew = current === undefined || last === undefined || isLast(current);
      const step = isNew ? start(connection) : follow(seed, current, last);
      steps.set(connection, step);
      return write(step.parts);
    },
  };
}

/** What a browser sends next, and what it has to know for the request after that. */
interface BrowserStep {
  readonly user: SeededUser;
  readonly cookies: ReadonlyMap<string, string>;
  readonly codeVerifier: string;
  readonly parts: RequestParts;
}

const isLast = ({ parts }: BrowserStep): boolean => parts.path === endpoints.token;

/** Follows a redirect, fills in the form of a page, or redeems the code with which the application is called. */
function follow(seed: ProductSeed, { cookies, ...step }: BrowserStep, { head, body }: Answer): BrowserStep {
  const kept = new Map(cookies);
  for (const [, name = "", value = ""] of head.matchAll(/\r\nset-cookie: *([^=;]+)=([^;\r]*)/gi)) kept.set(name, value);
  const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join("; ");
  const location = /\r\nlocation: *(\S+)/i.exec(head)?.[1];
  const to = (parts: RequestParts): BrowserStep => ({ ...step, cookies: kept, parts });
  if (location === undefined) return to({ ...fillIn(seed.origin, step.user, body), cookie });
  const url = new URL(location, seed.origin);
  if (url.origin === seed.origin) return to({ method: "GET", path: url.pathname + url.search, cookie });
  const code = url.searchParams.get("code");
  if (code === null) throw new Error(`the application got no code: ${location}`);
  return to(redeem(endpoints.token, seed.client, { code, codeVerifier: step.codeVerifier }));
}

/** The form that asks for the name or the password, as a browser sends it. */
function fillIn(origin: string, user: SeededUser, html: string): RequestParts {
  const entered = { login_name: user.loginName, password: user.password };
  for (const [, path = "", fields = ""] of html.matchAll(
    /<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g,
  )) {
    const named = (name: string): boolean => fields.includes(`name="${name}"`);
    const name = (Object.keys(entered) as (keyof typeof entered)[]).findLast(named);
    if (name === undefined) continue;
    const hidden = [...fields.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const form = Object.fromEntries(hidden.map(([, key = "", value = ""]) => [key, value.replaceAll("&amp;", "&")]));
    return { method: "POST", path: path.replaceAll("&amp;", "&"), origin, form: { ...form, [name]: entered[name] } };
  }
  throw new Error(`no form that asks for name or password in ${html}`);
}
