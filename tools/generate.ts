import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  DASHBOARD_ROUTES,
  EVENT_RETRY_AFTER_SECONDS,
  EVENTS,
  inDashboard,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLE_PERMISSIONS,
  OPERATOR_ROLES,
  PERMISSIONS,
  PERSON_PERMISSIONS,
  permissionRefusals,
  permissionsOf,
  personRefusals,
  ROLE_PERMISSIONS,
  ROLES,
  ROUTES,
  type Route,
} from '@kobo/contract'
import { openApi } from '../contract/src/openapi.ts'
import { exampleEvent } from '../contract/src/openapi-examples.ts'
import { asJson, documented, type JsonSchema, sentence, typesOf } from '../contract/src/openapi-schema.ts'
import { pinnedScript, readBuiltFiles } from '../gateway/src/core/edge/pages/index.ts'
import { build } from '../web/build.js'
import { commandsPage } from './generate-commands.ts'
import { errorsPage } from './generate-errors.ts'
import { phpEndpoints } from './generate-php.ts'
import { httpFile, llmsText, postmanCollection } from './generate-requests.ts'
import { testingPage } from './generate-testing.ts'
import { railsOpenApi } from './rails-openapi.ts'

const HELP = `Writes the files that are made from the code: the OpenAPI documents of the API and of the rails, the pages about states, events, permissions and errors, requests for editors and Postman, llms.txt, and the script's hash in the one about the checkout.

Usage: npm run generate               writes them
       npm run generate -- --check    writes nothing; fails and names those that are out of date
       npm run generate -- --help     shows this
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOTE = '<!-- Made from the code by `npm run generate`. Change the code instead. -->'

/** The text of every generated file, by its path in the repository. */
export async function generate(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['contract/openapi.json', `${JSON.stringify(openApi(), null, 2)}\n`],
    ['rails/openapi.json', `${JSON.stringify(railsOpenApi(), null, 2)}\n`],
    ['docs/states.md', statesPage(await findMachines())],
    ['docs/events.md', eventsPage()],
    ['docs/permissions.md', permissionsPage()],
    ['docs/commands.md', commandsPage(NOTE)],
    ['docs/errors.md', errorsPage(NOTE)],
    ['sdk/php/src/endpoints.php', phpEndpoints()],
    ['docs/requests.http', httpFile()],
    ['docs/postman.json', `${JSON.stringify(postmanCollection(), null, 2)}\n`],
    ['docs/llms.txt', llmsText()],
    ['docs/testing.md', testingPage(readFileSync(join(ROOT, 'docs/testing.md'), 'utf8'))],
    ['docs/checkout.md', checkoutPage(readFileSync(join(ROOT, 'docs/checkout.md'), 'utf8'), await scriptTag())],
  ])
}

/** The generated files that are missing or differ from what the code says. */
export async function findDrifted(): Promise<readonly string[]> {
  return [...(await generate())].filter(([path, text]) => readIfThere(join(ROOT, path)) !== text).map(([path]) => path)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The tag with which a page loads the inline script of this version and no other. */
async function scriptTag(): Promise<string> {
  await build()
  const { path, integrity } = pinnedScript(readBuiltFiles().find('plugin.js'))
  return `<script src="https://your-gateway${path}" integrity="${integrity}" crossorigin="anonymous"></script>`
}

/** The page about the checkout is written by hand but for this tag. */
const checkoutPage = (text: string, tag: string): string =>
  text.replace(/<script src="[^"]*" integrity="[^"]*" crossorigin="anonymous"><\/script>/, () => tag)

interface Machine {
  readonly title: string
  readonly source: string
  readonly introduction: string
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>
}

async function findMachines(): Promise<readonly Machine[]> {
  const sources = globSync('gateway/src/features/*/machine.ts', { cwd: ROOT }).sort()
  const found = sources.map(async (source) => {
    const text = readFileSync(join(ROOT, source), 'utf8')
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(join(ROOT, source)).href)
    return Object.entries(exported)
      .filter(([name]) => name.endsWith('Machine'))
      .map(([name, table]) => ({
        title: titleOf(name),
        source,
        introduction: new RegExp(`/\\*\\*\\s*([^*]+?)\\s*\\*/\\s*export const ${name}\\b`).exec(text)?.[1] ?? '',
        table: table as Machine['table'],
      }))
  })
  return (await Promise.all(found)).flat()
}

/** `cardAttemptMachine` is `Card attempt`. */
const titleOf = (name: string): string =>
  sentence(name.replace(/Machine$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

const statesPage = (machines: readonly Machine[]): string => `${NOTE}

# States

How each thing may change its state. A move that is not here does not exist: the same table is what the code obeys.

${machines.map(machineSection).join('\n\n')}
`

function machineSection({ title, source, introduction, table }: Machine): string {
  const moves = Object.entries(table).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => ({ from, trigger, to })),
  )
  const [first] = Object.keys(table)
  const last = Object.entries(table).flatMap(([state, triggers]) => (Object.keys(triggers).length === 0 ? [state] : []))
  return [
    `## ${title}`,
    ...(introduction === '' ? [] : [introduction]),
    [
      '```mermaid',
      'stateDiagram-v2',
      `  [*] --> ${first}`,
      ...moves.map(({ from, trigger, to }) => `  ${from} --> ${to}: ${trigger}`),
      ...last.map((state) => `  ${state} --> [*]`),
      '```',
    ].join('\n'),
    tableOf(
      ['from', 'trigger', 'to'],
      moves.map(({ from, trigger, to }) => [from, trigger, to]),
    ),
    `It starts as ${first}. Nothing leads out of ${listed(last)}. Source: [${source}](../${source}).`,
  ].join('\n\n')
}

const eventsPage = (): string => `${NOTE}

# Events

What the gateway tells a merchant's server: a POST of \`{"eventType", "eventData"}\`, compact JSON, to the address for the event's kind, or to the
default address. With no address at all the event is kept and can be sent later.

${tableOf(
  ['event', 'kind', 'when'],
  Object.entries(EVENTS).map(([type, { kind, summary }]) => [`[${type}](#${type.toLowerCase()})`, kind, summary]),
)}

## Signature

\`service-signature\` is the HMAC-SHA-512 of the body under the merchant's secret key, in lower-case hex. Compute it over the bytes as they arrived,
before parsing, and answer 401 where it differs.

\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` are sent too, so that a receiver can reject replays: the last is \`v1,\` and the base64
of HMAC-SHA-256 over \`id.timestamp.body\` under the secret key; while two keys are valid there is one for each, with a space between.

## Delivery

An event is delivered when the receiver answers 200 within 10 seconds; redirects are not followed. After anything else it is sent again:

${tableOf(['attempt', 'after the one before', 'after the first'], attempts())}

When the last attempt fails, the event is given up. \`Retry-After\` of a 429 or 503 is honoured up to the next step. 410 pauses the address. The same event
may arrive more than once, and two events in either order: handle each reference once.

${Object.entries(EVENTS).map(eventSection).join('\n\n')}
`

function attempts(): string[][] {
  let passedSeconds = 0
  const retries = EVENT_RETRY_AFTER_SECONDS.map((seconds, index) => {
    passedSeconds += seconds
    return [`${index + 2}`, duration(seconds), duration(passedSeconds)]
  })
  return [['1', 'at once', ''], ...retries]
}

/** 93 670 seconds are `26 h 1 min 10 s`. */
function duration(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3_600)} h`, `${Math.floor(seconds / 60) % 60} min`, `${seconds % 60} s`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

function eventSection([type, { kind, summary, data }]: [string, (typeof EVENTS)[keyof typeof EVENTS]]): string {
  return [
    `## ${type}`,
    `${summary}. Kind: ${kind}.`,
    tableOf(
      ['field of `eventData`', 'type', ''],
      fieldsOf(
        documented(asJson(data), () => undefined),
        '',
      ),
    ),
    `\`\`\`json\n${JSON.stringify({ eventType: type, eventData: exampleEvent(asJson(data)) }, null, 2)}\n\`\`\``,
  ].join('\n\n')
}

/** Every field by its path, depth first. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, path: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const isList = typesOf(schema).includes('array')
    const at = `${path}${name}${isList ? '[]' : ''}`
    return [
      [`\`${at}\``, typeName(schema), notes(schema, required.includes(name))],
      ...fieldsOf((isList ? schema.items : schema) ?? {}, `${at}.`),
    ]
  })
}

function typeName(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeName).join(' or ')
  return typesOf(schema)
    .map((type) => (type === 'array' ? `list of ${typeName(schema.items ?? {})}` : type === 'string' ? 'text' : type))
    .join(' or ')
}

function notes({ description, enum: words, examples }: JsonSchema, isRequired: boolean): string {
  const parts = [
    isRequired ? undefined : 'left out where there is none',
    description,
    words?.map((word) => `\`${word}\``).join(', '),
    examples === undefined ? undefined : `such as \`${examples[0]}\``,
  ]
  return parts.filter((part) => part !== undefined).join('; ')
}

const permissionsPage = (): string => `${NOTE}

# Permissions

What a merchant may do, route by route. Every route has a decision, or the contract does not compile. Without a permission that a route takes: 403
\`${permissionRefusals.transfers.text}\`; the header \`kobo-refusal\` names the permission, as \`${permissionRefusals.transfers.code}\`.

There are ${listed(PERMISSIONS.map((permission) => `\`${permission}\``))}. In the sandbox all are granted from the start but \`bills\`; in live none is.
\`kobo merchant permit\` grants and withdraws them, in the sandbox \`PUT /sandbox/settings\` too. Cards are charged with numbers that the merchant's server sends (\`cards\`), on the hosted
page, where the merchant never sees them (\`checkoutCards\`: without it the page does not offer cards), and by tokens (\`recurring\`: without it none are handed out).

${tableOf(
  ['route', 'takes', 'because'],
  ROUTES.map(({ route }) => [
    `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``,
    permissionsOf(route)
      .map((permission) => `\`${permission}\``)
      .join(', '),
    reasonOf(route.permission),
  ]),
)}

## People

What somebody of a merchant's team may do in the dashboard follows from a role. *flag*: where the person approves payouts. Nobody gives, changes or takes away a role above the own; below an admin
all are equal. Without a permission that a route asks for: 403 \`${personRefusals.roleNotAllowed.text}\`, \`${personRefusals.roleNotAllowed.code}\`.

${tableOf(
  ['permission', ...ROLES],
  PERSON_PERMISSIONS.map((permission) => [
    permission,
    ...ROLES.map((role) => ({ yes: '✓', no: '–', flag: 'flag' })[ROLE_PERMISSIONS[permission][role]]),
  ]),
)}

Whoever runs the gateway has roles too. None of them moves a merchant's money or sees a secret.

${tableOf(
  ['permission', ...OPERATOR_ROLES],
  OPERATOR_PERMISSIONS.map((permission) => [
    permission,
    ...OPERATOR_ROLES.map((role) => (OPERATOR_ROLE_PERMISSIONS[role].includes(permission) ? '✓' : '–')),
  ]),
)}

These routes serve the dashboard; no access token opens them. *fresh*: the second factor was shown within the last five minutes.

${tableOf(
  ['route', 'asks for', 'because'],
  [
    ...DASHBOARD_ROUTES.map(({ route }) => route),
    ...ROUTES.filter(({ route }) => route.person !== undefined).map(({ route }) => inDashboard<Route>(route)),
  ].map((route) => [
    `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``,
    [typeof route.person === 'string' ? `\`${route.person}\`` : '', route.fresh === true ? 'fresh' : '']
      .filter(Boolean)
      .join(', '),
    route.person === undefined ? reasonOf(route.permission) : typeof route.person === 'string' ? '' : route.person.any,
  ]),
)}
`

const reasonOf = (permission: Route['permission']): string =>
  typeof permission === 'object' && 'none' in permission ? permission.none : ''

const listed = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--check' && arg !== '--help')
  if (args.includes('--help') || unknown.length > 0) {
    const out = unknown.length > 0 ? process.stderr : process.stdout
    out.write(HELP)
    return unknown.length > 0 ? 2 : 0
  }
  const drifted = await findDrifted()
  if (!args.includes('--check')) {
    for (const [path, text] of await generate()) writeFileSync(join(ROOT, path), text)
    process.stdout.write(drifted.length === 0 ? 'All current\n' : drifted.map((path) => `Wrote ${path}\n`).join(''))
    return 0
  }
  if (drifted.length === 0) return 0
  process.stderr.write(`Out of date: ${drifted.join(', ')}\nRun: npm run generate\n`)
  return 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
