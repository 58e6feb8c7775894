import { statusOf } from "../status.ts";
import type { Schema } from "./schema-of-rules.ts";

/** Introduction of the document. */
export const introduction = `The API of Doorward, an identity and access management service. Every method is served as gRPC, gRPC-Web and Connect at
\`/<service>/<method>\` on the same port; the paths below are its REST routes, and Connect calls with JSON for methods that REST does not have.

REST requests take names in lowerCamelCase and snake_case, and 64-bit integers as numbers or text; unknown fields are ignored. REST answers
show every field, also when it is empty, and write 64-bit integers as numbers. Connect answers leave out what is empty and write 64-bit
integers as text.`;

/** Returns components without a message in the contract: errors, the organization header, bearer tokens. */
export const commonComponents = (): Schema => ({
  schemas: { Error: errorSchema, ConnectError: connectErrorSchema },
  responses: {
    Error: { description: "Refused", content: { "application/json": { schema: refer("Error") } } },
    ConnectError: { description: "Refused", content: { "application/json": { schema: refer("ConnectError") } } },
  },
  parameters: {
    Organization: {
      name: "x-service-orgid",
      in: "header",
      description:
        "Organization in which the call acts; the caller's own when left out. One that does not exist is refused.",
      schema: { type: "string" },
    },
  },
  securitySchemes: {
    bearer: {
      type: "http",
      scheme: "bearer",
      description:
        "An access token whose audience has the system project (scope `urn:service:iam:org:project:id:service:aud`), a personal access token, or a session token.",
    },
  },
});

const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const codes = Object.values(statusOf)
  .map(({ grpc }) => grpc)
  .toSorted((left, right) => left - right);

const errorSchema: Schema = {
  type: "object",
  description: "A refusal.",
  required: ["code", "message", "details"],
  properties: {
    code: { type: "integer", enum: codes, description: "Code of gRPC." },
    message: { type: "string", description: "The sentence for people, in their language." },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["@type", "id", "message"],
        properties: {
          "@type": { type: "string", examples: ["type.googleapis.com/service.v1.ErrorDetail"] },
          id: {
            type: "string",
            description: "The cause, for programs: stable, never localised.",
            examples: ["user.not_found"],
          },
          message: { type: "string" },
          field: { type: "string", description: "Path of the field that was refused, when it was one." },
          failedAttempts: { type: "integer", description: "Wrong attempts in a row, when a credential was wrong." },
          changedFields: {
            type: "string",
            description: "What has other values, when settings were changed meanwhile.",
          },
          changeDate: { type: "string", format: "date-time" },
          changedBy: { type: "string", description: "Id of the user who changed them, where the caller may know it." },
          etag: { type: "string", description: "Names the present state." },
        },
      },
    },
  },
};

const connectErrorSchema: Schema = {
  type: "object",
  description: "A refusal of a Connect call.",
  required: ["code", "message"],
  properties: {
    code: { type: "string", enum: Object.keys(statusOf), description: "Code of Connect." },
    message: { type: "string", description: "The sentence for people, in their language." },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "value"],
        properties: {
          type: { type: "string", examples: ["service.v1.ErrorDetail"] },
          value: { type: "string", contentEncoding: "base64" },
        },
      },
    },
  },
};
