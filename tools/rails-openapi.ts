import type { TSchema } from 'typebox'
import { asJson, documented } from '../contract/src/openapi-schema.ts'
import {
  AGE_SECONDS_MAX,
  CAPABILITIES,
  Manifest,
  NOTIFICATIONS,
  OPERATIONS,
  PROTOCOL,
  PROTOCOL_HEADER,
} from '../gateway/src/rails/protocol/index.ts'

/** An operation's request and response. */
interface Call {
  readonly capability: string
  readonly summary: string
  readonly request: TSchema
  readonly response: TSchema
}

const schemaOf = (schema: TSchema): object => documented(asJson(schema), () => undefined)
const json = (schema: object): object => ({ 'application/json': { schema } })

const SIGNED = [PROTOCOL_HEADER, 'kobo-key', 'kobo-timestamp', 'kobo-nonce', 'kobo-signature']

const DESCRIPTION = `The protocol between Kobo and a connector to an operator's partners, version ${PROTOCOL}. See docs/reference/rails.md for the details.

Requests and responses are signed, with five headers each: \`${SIGNED.join('`, `')}\`. The signature is lower-case hex of HMAC-SHA-256 over
\`2.question.TIMESTAMP.NONCE.OPERATION.BODY\`, and for responses over \`2.answer.TIMESTAMP.NONCE.OPERATION.STATUS.BODY\` with the nonce of the
request. A message with a wrong signature, a clock offset of more than ${AGE_SECONDS_MAX} seconds, or a repeated nonce gets 401.

The gateway serves the paths under \`/rails\`; the connector serves all others.`

/** The rails protocol as an OpenAPI 3.1 document. */
export const railsOpenApi = (): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Kobo rails',
    version: PROTOCOL,
    description: DESCRIPTION,
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  tags: Object.entries(CAPABILITIES).map(([name, description]) => ({ name, description })),
  security: [Object.fromEntries(SIGNED.map((name) => [name, []]))],
  paths: {
    '/manifest': {
      get: {
        operationId: 'manifest',
        summary: 'Get the partner’s capabilities',
        responses: { 200: answered(schemaOf(Manifest)), ...REFUSED },
      },
    },
    ...paths('', OPERATIONS, { kind: 'unsupported' }),
    ...paths('rails/', NOTIFICATIONS),
  },
  components: {
    securitySchemes: Object.fromEntries(SIGNED.map((name) => [name, { type: 'apiKey', in: 'header', name }])),
  },
})

const REFUSED = {
  401: { description: 'Signature missing or wrong, too old, or nonce repeated' },
}

const answered = (schema: object): object => ({
  description: 'Signed response',
  headers: Object.fromEntries(SIGNED.map((name) => [name, { required: true, schema: { type: 'string' } }])),
  content: json(schema),
})

function paths(prefix: string, calls: Readonly<Record<string, Call>>, always?: { readonly kind: string }): object {
  return Object.fromEntries(
    Object.entries(calls).map(([name, { capability, summary, request, response }]) => {
      const { anyOf } = schemaOf(response) as { readonly anyOf: readonly object[] }
      const extra = always === undefined ? [] : [kindOnly(always.kind)]
      const operation = {
        operationId: name,
        summary,
        tags: [capability],
        requestBody: { required: true, content: json(schemaOf(request)) },
        responses: {
          200: answered({ anyOf: [...anyOf, ...extra] }),
          400: { description: 'Malformed' },
          ...REFUSED,
          413: { description: 'Body too large' },
        },
      }
      return [`/${prefix}${name}`, { post: operation }]
    }),
  )
}

const kindOnly = (kind: string): object => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', const: kind } },
})
