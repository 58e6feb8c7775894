import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebRoute } from "../../src/web/index.ts";
import { ownerOf } from "../account/support/account.ts";
import { isLong } from "../support/data/random.ts";
import { addPerson } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { demandInert } from "./support/api.ts";
import { demandContract } from "./support/contract.ts";
import { eventsTold } from "./support/events-told.ts";
import { everythingStored } from "./support/everything-stored.ts";
import { decodeText, readElements } from "./support/markup.ts";
import { type Exchange, RecordingBrowser } from "./support/recorder.ts";
import { findSecrets, type SearchedText } from "./support/secrets.ts";
import { prepareTour, type Tour } from "./support/tour.ts";
import { walkAccount, walkInbox } from "./support/walk-account.ts";
import { walkDevice } from "./support/walk-device.ts";
import { walkExternal } from "./support/walk-external.ts";
import { walkImpersonation } from "./support/walk-impersonation.ts";
import { type Door, walkLeftoverPages } from "./support/walk-leftover-pages.ts";
import { walkAsStranger, walkFactors, walkIn } from "./support/walk-login.ts";
import { walkPreview } from "./support/walk-preview.ts";
import { walkSaml } from "./support/walk-saml.ts";
import { walkSamlApplication } from "./support/walk-saml-application.ts";
import { walkSessions } from "./support/walk-sessions.ts";
import { walkSetupLink } from "./support/walk-setup-link.ts";

const walks = {
  walkAsStranger,
  walkIn,
  walkFactors,
  walkExternal,
  walkSaml,
  walkSamlApplication,
  walkDevice,
  walkAccount,
  walkPreview,
  walkSetupLink,
  walkImpersonation,
  walkSessions,
  walkInbox,
};

/** Headers that an untrusted proxy, or a client that poses as one, may write (CVE-2023-49097, CVE-2025-48936). */
const forwarded = {
  "x-forwarded-host": "evil-header.example",
  "x-forwarded-server": "evil-header.example",
  "x-forwarded-proto": "https",
  "x-forwarded-scheme": "https",
  "x-forwarded-port": "4711",
  "x-forwarded-prefix": "/evil-header",
  "x-forwarded-uri": "/evil-header",
  "x-forwarded-for": "203.0.113.77",
  "x-real-ip": "203.0.113.77",
  "true-client-ip": "203.0.113.77",
  "cf-connecting-ip": "203.0.113.77",
  "x-client-ip": "203.0.113.77",
  forwarded: "for=203.0.113.77;host=evil-header.example;proto=https",
  x_forwarded_host: "evil-header.example",
  "x-host": "evil-header.example",
  "x-original-host": "evil-header.example",
  "x-original-url": "/evil-header",
  "x-rewrite-url": "/evil-header",
  "x-http-method-override": "DELETE",
  "x-service-instance-host": "evil-header.example",
  "x-service-public-host": "evil-header.example",
  "x-zitadel-instance-host": "evil-header.example",
  "x-zitadel-public-host": "evil-header.example",
  "x-service-orgid": "1",
  via: "1.1 evil-header.example",
  referer: "https://evil-header.example/",
};

/** Ends a text, an attribute, a title and an element, opens its own, and shows when a template engine evaluates it. */
const payload = `"'><x-evil onx-evil=1></title><!--{{7*7}}\${7*7}&lt;x-evil&gt;`;

// What is asked here is the same on both; that the rows are is asked where they are written.
for (const engine of isLong() ? (["sqlite", "postgres"] as const) : (["sqlite"] as const)) {
  test(`every page, met by an attacker at every turn (${engine})`, async (t) => {
    const log: string[] = [];
    const headers = { ...forwarded, "user-agent": `Mozilla/5.0 (Agent${payload}) Firefox/1` };
    const tour = await prepareTour(t, { engine, log, headers, payload });
    for (const [name, walk] of Object.entries(walks)) await t.test(name, () => walk(tour));
    const { exchanges, calls, server } = tour;
    const unwalked = unreached(server.app.routes, exchanges, isSeen);
    await t.test("walkLeftoverPages", () => walkLeftoverPages(tour, unwalked));
    await eventsTold(tour.api);
    const documents = exchanges.filter(isDocument);
    const mails = await mailsOf(tour);
    const stored = await everythingStored(server);

    await t.test("no page was left out: every route of pages, by each of its methods", () => {
      // A few new pages may still be without a walk of their own: `walkLeftoverPages` requests them.
      t.diagnostic(`without a way of their own: ${unwalked.map(nameOf).join(", ")}`);
      assert.ok(
        unwalked.length <= 12,
        "too many pages that no way comes by; make a stop for each in support/walk-*.ts",
      );
      assert.deepEqual(unreached(server.app.routes, exchanges, () => true).map(nameOf), []);
    });

    await t.test("every answer keeps the contract (G14)", () => {
      assert.deepEqual(
        exchanges.flatMap((exchange) => demandContract(tour, exchange)),
        [],
      );
    });

    await t.test("an answer of the API is data, for its caller only and never to be stored (G14)", () => {
      assert.ok(calls.length > 100, `${calls.length} calls`);
      assert.deepEqual(calls.flatMap(demandInert), []);
    });

    await t.test(
      "nothing that an untrusted header says is believed or told, by a page, the API, a mail or a row (G7)",
      () => {
        const believed = /evil-header|203\.0\.113\.77|:4711/;
        for (const { method, address, headers, body } of [...exchanges, ...calls]) {
          // A request for an unknown host is told so, with the host's name: that is all.
          const rest = body.replaceAll("There is no instance at evil-header.example.", "");
          assert.doesNotMatch(`${[...headers].join("\n")}\n${rest}`, believed, `${method} ${address}`);
        }
        for (const mail of mails) assert.doesNotMatch(JSON.stringify(mail), believed);
        for (const { table, row } of stored) assert.doesNotMatch(row, believed, table);
        for (const { link } of mails) if (link !== null) assert.equal(new URL(link).origin, server.origin);
      },
    );

    await t.test("text from other users is shown as plain text everywhere (G13)", () => {
      let shown = 0;
      for (const [where, html] of [
        ...documents.map(({ address, body }) => [address, body] as const),
        ...mails.flatMap(({ kind, html }) => (html === null ? [] : [[`mail ${kind}`, html] as const])),
      ]) {
        shown += decodeText(html).split("<x-evil").length - 1;
        for (const { name, attributes } of readElements(html)) {
          assert.notEqual(name, "x-evil", where);
          for (const attribute of attributes.keys())
            assert.match(attribute, /^(?!on)[a-z][a-z-]*(?::[a-z]+)?$/i, `${where}: ${attribute}`);
        }
        assert.doesNotMatch(html, /<!--(?!\{)|(?<![\w])49(?!\w)\$|<x-evil/, where);
      }
      assert.ok(shown > 300, `the text was shown ${shown} times`);
    });

    await t.test("no secret is anywhere but where it was given to its owner (G15)", async () => {
      const metrics = await server.rest("GET", "/debug/metrics", { token: null });
      const texts: SearchedText[] = [
        ...log.map((text) => ({ where: "log", text })),
        ...stored.map(({ table, row }) => ({ where: `table ${table}`, text: row })),
        { where: "metrics", text: JSON.stringify(metrics.body) },
      ];
      assert.deepEqual(findSecrets(tour, texts), []);
    });
  });
}

const isDocument = ({ headers }: Exchange): boolean => headers.get("content-type")?.startsWith("text/html") === true;

interface Mail {
  readonly kind: string;
  readonly link: string | null;
  readonly html: string | null;
}

async function mailsOf({ server }: Tour): Promise<Mail[]> {
  const answer = await server.rest("GET", "/ui/dev/inbox", { token: null, headers: { accept: "application/json" } });
  assert.ok(answer.body.messages.length >= 8, JSON.stringify(answer.body));
  return answer.body.messages;
}

/** A page by one of its methods. */
const nameOf = ({ method, path }: Door): string => `${method} ${path}`;

/** Whether a page was shown, and not only refused; pages that only redirect, or refuse strangers, are exempt. */
function isSeen({ method, path }: Door, came: readonly Exchange[]): boolean {
  const onlyLeads = ["/device", "/oauth/", "/oidc/", "/saml/", "/idps/"].some((beginning) =>
    path.startsWith(beginning),
  );
  return method !== "GET" || onlyLeads || path === "/ui/console" || came.some(({ status }) => status === 200);
}

/** Returns the pages that the tour did not visit yet. */
function unreached(
  routes: readonly WebRoute[],
  exchanges: readonly Exchange[],
  isEnough: (door: Door, came: readonly Exchange[]) => boolean,
): Door[] {
  return routes
    .filter(({ protocol, path }) => protocol === "page" && !path.startsWith("/docs"))
    .flatMap(({ methods, path }) => methods.map((method) => ({ method, path })))
    .filter((door) => {
      const pattern = new RegExp(`^${door.path.replaceAll(/:\w+/g, "[^/]+").replace(/\*$/, ".+")}(\\?|$)`);
      const came = exchanges.filter(({ method, address }) => method === door.method && pattern.test(address));
      return came.length === 0 || !isEnough(door, came);
    });
}

test("a trusted proxy is believed about the client's address and nothing else", async (t) => {
  const server = await startServer(t, { config: { trustedProxies: ["127.0.0.0/8"] } });
  const person = await addPerson(server, { username: "ada" });
  const exchanges: Exchange[] = [];
  const headers = { ...forwarded, "x-forwarded-for": "203.0.113.77, 198.51.100.9" };
  const owner = await ownerOf(server, person, new RecordingBrowser(server, exchanges, headers));
  const { html } = await owner.open("/ui/account/sessions");
  assert.match(html, /198\.51\.100\.9/, "the last address, which the proxy itself wrote");
  for (const { headers: answered, body } of exchanges) {
    assert.doesNotMatch(
      `${[...answered].join("\n")}\n${body}`,
      /evil-header|203\.0\.113\.77|:4711|https:\/\/localhost/,
    );
  }
});
