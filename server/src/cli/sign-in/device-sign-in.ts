import { setTimeout as sleep } from "node:timers/promises";
import { seconds } from "../../base/clock.ts";
import { reach, readJson } from "../api-client.ts";
import { textOf } from "../app/api-record.ts";
import { tell } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { printable } from "../printable.ts";
import { discover, type OAuthClient, requestToken, type TokenAnswer, TokenRefused } from "./oauth-client.ts";

const grantType = "urn:ietf:params:oauth:grant-type:device_code";

/** Signs the user in with a browser on another device (RFC 8628): shows a code, and waits for the user to enter it. */
export async function signInWithDevice(client: OAuthClient, scope: string): Promise<TokenAnswer> {
  const { deviceAuthorizationEndpoint } = await discover(client.issuer);
  if (deviceAuthorizationEndpoint === undefined)
    throw new CommandError(`${client.issuer} offers no sign-in by device code`);
  const response = await reach(deviceAuthorizationEndpoint, {
    method: "POST",
    body: new URLSearchParams({ client_id: client.clientId, scope }),
  });
  const started = await readJson(response);
  const deviceCode = textOf(started, "device_code");
  if (!response.ok || deviceCode === "") throw new TokenRefused(started, response.status);
  const lifetime = Number(started["expires_in"]);
  const shown = [
    `Open\n  ${textOf(started, "verification_uri")}`,
    `and enter the code\n  ${textOf(started, "user_code")}`,
  ];
  tell(printable(`${shown.join("\n")}\nwithin ${Math.ceil(lifetime / 60)} minutes. Do not pass the code on.`));
  return poll(client, deviceCode, { interval: Number(started["interval"] ?? 5), lifetime });
}

async function poll(
  client: OAuthClient,
  deviceCode: string,
  { interval, lifetime }: { readonly interval: number; readonly lifetime: number },
): Promise<TokenAnswer> {
  const giveUpAt = performance.now() + seconds(lifetime);
  let wait = interval;
  while (performance.now() < giveUpAt) {
    await sleep(seconds(wait));
    try {
      return await requestToken(client, { grant_type: grantType, device_code: deviceCode });
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      // RFC 8628 §3.5.
      if (error.code === "slow_down") wait += 5;
      else if (error.code !== "authorization_pending") throw error;
    }
  }
  throw new CommandError("the sign-in was not completed in time");
}
