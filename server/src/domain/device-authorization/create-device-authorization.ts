import { sharesOf } from "../../base/budget/network-of.ts";
import { minutes } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { IdGenerator } from "../../base/id.ts";
import type { Random } from "../../base/random.ts";
import { hashSecret, type Secret } from "../../base/secret.ts";
import { type Call, generateToken } from "../../call/index.ts";
import type { Database } from "../../database/index.ts";
import { countAttempt } from "./device-attempt.store.ts";
import { insertDeviceAuthorization } from "./device-authorization.store.ts";
import { type Sealing, sealUserCode } from "./seal-user-code.ts";
import { sourceOf } from "./source-of.ts";
import { formatUserCode, generateUserCode, hashUserCode } from "./user-code.ts";

export interface NewDeviceAuthorization {
  readonly clientId: string;
  readonly applicationId: string;
  readonly scope: string;
  readonly resources: readonly string[];
  readonly requestedFrom: string;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** The codes for a device: shown only now. */
export interface CreatedDeviceAuthorization {
  readonly deviceCode: Secret;
  /** In the form in which people read it. */
  readonly userCode: string;
  /** Seconds between two polls. */
  readonly pollingInterval: number;
}

// RFC 8628 §3.2: the default, which clients assume when no interval is given.
const pollingInterval = 5;
// Every pending code is one more that can be guessed, so one source cannot have any number of them.
const mostAsked = 100;
const window = minutes(5);
const mostTries = 5;

/** Starts a device authorization. Throws `resource_exhausted` after too many recent ones from the same source. */
export async function createDeviceAuthorization(
  deps: { readonly database: Database; readonly newId: IdGenerator; readonly random: Random; readonly vault: Sealing },
  call: Call,
  input: NewDeviceAuthorization,
): Promise<CreatedDeviceAuthorization> {
  const deviceCode = generateToken("deviceCode", deps.random);
  const { lifetime, ...rest } = input;
  for (let tries = 0; tries < mostTries; tries++) {
    const userCode = generateUserCode(deps.random);
    const deviceAuthorizationId = deps.newId();
    const row = {
      ...rest,
      deviceAuthorizationId,
      userCodeSealed: sealUserCode(deps, call, { deviceAuthorizationId, userCode: userCode.reveal() }),
      deviceCodeHash: hashSecret(deviceCode),
      userCodeHash: hashUserCode(userCode),
      pollingInterval,
      expiresAt: call.now + lifetime,
    };
    const isKept = await deps.database.touch(call, async (tx) => {
      for (const { of, times } of sharesOf(sourceOf(input.requestedFrom))) {
        if ((await countAttempt(tx, { source: `ask ${of}`, window })) > mostAsked * times) {
          throw new Fault("resource_exhausted", "device_authorization.too_many");
        }
      }
      return insertDeviceAuthorization(tx, row);
    });
    if (isKept) return { deviceCode, userCode: formatUserCode(userCode.reveal()), pollingInterval };
  }
  throw new Error("no free user code was found");
}
