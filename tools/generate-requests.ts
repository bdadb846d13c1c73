import { type Group, ROUTES, type Route } from '@kobo/contract'
import { openApi } from '../contract/src/openapi.ts'

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

/** A request to try, as tools that send requests want it. */
interface Sample {
  readonly group: Group
  readonly route: Route
  /** With `{{name}}` where something is to be filled in. */
  readonly path: string
  readonly body: string | undefined
}

const { paths } = openApi() as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

const SAMPLES: readonly Sample[] = ROUTES.map(({ group, route }) => {
  const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
  const query = (operation?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && parameter.required === true,
  )
  const search = query.map(({ name }) => `${name}={{${name}}}`).join('&')
  const example = operation?.requestBody?.content['application/json'].example
  return {
    group,
    route,
    path: `${route.path.replace(/:(\w+)/g, '{{$1}}')}${search === '' ? '' : `?${search}`}`,
    body: example === undefined ? undefined : JSON.stringify(example, null, 2),
  }
})

const AUTHORIZATION = {
  keys: 'Basic {{apiKey}} {{secretKey}}',
  token: 'Bearer {{token}}',
  open: undefined,
  person: undefined,
}

/** All requests as a `.http` file, which editors send. */
export const httpFile = (): string => `# Made from the code by \`npm run generate\`. Change the code instead.
# Fill in the keys as npx kobo credentials prints them, send the login, and put its accessToken in place of the token.
@baseUrl = http://localhost:8080
@apiKey = MK_TEST_…
@secretKey = …
@token = …

${SAMPLES.map(({ route, path, body }) =>
  [
    `### ${route.summary}`,
    `${route.method} {{baseUrl}}${path}`,
    ...(AUTHORIZATION[route.access ?? 'token'] === undefined
      ? []
      : [`Authorization: ${AUTHORIZATION[route.access ?? 'token']}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
    '',
  ].join('\n'),
).join('\n')}`

const basic = [
  { key: 'username', value: '{{apiKey}}', type: 'string' },
  { key: 'password', value: '{{secretKey}}', type: 'string' },
]
const AUTH = { keys: { type: 'basic', basic }, token: undefined, open: { type: 'noauth' }, person: { type: 'noauth' } }

/** Keeps the token of a login for all that follows. */
const KEEP_TOKEN = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["pm.collectionVariables.set('token', pm.response.json().responseBody.accessToken)"],
  },
}

const postmanItem = ({ route, path, body }: Sample): object => {
  const { access = 'token' } = route
  return {
    name: route.summary,
    ...(access === 'keys' ? { event: [KEEP_TOKEN] } : {}),
    request: {
      method: route.method,
      url: `{{baseUrl}}${path}`,
      ...(AUTH[access] === undefined ? {} : { auth: AUTH[access] }),
      ...(body === undefined
        ? {}
        : { header: [{ key: 'Content-Type', value: 'application/json' }], body: { mode: 'raw', raw: body } }),
    },
  }
}

/** All requests as a collection of Postman, by group; the login keeps its token for the others. */
export function postmanCollection(): object {
  const groups = Map.groupBy(SAMPLES, ({ group }) => group)
  const variable = Object.entries({ baseUrl: 'http://localhost:8080', apiKey: '', secretKey: '', token: '' })
  return {
    info: { name: 'Kobo', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: variable.map(([key, value]) => ({ key, value })),
    item: [...groups].map(([{ title, text }, samples]) => ({
      name: title,
      description: text,
      item: samples.map(postmanItem),
    })),
  }
}

/** What a program that reads documentation should read first, and every call in a line. */
export const llmsText = (): string => `# Kobo

> A payment gateway for Nigeria that anyone can run. Amounts are naira; answers come in an envelope {requestSuccessful, responseMessage, responseCode, responseBody}; a refusal is named by the header kobo-refusal.

- [First five minutes](../README.md): start the sandbox, log in, take a payment
- [SDK](../sdk/readme.md): TypeScript and JavaScript
- [Events](events.md): every event, its signature and delivery
- [Errors](errors.md): every refusal, its cause and what to do
- [States](states.md): how each thing changes
- [Conventions](answers.md): dates, pages, idempotency, and what we answer where the interface is silent
- [OpenAPI](../contract/openapi.json): every call, field by field

## Calls

${[...Map.groupBy(ROUTES, ({ group }) => group)]
  .map(([{ title, text }, routes]) =>
    [`### ${title}`, text, '', ...routes.map(({ route }) => `- ${route.method} ${route.path}: ${route.summary}`)].join(
      '\n',
    ),
  )
  .join('\n\n')}
`
