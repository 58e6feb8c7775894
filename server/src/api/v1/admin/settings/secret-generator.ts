import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SecretGeneratorQuery, SecretGeneratorType } from "@doorward/api/service/settings/v1/secret_generator_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type CodeName,
  codeNames,
  getSettings,
  type SettingsDeps,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import {
  type Binding,
  bind,
  refuseFilter,
  toListDetailsV1,
  toObjectDetails,
  toPageV1,
} from "../../../contract/index.ts";
import { codeFields } from "../../../settings/code-fields.ts";
import { readFields, writeFields } from "../../../settings/fields.ts";

const types = {
  initialization: SecretGeneratorType.INIT_CODE,
  email_verification: SecretGeneratorType.VERIFY_EMAIL_CODE,
  phone_verification: SecretGeneratorType.VERIFY_PHONE_CODE,
  password_reset: SecretGeneratorType.PASSWORD_RESET_CODE,
  passkey_registration: SecretGeneratorType.PASSWORDLESS_INIT_CODE,
  client_secret: SecretGeneratorType.APP_SECRET,
  otp_sms: SecretGeneratorType.OTP_SMS,
  otp_email: SecretGeneratorType.OTP_EMAIL,
  invitation: SecretGeneratorType.INVITE_CODE,
} as const satisfies Record<CodeName, SecretGeneratorType>;

/** AdminService: how codes and client secrets are generated. */
export const secretGeneratorMethods = (deps: SettingsDeps): Binding =>
  bind(AdminService, {
    async listSecretGenerators(call, { query, queries }) {
      const { page, isDescending } = toPageV1(query);
      const names = codeNames.filter((name) => queries.every((one, index) => fits(name, one, index)));
      const all = await read(deps, call);
      const result = (isDescending ? names.toReversed() : names).slice(page.offset, page.offset + page.limit).map(all);
      return { details: toListDetailsV1(names.length, call.now), result };
    },
    async getSecretGenerator(call, { generatorType }) {
      return { secretGenerator: (await read(deps, call))(nameOf(generatorType)) };
    },
    async updateSecretGenerator(call, request) {
      const name = nameOf(request.generatorType);
      const details = await updateSettings(deps, call, {
        kind: "code",
        change: (current) => ({
          ...current,
          [name]: readFields(codeFields, "v1", { given: request, current: current[name] }),
        }),
      });
      return { details: toObjectDetails(details) };
    },
  });

async function read(deps: SettingsDeps, call: Call) {
  const { settings, details } = await getSettings(deps, call, { kind: "code" });
  return (name: CodeName) => {
    return {
      ...writeFields(codeFields, "v1", settings[name]),
      generatorType: types[name],
      details: toObjectDetails(details),
    };
  };
}

const nameOf = (type: SecretGeneratorType): CodeName =>
  codeNames.find((name) => types[name] === type) ?? refuseFilter("generatorType");

const fits = (name: CodeName, { query }: SecretGeneratorQuery, index: number): boolean =>
  query.case === undefined ? refuseFilter(`queries[${index}]`) : types[name] === query.value.generatorType;
