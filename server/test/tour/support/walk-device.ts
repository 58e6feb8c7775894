import assert from "node:assert/strict";
import { signedIn } from "../../login/support/sign-in.ts";
import type { Tour } from "./tour.ts";

/** Lets a device in. */
export async function walkDevice(tour: Tour): Promise<void> {
  const { server } = tour;
  const waiting = await server.wait("openid profile offline_access");
  tour.plant("code of a device", waiting.device_code);
  const browser = await signedIn(server, await tour.somebody("viewer"), tour.browser());
  const page = await browser.submit(await browser.open("/ui/login/device"), { user_code: waiting.user_code });
  assert.match(page.title, /^Allow this device/, page.html);
  const allowing = page.forms.filter(({ values }) => values.some(([, value]) => value === "allow"));
  const done = await browser.submit({ ...page, forms: allowing });
  assert.match(done.title, /^The device is connected/, done.html);
  const { body } = await server.poll(waiting.device_code);
  tour.plant("access token", body.access_token);
  tour.plant("refresh token", body.refresh_token);
}
