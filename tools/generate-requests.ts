import { ROUTES, type Route } from '@kobo/contract'
import { openApi } from '../contract/src/openapi.ts'
import { EXAMPLE_DAY, OWN_FIELDS } from '../contract/src/openapi-examples.ts'
import { STORY, type Step } from './api-story.ts'

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
}

/** A request for HTTP tools. Path and body have `{{name}}` placeholders. */
interface Sample {
  readonly step: Step
  readonly route: Route
  readonly path: string
  readonly body: string | undefined
}

const { paths } = openApi() as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** Returns the requests of the story by chapter. Each uses the variables that earlier requests set. */
function samples(): ReadonlyMap<string, readonly Sample[]> {
  const given = Object.fromEntries(Object.entries(OWN_FIELDS).map(([field, own]) => [field, `{{${own}}}`]))
  return new Map(
    Object.entries(STORY).map(([chapter, steps]) => [
      chapter,
      steps.map((step) => {
        const sample = sampleOf(step, { ...given, ...step.but })
        for (const name of Object.keys(step.gives ?? {})) given[name] = `{{${name}}}`
        return sample
      }),
    ]),
  )
}

function sampleOf(step: Step, values: Readonly<Record<string, string>>): Sample {
  const { route } = ROUTES.find(({ name }) => name === step.name) ?? fail(`There is no ${step.name}.`)
  const operation = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
  const parameters = operation?.parameters ?? []
  const sampleValue = (name: string): string =>
    ofThisRun(values[name] ?? String(parameters.find((one) => one.name === name)?.example ?? ''))
  const query = parameters.filter(
    (one) => one.in === 'query' && (one.required === true || step.but?.[one.name] !== undefined),
  )
  const search = query.map(({ name }) => `${name}=${sampleValue(name)}`).join('&')
  const example = operation?.requestBody?.content['application/json'].example
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => sampleValue(name))
  return {
    step,
    route,
    path: `${path}${search === '' ? '' : `?${search}`}`,
    body:
      example === undefined
        ? undefined
        : textOf(step.also === undefined ? example : { ...example, ...step.also }, values),
  }
}

function fail(message: string): never {
  throw new Error(message)
}

/** The body as text. A placeholder for a number has no quotes. */
const textOf = (body: unknown, values: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    body,
    (name, value: unknown) => {
      const instead = values[name] ?? (typeof value === 'string' ? value : undefined)
      if (instead === undefined || (typeof value === 'object' && value !== null)) return value
      return typeof value === 'number' ? `#${instead}#` : ofThisRun(instead)
    },
    2,
  ).replace(/"#(.*?)#"/g, '$1')

const DAY_MILLISECONDS = 86_400_000

/** Makes a text fit this run: a reference becomes unique, and a date follows the sandbox's clock. */
const ofThisRun = (text: string): string =>
  text
    .replace(/^[a-z]+-(\d+|march)$/, '$&-{{run}}')
    .replace(
      /^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/,
      (_, day: string) => `{{day${(Date.parse(day) - EXAMPLE_DAY.getTime()) / DAY_MILLISECONDS}}} `,
    )

const basic = [
  { key: 'username', value: '{{apiKey}}', type: 'string' },
  { key: 'password', value: '{{secretKey}}', type: 'string' },
]
const AUTH = { keys: { type: 'basic', basic }, token: undefined, open: { type: 'noauth' }, person: { type: 'noauth' } }

/** Checks a response, and stores what later requests need. */
function scriptOf({ step, route }: Sample): readonly string[] {
  const gives = { ...(route.access === 'keys' ? { token: 'body.accessToken' } : {}), ...step.gives }
  const given = Object.entries(gives).map(([name, value]) => `pm.collectionVariables.set('${name}', ${value})`)
  return [
    "pm.test('succeeds', () => pm.response.to.have.status(200))",
    ...(given.length === 0 ? [] : ['const body = pm.response.json().responseBody', ...given]),
  ]
}

function postmanItem(sample: Sample): object {
  const { route, path, body } = sample
  const { access = 'token' } = route
  return {
    name: route.summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(sample) } }],
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

const COLLECTION_VARIABLES = {
  baseUrl: 'http://localhost:8080',
  apiKey: '',
  secretKey: '',
  contractCode: '',
  walletAccountNumber: '',
}

/** Every call as a Postman collection that runs from beginning to end with the keys of `./kobo credentials`. */
export const postmanCollection = (): object => ({
  info: {
    name: 'Kobo',
    description:
      'Every call of the API, in an order in which each one succeeds. Set the five variables (`./kobo credentials` prints them) and run the collection in the sandbox, or send single requests after logging in.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
  variable: Object.entries(COLLECTION_VARIABLES).map(([key, value]) => ({ key, value })),
  item: [...samples()].map(([name, requests]) => ({ name, item: requests.map(postmanItem) })),
})

/** The summary for language models: the pages to read first, and one line for each call. */
export const llmsText = (): string => `# Kobo

> An open-source payment gateway for Nigeria, compatible with Monnify's API. Amounts are in naira. Every response has the envelope {requestSuccessful, responseMessage, responseCode, responseBody}. The header kobo-refusal has the error code.

- [README](../../README.md): start the sandbox and take a payment
- [Guides](../guides/index.md): first payment, webhooks, retries, testing, checkout
- [SDK](../../sdk/readme.md): TypeScript and JavaScript
- [Events](events.md): every webhook event, its signature and delivery
- [Errors](errors.md): every error code, its cause and what to do
- [States](states.md): every status and its transitions
- [API behaviour](answers.md): formats, limits and edge cases
- [OpenAPI](../../contract/openapi.json): every call, field by field

## Routes

${[...Map.groupBy(ROUTES, ({ group }) => group)]
  .map(([{ title, text }, routes]) =>
    [`### ${title}`, text, '', ...routes.map(({ route }) => `- ${route.method} ${route.path}: ${route.summary}`)].join(
      '\n',
    ),
  )
  .join('\n\n')}
`
