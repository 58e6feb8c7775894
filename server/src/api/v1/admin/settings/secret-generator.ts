import type { Duration } from "@bufbuild/protobuf/wkt";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { type SecretGeneratorQuery, SecretGeneratorType } from "@doorward/api/service/settings/v1/secret_generator_pb";
import type { Call } from "../../../../call/index.ts";
import {
  type CodeForm,
  type CodeName,
  codeNames,
  type GetSettingsDeps,
  getSettings,
  updateSettings,
} from "../../../../domain/settings/index.ts";
import {
  type Binding,
  bind,
  fromDuration,
  refuseFilter,
  toDuration,
  toListDetailsV1,
  toObjectDetails,
  toPage,
} from "../../../contract/index.ts";

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
export const secretGeneratorMethods = (deps: GetSettingsDeps): Binding =>
  bind(AdminService, {
    async listSecretGenerators(call, { query, queries }) {
      const { page, isDescending } = toPage(query, "query");
      const names = codeNames.filter((name) => queries.every((one, index) => fits(name, one, index)));
      const all = await read(deps, call);
      const result = (isDescending ? names.toReversed() : names).slice(page.offset, page.offset + page.limit).map(all);
      return { details: toListDetailsV1(names.length, call.now), result };
    },
    async getSecretGenerator(call, { generatorType }) {
      return { secretGenerator: (await read(deps, call))(nameOf(generatorType)) };
    },
    async updateSecretGenerator(call, { generatorType, ...request }) {
      const name = nameOf(generatorType);
      const details = await updateSettings(deps, call, {
        kind: "code",
        change: (current) => ({ ...current, [name]: toForm(current[name], request) }),
      });
      return { details: toObjectDetails(details) };
    },
  });

async function read(deps: GetSettingsDeps, call: Call) {
  const { settings, details } = await getSettings(deps, call, { kind: "code" });
  return (name: CodeName) => {
    const { length, lifetimeSeconds, ...includes } = settings[name];
    return {
      generatorType: types[name],
      details: toObjectDetails(details),
      length,
      expiry: toDuration(lifetimeSeconds),
      includeLowerLetters: includes.includesLower,
      includeUpperLetters: includes.includesUpper,
      includeDigits: includes.includesDigits,
      includeSymbols: includes.includesSymbols,
    };
  };
}

interface FormRequest {
  readonly length: number;
  readonly expiry?: Duration | undefined;
  readonly includeLowerLetters: boolean;
  readonly includeUpperLetters: boolean;
  readonly includeDigits: boolean;
  readonly includeSymbols: boolean;
}

const toForm = (current: CodeForm, request: FormRequest): CodeForm => ({
  length: request.length,
  lifetimeSeconds: request.expiry === undefined ? current.lifetimeSeconds : fromDuration(request.expiry),
  includesLower: request.includeLowerLetters,
  includesUpper: request.includeUpperLetters,
  includesDigits: request.includeDigits,
  includesSymbols: request.includeSymbols,
});

const nameOf = (type: SecretGeneratorType): CodeName =>
  codeNames.find((name) => types[name] === type) ?? refuseFilter("generatorType");

const fits = (name: CodeName, { query }: SecretGeneratorQuery, index: number): boolean =>
  query.case === undefined ? refuseFilter(`queries[${index}]`) : types[name] === query.value.generatorType;
