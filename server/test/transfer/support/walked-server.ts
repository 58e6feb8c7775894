import type { TestContext } from "node:test";
import type { Engine } from "../../support/databases/databases.ts";
import type { TestServer } from "../../support/servers/server.ts";
import { prepareTour } from "../../tour/support/tour.ts";
import { walkAccount, walkInbox } from "../../tour/support/walk-account.ts";
import { walkDevice } from "../../tour/support/walk-device.ts";
import { walkExternal } from "../../tour/support/walk-external.ts";
import { walkAsStranger, walkFactors, walkIn } from "../../tour/support/walk-login.ts";
import { walkSaml } from "../../tour/support/walk-saml.ts";
import { walkSamlApplication } from "../../tour/support/walk-saml-application.ts";
import { walkSessions } from "../../tour/support/walk-sessions.ts";
import { fillEmptyTables } from "./fill-tables.ts";

/** A server whose every table has rows: users went through all pages, and what they left empty is filled. */
export async function startWalkedServer(t: TestContext, engine: Engine): Promise<TestServer> {
  const tour = await prepareTour(t, { engine });
  await walkAsStranger(tour);
  await walkIn(tour);
  await walkFactors(tour);
  await walkExternal(tour);
  await walkSaml(tour);
  await walkSamlApplication(tour);
  await walkDevice(tour);
  await walkAccount(tour);
  await walkSessions(tour);
  await walkInbox(tour);
  // Nothing may change between two exports.
  await tour.server.app.jobs.stop();
  await fillEmptyTables(tour.server);
  return tour.server;
}
