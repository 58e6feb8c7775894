export { refuseLockout } from "./refuse-lockout.ts";
