import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  accessRefusals,
  DASHBOARD_ROUTES,
  EVENT_RETRY_AFTER_SECONDS,
  EVENTS,
  FIELD_PERMISSIONS,
  inDashboard,
  initiateBatch,
  initiateTransfer,
  MONEY_MEANS,
  MONEY_OUT,
  type MoneyMeans,
  type MoneyOut,
  meansRightsOf,
  moneyRightsOf,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLE_PERMISSIONS,
  OPERATOR_ROLES,
  PERMISSIONS,
  PERSON_PERMISSIONS,
  PLACES,
  type Place,
  permissionRefusals,
  permissionsOf,
  personRefusals,
  ROLE_PERMISSIONS,
  ROLES,
  ROUTES,
  type Route,
  SCOPES,
  scopeOf,
} from '@kobo/contract'
import { help } from '../cli/src/run.ts'
import { openApi } from '../contract/src/openapi.ts'
import { exampleEvent } from '../contract/src/openapi-examples.ts'
import { asJson, documented, type JsonSchema, sentence, typesOf } from '../contract/src/openapi-schema.ts'
import { pinnedScript, readBuiltFiles } from '../gateway/src/core/edge/pages/index.ts'
import { build } from '../web/build.js'
import { clientsPage } from './generate-clients.ts'
import { commandsPage } from './generate-commands.ts'
import { errorsPage } from './generate-errors.ts'
import { guideFiles } from './generate-guides.ts'
import { paletteCss, themesCss } from './generate-palette.ts'
import { llmsText, postmanCollection } from './generate-requests.ts'
import { sdkCallsPage } from './generate-sdk-calls.ts'
import { sdkFiles } from './generate-sdks.ts'
import { testingPage } from './generate-testing.ts'
import { webRoutes } from './generate-web-routes.ts'
import { railsOpenApi } from './rails-openapi.ts'

const HELP = `Writes the generated files: the OpenAPI documents of the API and of the rails, the reference pages (states, events, permissions, commands, errors, clients, SDK calls), sample requests for editors and Postman, llms.txt, the tables in the testing guide, and the script tag in the checkout guide.

Usage: npm run generate               writes the files
       npm run generate -- --check    writes nothing; lists files that are out of date and fails
       npm run generate -- --help     shows this help
`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOTE = '<!-- Generated from the code by `npm run generate`. Do not edit. -->'

/** The text of every generated file, by its path in the repository. */
export async function generate(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['contract/openapi.json', `${JSON.stringify(openApi(), null, 2)}\n`],
    ['connectors/openapi.json', `${JSON.stringify(railsOpenApi(), null, 2)}\n`],
    ['docs/reference/states.md', statesPage(await findMachines())],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/permissions.md', permissionsPage()],
    ['docs/reference/commands.md', commandsPage(NOTE)],
    ['cli/src/help.txt', help()],
    ['docs/reference/errors.md', errorsPage(NOTE)],
    ['docs/reference/clients.md', clientsPage(NOTE, tableOf)],
    ['docs/reference/sdk-calls.md', sdkCallsPage(NOTE, tableOf)],
    ...sdkFiles(),
    ...guideFiles(NOTE),
    ['web/routes.ts', webRoutes()],
    ['web/ui/palette.css', paletteCss()],
    ['web/dashboard/themes.css', themesCss()],
    ['docs/reference/postman.json', `${JSON.stringify(postmanCollection(), null, 2)}\n`],
    ['docs/reference/llms.txt', llmsText()],
    ['docs/guides/testing.md', testingPage(readFileSync(join(ROOT, 'docs/guides/testing.md'), 'utf8'))],
    [
      'docs/guides/checkout.md',
      checkoutPage(readFileSync(join(ROOT, 'docs/guides/checkout.md'), 'utf8'), await scriptTag()),
    ],
  ])
}

/** The generated files that are missing or out of date. */
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

/** The script tag that loads exactly this version of the inline script. */
async function scriptTag(): Promise<string> {
  await build()
  const { path, integrity } = pinnedScript(readBuiltFiles().find('plugin.js'))
  return `<script src="https://your-gateway${path}" integrity="${integrity}" crossorigin="anonymous"></script>`
}

/** Updates the script tag in the hand-written checkout page. */
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

/** `cardAttemptMachine` becomes `Card attempt`. */
const titleOf = (name: string): string =>
  sentence(name.replace(/Machine$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

const statesPage = (machines: readonly Machine[]): string => `${NOTE}

# States

The status changes of each resource. The code uses the same tables, so no other change is possible.

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
    `Starts as ${first}. ${last.length === 0 ? 'There is no final state.' : `Final: ${listed(last)}.`} Source: [${source}](../../${source}).`,
  ].join('\n\n')
}

const eventsPage = (): string => `${NOTE}

# Events

Kobo notifies your server with webhooks: a POST of \`{"eventType", "eventData"}\` as compact JSON to your webhook URL for that kind of event, or to your
default webhook URL. Without a webhook URL the event is stored, and you can resend it later.

${tableOf(
  ['event', 'kind', 'when'],
  Object.entries(EVENTS).map(([type, { kind, summary }]) => [`[${type}](#${type.toLowerCase()})`, kind, summary]),
)}

## Signature

\`service-signature\` is the HMAC-SHA-512 of the body with your secret key, in lower-case hex. Compute it over the raw bytes, before parsing,
and return 401 if it differs.

\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` follow the Standard Webhooks format, so that your endpoint can reject replays. \`webhook-signature\` is \`v1,\` and
the base64 of HMAC-SHA-256 over \`id.timestamp.body\` with your secret key. During a key rotation it has one signature per key, separated by spaces.

## Delivery

An event is delivered when your endpoint returns 200 within 10 seconds. Redirects are not followed. After any other result Kobo retries:

${tableOf(['attempt', 'after the previous one', 'after the first'], attempts())}

After the last attempt the event is given up. \`Retry-After\` of a 429 or 503 is honoured up to the next step. 410 pauses the webhook URL. The same event
may arrive more than once, and events may arrive in any order: process each reference once.

${Object.entries(EVENTS).map(eventSection).join('\n\n')}
`

function attempts(): string[][] {
  let passedSeconds = 0
  const retries = EVENT_RETRY_AFTER_SECONDS.map((seconds, index) => {
    passedSeconds += seconds
    return [`${index + 2}`, duration(seconds), duration(passedSeconds)]
  })
  return [['1', 'immediately', ''], ...retries]
}

/** 93 670 seconds become `26 h 1 min 10 s`. */
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
    isRequired ? undefined : 'optional',
    description,
    words?.map((word) => `\`${word}\``).join(', '),
    examples === undefined ? undefined : `such as \`${examples[0]}\``,
  ]
  return parts.filter((part) => part !== undefined).join('; ')
}

const permissionsPage = (): string => `${NOTE}

# Permissions

The permission that each route requires. A route that states none does not compile. Without the permission, a route returns 403
\`${permissionRefusals.transfers.text}\`, and the \`kobo-refusal\` header names the permission, as in \`${permissionRefusals.transfers.code}\`.

The permissions are ${listed(PERMISSIONS.map((permission) => `\`${permission}\``))}. A sandbox merchant starts with all except \`bills\`; a live merchant starts with none.
\`kobo merchant permit\` grants and withdraws permissions; in the sandbox \`PUT /sandbox/settings\` does too.

Three permissions cover cards: \`cards\` for card numbers that the merchant's server sends, \`checkoutCards\` for cards on the hosted checkout, and \`recurring\` for charges of saved cards.

${tableOf(
  ['route', 'permission', 'reason if none'],
  ROUTES.map(({ route }) => [
    `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``,
    permissionsOf(route)
      .map((permission) => `\`${permission}\``)
      .join(', '),
    reasonOf(route.permission),
  ]),
)}

## API keys

The scope that a [restricted key](../guides/api-keys.md) needs for each route. A route that states none does not compile. Without it, a route returns 403 \`${accessRefusals.scopeMissing.code}\`.
The merchant's first key pair has every scope. A user can give a key only scopes that their own role has.

${tableOf(
  ['scope', 'routes'],
  SCOPES.map((scope) => [
    `\`${scope}\``,
    ROUTES.filter(({ route }) => (route.access ?? 'token') === 'token' && scopeOf(route) === scope)
      .map(({ route }) => `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``)
      .join(', '),
  ]),
)}

## Team members

A role decides what a team member may do in the dashboard. *flag*: only if the user is an approver of payouts. Users cannot assign, change or remove a role above their own;
roles below admin have equal rank. Without the permission, a route returns 403 \`${personRefusals.roleNotAllowed.text}\`, \`${personRefusals.roleNotAllowed.code}\`.

${tableOf(
  ['permission', ...ROLES],
  PERSON_PERMISSIONS.map((permission) => [
    permission,
    ...ROLES.map((role) => ({ yes: '✓', no: '–', flag: 'flag' })[ROLE_PERMISSIONS[permission][role]]),
  ]),
)}

### Money out

What each role may do about money that leaves a wallet, alone and with others. *fresh*: with a second factor confirmed within the last five minutes.
By default one other approver is enough; the merchant's approval policy may require two for large amounts, and none for small ones. Only a merchant's sole approver releases their own
payouts, up to the limit in the policy. Of operators, only two together move money out of a wallet: what a closed merchant still holds.

${tableOf(
  ['action', ...PLACES.map(({ name }) => name)],
  MONEY_OUT.map((out) => [out.action, ...PLACES.map((place) => moneyCell(place, out))]),
)}

#### Ways to get money out later

Actions that would let one user move money out alone. If the team has another approver, the action waits under Approvals: the first request returns 403 \`${personRefusals.secondPersonNeeded.code}\`,
another approver approves it, and the same request by the same user within a day then succeeds once. A team whose only approver is the user themself needs no one else.
Actions that take effect after a day are emailed to all owners, and any owner can stop them. The team cannot turn the emailed code off or change the settlement account: two operators do that.

${tableOf(
  ['action', ...PLACES.map(({ name }) => name)],
  MONEY_MEANS.map((means) => [means.action, ...PLACES.map((place) => meansCell(place, means))]),
)}

#### Money out by API keys

An API key is not a person, so the approval policy decides whether its payouts wait. Only two people create a key that can move money, as the table above says.

${tableOf(
  ['action', 'scope', 'without a policy that covers the API', 'with one'],
  MONEY_OUT.map((out) => [out.action, `\`${scopeOf(out.route) ?? ''}\``, ...keyCells(out)]),
)}

Fields with their own permission, for users and restricted keys: ${Object.entries(FIELD_PERMISSIONS)
  .map(([field, permission]) => `\`${field}\` needs \`${permission}\``)
  .join(', ')}. Without it, a route returns 403 \`${personRefusals.fieldNotAllowed.code}\`.

The operator's team has roles too. None of them alone can move a merchant's money, and none sees a secret.

${tableOf(
  ['permission', ...OPERATOR_ROLES],
  OPERATOR_PERMISSIONS.map((permission) => [
    permission,
    ...OPERATOR_ROLES.map((role) => (OPERATOR_ROLE_PERMISSIONS[role].includes(permission) ? '✓' : '–')),
  ]),
)}

The dashboard uses these routes; access tokens do not work for them. *fresh*: the user confirmed the second factor within the last five minutes.
*two people*: some or all requests wait for another approver ([ways to get money out later](#ways-to-get-money-out-later)).

${tableOf(
  ['route', 'permission', 'reason if none'],
  [
    ...DASHBOARD_ROUTES.map(({ route }) => route),
    ...ROUTES.filter(({ route }) => route.person !== undefined).map(({ route }) => inDashboard<Route>(route)),
  ].map((route) => [
    `\`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}\``,
    [
      typeof route.person === 'string' ? `\`${route.person}\`` : '',
      route.fresh === true ? 'fresh' : '',
      route.twoPeople === undefined ? '' : 'two people',
    ]
      .filter(Boolean)
      .join(', '),
    route.person === undefined ? reasonOf(route.permission) : typeof route.person === 'string' ? '' : route.person.any,
  ]),
)}
`

function moneyCell(place: Place, out: MoneyOut): string {
  const { makes, approves, alone } = moneyRightsOf(place, out)
  const factor = out.route.fresh === true ? ' (fresh)' : ''
  if (alone === 'back to the payer') return `alone${factor}`
  const parts = [
    makes ? `makes${factor}; another approves` : '',
    approves ? 'approves others’ (fresh)' : '',
    alone === 'no' ? '' : `alone ${alone} (fresh)`,
  ].filter(Boolean)
  return parts.length === 0 ? '–' : parts.join('; ')
}

function meansCell(place: Place, means: MoneyMeans): string {
  const { requests, approves, alone } = meansRightsOf(place, means)
  const parts = [
    requests ? `requests (fresh)${means.gate === 'second person' ? '; another approves' : ''}` : '',
    approves ? 'approves others’ (fresh)' : '',
    alone === 'no' ? '' : `alone ${alone} (fresh)`,
  ].filter(Boolean)
  return parts.length === 0 ? '–' : parts.join('; ')
}

function keyCells({ gate, route }: MoneyOut): readonly string[] {
  if (gate === 'back to the payer') return ['at once', 'at once']
  const hasCode = [initiateTransfer, initiateBatch].includes(route as never)
  return [hasCode ? 'after the emailed code' : 'at once', 'after approval']
}

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
