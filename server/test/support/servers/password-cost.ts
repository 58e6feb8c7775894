import type { PasswordCost } from "../../../src/base/password/password-hash.ts";

/**
 * Passwords of tests are hashed as always, but at a cost that thousands of tests can pay. What measures time, and every
 * server in a process of its own, has the usual cost.
 */
export const cheapPasswords: PasswordCost = { memoryCost: 256, timeCost: 1 };
