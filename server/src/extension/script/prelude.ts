// biome-ignore-all lint/suspicious/noExplicitAny: these functions run inside the interpreter, on what a script gives them.
/**
 * What runs in the interpreter before a script: the modules, and the objects `ctx` and `api`. These functions are sent
 * there as text, so they use nothing but one another. They protect nothing: a script may change everything that it
 * sees, and what comes out is checked outside.
 */

/** What reaches out of the interpreter (`sandbox.ts`); all arguments and results are texts. */
interface Host {
  ask(kind: string, argument: string): string;
  log(level: string, text: string): string;
  uuid(version: string, namespace: string, data: string): string;
  random(): string;
}

interface Configuration {
  readonly kind: string;
  readonly words: readonly string[];
  readonly input: Record<string, any>;
}

type Effects = Record<"claims" | "logs" | "metadata" | "grants" | "attributes", any[]> & {
  readonly fields: Record<string, any>;
};

/** Begins a run. Returns how the function of the script is called, and how the result is read afterwards. */
function start(host: Host, text: string) {
  const { parse, stringify } = JSON;
  const { kind, words, input } = parse(text) as Configuration;
  const effects: Effects = { fields: {}, claims: [], logs: [], metadata: [], grants: [], attributes: [] };
  const ask = (question: string, argument: any) => parse(host.ask(question, stringify(argument ?? null)));
  const modules = createModules(host, ask);
  const random = { random: () => Number(host.random()) };
  Object.defineProperty(Math, "random", { ...Object.getOwnPropertyDescriptor(random, "random"), enumerable: false });
  (globalThis as any).require = (name: any) => {
    const [word, module] = String(name).split("/");
    const isKnown = words.includes(String(word)) && Object.hasOwn(modules, String(module));
    if (!isKnown) throw new Error(`there is no module ${String(name).slice(0, 100)}`);
    return (modules as any)[String(module)];
  };
  const isComplementing = kind === "token" || kind === "saml";
  const context = isComplementing ? createTokenContext(input, ask) : createSignInContext(kind, input);
  const api = isComplementing ? createTokenApi(effects) : createSignInApi(effects);
  let failure: { readonly reason: any } | undefined;
  return {
    begin: (called: (...given: any[]) => any) => {
      const result = called(context, api);
      if (typeof result?.then !== "function") return;
      result.then(undefined, (reason: any) => {
        failure = { reason };
      });
    },
    end: () => {
      if (failure !== undefined) throw failure.reason;
      // Arrays that older scripts fill themselves.
      const { metadata, userGrants } = api as any;
      for (const entry of Array.isArray(metadata) ? metadata : []) effects.metadata.push(toMetadata(entry));
      for (const grant of Array.isArray(userGrants) ? userGrants : []) effects.grants.push(grant);
      return stringify(effects);
    },
  };
}

function createModules(host: Host, ask: (question: string, argument: any) => any) {
  const toText = (value: any): string => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    return JSON.stringify(value) ?? String(value);
  };
  const logAt =
    (level: string) =>
    (...values: any[]) => {
      host.log(level, values.map(toText).join(" "));
    };
  const fetch = (url: any, options: any) => {
    const { method = "GET", headers = {}, body } = options ?? {};
    const answer = ask("fetch", { url: String(url), method: String(method).toUpperCase(), headers, body });
    return {
      status: answer.status,
      body: answer.body,
      text: () => answer.body,
      json: () => JSON.parse(answer.body),
    };
  };
  return {
    http: { fetch },
    log: {
      debug: logAt("debug"),
      log: logAt("info"),
      info: logAt("info"),
      warn: logAt("warn"),
      error: logAt("error"),
    },
    uuid: {
      namespaceDNS: "dns",
      namespaceURL: "url",
      namespaceOID: "oid",
      namespaceX500: "x500",
      v1: () => host.uuid("1", "", ""),
      v3: (namespace: any, data: any) => host.uuid("3", String(namespace), String(data)),
      v4: () => host.uuid("4", "", ""),
      v5: (namespace: any, data: any) => host.uuid("5", String(namespace), String(data)),
    },
  };
}

function createTokenContext(input: Record<string, any>, ask: (question: string, argument: any) => any) {
  let grants: any;
  return {
    v1: {
      claims: input["claims"],
      getUser: () => input["user"],
      user: {
        getMetadata: () => withValues(ask("user_metadata", null)),
        get grants() {
          if (grants === undefined) {
            grants = ask("grants", null);
            for (const grant of grants.grants) {
              grant.getOrgMetadata = () => withValues(ask("grant_metadata", grant.userGrantResourceOwner));
            }
          }
          return grants;
        },
      },
      org: { getMetadata: () => withValues(ask("organization_metadata", null)) },
    },
  };
}

function createTokenApi(effects: Effects) {
  const setClaim = (key: any, value: any) => {
    effects.claims.push({ key: String(key), value });
  };
  const claims = {
    setClaim,
    appendLogIntoClaims: (entry: any) => {
      effects.logs.push(String(entry));
    },
  };
  const setMetadata = (key: any, value: any) => {
    effects.metadata.push(toMetadata({ key, value }));
  };
  const setCustomAttribute = (name: any, nameFormat: any, ...values: any[]) => {
    effects.attributes.push({ name: String(name), nameFormat: String(nameFormat ?? ""), values: values.map(String) });
  };
  return {
    v1: { claims, userinfo: claims, user: { setMetadata }, attributes: { setCustomAttribute } },
  };
}

function createSignInContext(kind: string, input: Record<string, any>) {
  const { accessToken, refreshToken, idToken, claims, user, ...v1 } = input;
  if (kind === "post_creation") return { v1: { ...v1, getUser: () => user } };
  if (kind === "pre_creation") return { v1: { ...v1, user } };
  return {
    accessToken,
    refreshToken,
    idToken,
    getClaim: (key: any) => (Object.hasOwn(claims ?? {}, key) ? claims[key] : null),
    claimsJSON: () => claims ?? null,
    v1,
  };
}

function createSignInApi(effects: Effects) {
  const setter = (name: string) => (value: any) => {
    effects.fields[name] = value;
  };
  const setters = {
    setFirstName: setter("firstName"),
    setLastName: setter("lastName"),
    setNickName: setter("nickName"),
    setDisplayName: setter("displayName"),
    setGender: setter("gender"),
    setPreferredLanguage: setter("preferredLanguage"),
    setPreferredUsername: setter("username"),
    setUsername: setter("username"),
    setEmail: setter("email"),
    setEmailVerified: setter("isEmailVerified"),
    setPhone: setter("phone"),
    setPhoneVerified: setter("isPhoneVerified"),
  };
  const appendUserGrant = (grant: any) => {
    effects.grants.push(grant);
  };
  const appendMetadata = (key: any, value: any) => {
    effects.metadata.push(toMetadata({ key, value }));
  };
  const appendMetadataRaw = (key: any, value: any) => {
    effects.metadata.push({ key: String(key), [typeof value === "string" ? "text" : "bytes"]: value });
  };
  return {
    ...setters,
    metadata: [] as any[],
    userGrants: [] as any[],
    v1: { ...setters, appendUserGrant, user: { appendMetadata, appendMetadataRaw } },
  };
}

/** Metadata is stored as JSON, so that a script reads the value that another one wrote. */
function toMetadata({ key, value }: any) {
  return { key: String(key), text: JSON.stringify(value) ?? "null" };
}

/** Values that are not JSON were not written by a script. */
function withValues(list: any) {
  for (const entry of list.metadata) {
    try {
      entry.value = JSON.parse(entry.text);
    } catch {
      entry.value = entry.text;
    }
    delete entry.text;
  }
  return list;
}

const parts = [
  start,
  createModules,
  createTokenContext,
  createTokenApi,
  createSignInContext,
  createSignInApi,
  toMetadata,
  withValues,
];

/** The text that the interpreter evaluates to `start`. */
export const preludeSource: string = `(() => {"use strict";${parts.map(String).join("\n")}\nreturn start;})()`;
