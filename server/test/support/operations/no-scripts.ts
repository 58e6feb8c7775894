import { type SignInScripts, unchanged } from "../../../src/domain/script/index.ts";

/** Runs no scripts around sign-ins. */
export const noScripts: SignInScripts = {
  afterProof: async () => {},
  afterProvider: async () => unchanged,
  beforeCreation: async () => unchanged,
  afterCreation: async () => {},
  remember: async () => {},
};
