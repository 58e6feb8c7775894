export { checkOneTimeSecret } from "./check-one-time-secret.ts";
export {
  deleteAllOneTimeSecrets,
  deleteOneTimeSecrets,
  expiredOneTimeSecrets,
  findOneTimeSecret,
  isStoredSecret,
  type OneTimeSecret,
} from "./one-time-secret.store.ts";
export { digestOneTimeSecret, generateCode, oneTimeSecretKinds } from "./one-time-secret.ts";
export { putDecoy } from "./put-decoy.ts";
export { putOneTimeSecret } from "./put-one-time-secret.ts";
export { redeemOneTimeSecret } from "./redeem-one-time-secret.ts";
export { takePause } from "./take-pause.ts";
export { wasJustRedeemed } from "./was-just-redeemed.ts";
