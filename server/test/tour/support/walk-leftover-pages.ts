import { ownerOf } from "../../account/support/account.ts";
import { hidden, type Tour } from "./tour.ts";

/** A page by one of its methods. */
export interface Door {
  readonly method: string;
  readonly path: string;
}

/** Fields that any page might ask for, with an attacker's text. */
const fields = [
  "name",
  "text",
  "code",
  "email",
  "login_name",
  "organization",
  "domain",
  "ticket",
  "credential",
  "kind",
];

/** Requests the pages that no walk reaches yet, as a signed-in user and as a stranger. */
export async function walkLeftoverPages(tour: Tour, doors: readonly Door[]): Promise<void> {
  if (doors.length === 0) return;
  const owner = await ownerOf(tour.server, await tour.somebody("rest"), tour.browser());
  const csrf = hidden(await owner.open("/ui/account/sessions"), "csrf_token");
  const body = new URLSearchParams({
    csrf_token: csrf,
    ...Object.fromEntries(fields.map((name) => [name, tour.say(name)])),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  for (const { method, path } of doors) {
    const address = `${path.replaceAll(/:\w+/g, "1")}?session=${owner.sessionId}`;
    for (const browser of [owner.browser, tour.browser()]) {
      await browser.send(address, method === "GET" ? {} : { method, headers, body });
    }
  }
}
