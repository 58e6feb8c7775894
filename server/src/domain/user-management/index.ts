export { checkNewPerson } from "./check-new-person.ts";
export {
  type CreatedUser,
  type CreateHumanDeps,
  createHuman,
  createPreparedHuman,
  createPreparedHumanWithAccounts,
  type NewAccount,
  type NewHuman,
  type PreparedHuman,
  prepareHuman,
} from "./create-human.ts";
export { createHumanUser, type NewHumanUser } from "./create-human-user.ts";
export { createHumans } from "./create-humans.ts";
export { createMachine } from "./create-machine.ts";
export { createMachineUser } from "./create-machine-user.ts";
export { listFaultsOfPerson } from "./list-faults-of-person.ts";
export { type HumanChange, updateUser } from "./update-user.ts";
