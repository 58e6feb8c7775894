/** Thrown when an address of this machine that a setting names cannot be listened on. */
export class AddressUnavailable extends Error {
  override readonly name = "AddressUnavailable";
  /** The setting, by its name in the environment. */
  readonly setting: string;

  constructor(setting: string, address: string, cause: unknown) {
    super(`${setting} names ${address}, where nothing can listen`, { cause });
    this.setting = setting;
  }
}
