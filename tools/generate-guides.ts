import { openApi } from '../contract/src/openapi.ts'
import { CALLS, type Call } from '../sdk/src/calls.ts'
import { capital, described, type Field, snake, type Type } from './generate-sdks.ts'
import { type CodeGuide, type GuideStep, Reference, type Value } from './guide-parts.ts'
import { CODE_GUIDES } from './guide-steps.ts'

type Fields = Readonly<Record<string, Value>>
type Path = readonly (string | number)[]

/** A language of the guides. `setUp` writes the code before the first step, and `step` that of each step. */
interface Language {
  readonly title: string
  readonly fence: string
  readonly setUp: (guide: CodeGuide) => string
  readonly step: (step: GuideStep, guide: CodeGuide) => string
}

const routeOf = (call: string): Call => {
  const [group = '', name = ''] = call.split('.')
  const found = (CALLS as Readonly<Record<string, Readonly<Record<string, Call>>>>)[group]?.[name]
  if (found === undefined) throw new Error(`There is no call ${call}`)
  return found
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
const isFields = (value: Value): value is Fields =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Reference)

/** Every reference in a value. */
function referencesIn(value: Value): readonly Reference[] {
  if (value instanceof Reference) return [value]
  return typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : []
}

/** Whether later steps use a step's response, or the step prints a part of it. */
const isUsed = (step: GuideStep, { steps }: CodeGuide): boolean =>
  step.prints !== undefined ||
  step.readsCode === true ||
  steps.some((other) => referencesIn(other.with).some(({ path }) => path[0] === step.as))

/** Whether a guide uses one of the reader's settings. */
const uses = ({ steps }: CodeGuide, name: string): boolean =>
  steps.some((step) => referencesIn(step.with).some(({ path }) => path[0] === name))

// The shell

const shellName = (path: Path): string =>
  path.map((part, index) => (index === 0 ? String(part) : capital(String(part)))).join('')
/** Writes a field of a response. It quotes brackets, which zsh would otherwise read as a pattern of file names. */
function shellField(path: Path): string {
  const field = `responseBody${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`
  return field.includes('[') ? `'${field}'` : field
}

function shellJson(value: Value): string {
  const marked = (one: Value): unknown => {
    if (one instanceof Reference) return `${one.before}\u0001${shellName(one.path)}\u0001${one.after}`
    if (Array.isArray(one)) return one.map(marked)
    if (isFields(one)) return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, marked(inner)]))
    return one
  }
  return JSON.stringify(marked(value), null, 2).replaceAll(/\\u0001(\w+)\\u0001/g, `'"$$$1"'`)
}

const shellText = (value: Value): string =>
  value instanceof Reference ? `${value.before}$${shellName(value.path)}${value.after}` : String(value)

function shellCall({ call, with: fields }: GuideStep): string {
  const { route, bodyKey } = routeOf(call)
  const keysOf = (schema: unknown): readonly string[] =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => `$(encode "${shellText(fields[name] ?? '')}")`)
  const query = keysOf(route.query).filter((name) => fields[name] !== undefined)
  const body =
    bodyKey === undefined
      ? Object.fromEntries(Object.entries(fields).filter(([name]) => keysOf(route.body).includes(name)))
      : fields[bodyKey]
  return [
    `curl -sS --fail-with-body${query.length > 0 ? ' -G' : ''}${route.method === 'GET' || route.body !== undefined ? '' : ` -X ${route.method}`} "$baseUrl${path}"`,
    ...(route.access === 'open' ? [] : ['-H "$auth"']),
    ...query.map((name) => `--data-urlencode "${name}=${shellText(fields[name] ?? '')}"`),
    ...(route.body === undefined ? [] : [`-H "$json" -d '${shellJson(body ?? {})}'`]),
  ].join(' ')
}

const SHELL: Language = {
  title: 'curl',
  fence: 'sh',
  setUp: (
    guide,
  ) => `field() { node -e "const text = require('fs').readFileSync(0, 'utf8'); try { console.log((JSON.parse(text).$1).toString()) } catch { console.error(text); process.exit(1) }"; }
encode() { node -pe 'encodeURIComponent(process.argv[1])' "$1"; }
keys=$(./kobo credentials)
baseUrl=$(printf %s "$keys" | field baseUrl)
apiKey=$(printf %s "$keys" | field apiKey)
secretKey=$(printf %s "$keys" | field secretKey)
${['contractCode', 'walletAccountNumber']
  .filter((name) => uses(guide, name))
  .map((name) => `${name}=$(printf %s "$keys" | field ${name})\n`)
  .join(
    '',
  )}token=$(curl -sS --fail-with-body -X POST "$baseUrl/api/v1/auth/login" -u "$apiKey:$secretKey" | field responseBody.accessToken)
auth="Authorization: Bearer $token"
json='Content-Type: application/json'
run=$(date +%s)`,
  step: (step, guide) => {
    const used = guide.steps
      .flatMap((other) => referencesIn(other.with))
      .filter(({ path }) => path[0] === step.as && path.length > 1)
    const names = new Map(used.map((one) => [shellName(one.path), one]))
    const read = (path: Path): string => `printf %s "$${step.as}" | field ${shellField(path)}`
    return [
      `${step.as}=$(${shellCall(step)})`,
      ...[...names].map(([name, { path }]) => `${name}=$(${read(path.slice(1))})`),
      ...(step.prints === undefined ? [] : [read(step.prints.path)]),
      ...(step.readsCode === true
        ? [`code=$(printf %s "$${step.as}" | field 'responseBody[0].text.match(/([0-9]{6}) is your code/)[1]')`]
        : []),
    ].join('\n')
  },
}

// Languages with literals of lists and maps

interface Literals {
  readonly text: (parts: { readonly before: string; readonly expression: string; readonly after: string }) => string
  readonly quote: (text: string) => string
  readonly boolean: (value: boolean) => string
  readonly path: (path: Path) => string
  readonly list: readonly [string, string]
  readonly map: readonly [string, string]
  readonly key: (name: string) => string
}

function literal(value: Value, language: Literals): string {
  if (value instanceof Reference) {
    const expression = language.path(value.path)
    const isPlain = value.before === '' && value.after === '' && value.path[0] !== 'run'
    return isPlain ? expression : language.text({ before: value.before, expression, after: value.after })
  }
  if (typeof value === 'string') return language.quote(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return language.boolean(value)
  const [open, close] = Array.isArray(value) ? language.list : language.map
  const inner = Array.isArray(value)
    ? value.map((one) => literal(one, language))
    : Object.entries(value as Fields).map(([name, one]) => `${language.key(name)}${literal(one, language)}`)
  if (inner.length === 0) return open + close
  const isShort = inner.every((one) => !one.includes('\n')) && inner.join(', ').length < 80
  if (isShort && Array.isArray(value)) return `${open}${inner.join(', ')}${close}`
  return `${open}\n${inner.map((one) => `  ${indent(one, '  ')},\n`).join('')}${close}`
}

const single = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
const brackets = (path: Path): string =>
  path.map((part) => (typeof part === 'number' ? `[${part}]` : `['${part}']`)).join('')

const JAVASCRIPT: Literals = {
  text: ({ before, expression, after }) => `\`${before}\${${expression}}${after}\``,
  quote: single,
  boolean: String,
  path: (path) =>
    path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join(''),
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${name}: `,
}

const settingName = (name: string): string => `KOBO_${snake(name).toUpperCase()}`
const settings = (guide: CodeGuide): readonly string[] =>
  ['contractCode', 'walletAccountNumber', 'apiKey'].filter((name) => uses(guide, name))

const SDK = '@kobo/sdk'

const TYPESCRIPT: Language = {
  title: 'TypeScript',
  fence: 'ts',
  setUp: (guide) => `// (cd sdk && npm pack); ./kobo credentials --env .env; node --env-file=.env ${guide.name}.mjs
import { connect } from '${SDK}'

const { ${['KOBO_URL', 'KOBO_API_KEY', 'KOBO_SECRET_KEY'].join(', ')} } = process.env
const kobo = connect({ baseUrl: KOBO_URL, apiKey: KOBO_API_KEY, secretKey: KOBO_SECRET_KEY })
${settings(guide)
  .map((name) => `const ${name} = process.env.${settingName(name)}\n`)
  .join('')}const run = Math.floor(Date.now() / 1000)`,
  step: (step, guide) => {
    const request = Object.keys(step.with).length === 0 ? '' : literal(step.with, JAVASCRIPT)
    const assigned = isUsed(step, guide) ? `const ${step.as} = ` : ''
    return [
      `${assigned}await kobo.${step.call}(${request})`,
      ...(step.prints === undefined ? [] : [`console.log(${JAVASCRIPT.path([step.as, ...step.prints.path])})`]),
      ...(step.readsCode === true ? [`const [, code] = /(\\d{6}) is your code/.exec(${step.as}[0].text)`] : []),
    ].join('\n')
  },
}

const PHP_LITERALS: Literals = {
  text: ({ before, expression, after }) =>
    [before, undefined, after]
      .map((part) => (part === undefined ? expression : part === '' ? '' : single(part)))
      .filter((part) => part !== '')
      .join(' . ') + (before === '' && after === '' ? " . ''" : ''),
  quote: single,
  boolean: String,
  path: ([first, ...rest]) => `$${first}${brackets(rest)}`,
  list: ['[', ']'],
  map: ['[', ']'],
  key: (name) => `'${name}' => `,
}

const PHP: Language = {
  title: 'PHP',
  fence: 'php',
  setUp: (guide) => `<?php
// set -a; eval "$(./kobo credentials --env)"; php ${guide.name}.php
require 'sdk/php/autoload.php';

$kobo = new Kobo\\Client(getenv('KOBO_URL'), getenv('KOBO_API_KEY'), getenv('KOBO_SECRET_KEY'));
${settings(guide)
  .map((name) => `$${name} = getenv('${settingName(name)}');\n`)
  .join('')}$run = time();`,
  step: (step, guide) => {
    const assigned = isUsed(step, guide) ? `$${step.as} = ` : ''
    return [
      `${assigned}$kobo->${step.call.replace('.', '->')}(${literal(step.with, PHP_LITERALS)});`,
      ...(step.prints === undefined ? [] : [`echo ${PHP_LITERALS.path([step.as, ...step.prints.path])}, "\\n";`]),
      ...(step.readsCode === true
        ? [`preg_match('/(\\d{6}) is your code/', $${step.as}[0]['text'], $found);`, '$code = $found[1];']
        : []),
    ].join('\n')
  },
}

const PYTHON_LITERALS: Literals = {
  text: ({ before, expression, after }) => `f"${before}{${expression.replaceAll('"', "'")}}${after}"`,
  quote: (text) => `"${text}"`,
  boolean: (value) => (value ? 'True' : 'False'),
  path: ([first = '', ...rest]) =>
    `${snake(String(first))}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `["${part}"]`)).join('')}`,
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `"${name}": `,
}

const PYTHON: Language = {
  title: 'Python',
  fence: 'python',
  setUp: (guide) => `# set -a; eval "$(./kobo credentials --env)"; PYTHONPATH=sdk/python python3 ${guide.name}.py
import os
${guide.steps.some(({ readsCode }) => readsCode) ? 'import re\n' : ''}import time

import kobo

client = kobo.Client(os.environ["KOBO_URL"], os.environ["KOBO_API_KEY"], os.environ["KOBO_SECRET_KEY"])
${settings(guide)
  .map((name) => `${snake(name)} = os.environ["${settingName(name)}"]\n`)
  .join('')}run = int(time.time())`,
  step: (step, guide) => {
    const assigned = isUsed(step, guide) ? `${snake(step.as)} = ` : ''
    return [
      `${assigned}client.${snake(step.call)}(${literal(step.with, PYTHON_LITERALS)})`,
      ...(step.prints === undefined ? [] : [`print(${PYTHON_LITERALS.path([step.as, ...step.prints.path])})`]),
      ...(step.readsCode === true
        ? [`code = re.search(r"(\\d{6}) is your code", ${step.as}[0]["text"]).group(1)`]
        : []),
    ].join('\n')
  },
}

// Go, whose requests are typed

const { structures } = described()
const fieldsOf = (name: string): readonly Field[] => structures.find((one) => one.name === name)?.fields ?? []

const goPath = ([first, ...rest]: Path): string =>
  `${first}${rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${capital(part)}`)).join('')}`

function goText(value: Reference): string {
  const expression = goPath(value.path)
  const parts = [value.before, undefined, value.after]
  return parts.flatMap((part) => (part === undefined ? expression : part === '' ? [] : `"${part}"`)).join(' + ')
}

/** Values of fields without a type. */
const GO_ANY: Literals = {
  text: ({ before, expression, after }) =>
    [before, undefined, after]
      .flatMap((part) => (part === undefined ? expression : part === '' ? [] : `"${part}"`))
      .join(' + '),
  quote: (text) => `"${text}"`,
  boolean: String,
  path: goPath,
  list: ['[]any{', '}'],
  map: ['map[string]any{', '}'],
  key: (name) => `"${name}": `,
}

function goValue(value: Value, type: Type): string {
  if (value instanceof Reference) return goText(value)
  if (type.kind === 'list') {
    const items = (value as readonly Value[]).map((one) => goValue(one, type.of).replace(/^kobo\.\w+(?=\{)/, ''))
    const of = type.of.kind === 'object' ? `kobo.${type.of.name}` : 'string'
    return `[]${of}{${items.join(', ')}}`
  }
  if (type.kind === 'object') return `kobo.${type.name}${goFields(value as Fields, type.name)}`
  if (type.kind === 'any') return literal(value, GO_ANY).replaceAll('  ', '\t')
  if (type.kind === 'decimal') return `"${value}"`
  return typeof value === 'string' ? `"${value}"` : String(value)
}

function goFields(values: Fields, name: string): string {
  const fields = fieldsOf(name)
  const lines = Object.entries(values).map(([key, value]) => {
    const field = fields.find((one) => one.name === key)
    if (field === undefined) throw new Error(`${name} has no field ${key}`)
    const { type, isOptional, isNullable } = field
    const text = goValue(value, type)
    const isPointer = type.kind === 'object' && (isOptional || isNullable)
    if (isPointer) return [capital(key), `&${text}`]
    if (isOptional && type.kind === 'boolean') return [capital(key), `kobo.Optional(${text})`]
    if (isOptional && type.kind === 'integer') return [capital(key), `kobo.Optional[int64](${text})`]
    return [capital(key), text]
  })
  if (lines.length === 0) return '{}'
  // As gofmt writes it: the values of neighbouring lines are aligned, up to a value of several lines.
  const blocks: (readonly [string, string])[][] = [[]]
  for (const [key = '', text = ''] of lines) {
    blocks.at(-1)?.push([key, text])
    if (text.includes('\n')) blocks.push([])
  }
  const shown = blocks.flatMap((block) => {
    const aligned = block.filter(([, text]) => !text.includes('\n'))
    const width = Math.max(0, ...aligned.map(([key]) => key.length)) + 2
    return block.map(([key, text]) =>
      text.includes('\n') ? `\t${key}: ${indent(text, '\t')},\n` : `\t${`${key}:`.padEnd(width)}${text},\n`,
    )
  })
  return `{\n${shown.join('')}}`
}

const GO: Language = {
  title: 'Go',
  fence: 'go',
  setUp: (guide) => `// If your clone is in the folder kobo, run this in a new folder next to it:
// set -a; eval "$(../kobo/kobo credentials --env)"
// go mod init shop && go mod edit -require kobo@v0.0.0 -replace kobo=../kobo/sdk/go && go run .
package main

import (
	"context"
	"fmt"
	"os"
${guide.steps.some(({ readsCode }) => readsCode) ? '\t"regexp"\n' : ''}	"strconv"
	"time"

	"kobo"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := must(kobo.New(kobo.Options{
		BaseUrl:   os.Getenv("KOBO_URL"),
		ApiKey:    os.Getenv("KOBO_API_KEY"),
		SecretKey: os.Getenv("KOBO_SECRET_KEY"),
	}))
${settings(guide)
  .map((name) => `\t${name} := os.Getenv("${settingName(name)}")\n`)
  .join('')}	run := strconv.FormatInt(time.Now().Unix(), 10)`,
  step: (step, guide) => {
    const [group = '', name = ''] = step.call.split('.')
    const request = `${capital(group)}${capital(name)}Request`
    const isLast = guide.steps.at(-1) === step
    const assigned = isUsed(step, guide) ? `${step.as} := ` : ''
    const lines = [
      `${assigned}must(client.${capital(group)}.${capital(name)}(ctx, kobo.${request}${goFields(step.with, request)}))`,
      ...(step.prints === undefined ? [] : [`fmt.Println(${goPath([step.as, ...step.prints.path])})`]),
      ...(step.readsCode === true
        ? [`code := regexp.MustCompile(\`(\\d{6}) is your code\`).FindStringSubmatch(${step.as}[0].Text)[1]`]
        : []),
    ]
    return `\t${indent(lines.join('\n'), '\t')}${isLast ? '\n}' : ''}`
  },
}

export const GUIDE_LANGUAGES: readonly Language[] = [SHELL, TYPESCRIPT, PHP, PYTHON, GO]

const fenced = (fence: string, code: string): string => `\`\`\`${fence}\n${code}\n\`\`\`\n`

/** The code in every language: the shell's first, the others folded. */
const tabs = (codeIn: (language: Language) => string): string =>
  GUIDE_LANGUAGES.map((language, index) =>
    index === 0
      ? fenced(language.fence, codeIn(language))
      : `<details><summary>${language.title}</summary>\n\n${fenced(language.fence, codeIn(language))}\n</details>\n`,
  ).join('\n')

type Operation = {
  readonly responses: Record<string, { readonly content: Record<string, { readonly example: Example }> }>
}
interface Example {
  readonly responseBody: Readonly<Record<string, unknown>>
}
const { paths: PATHS } = openApi() as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** The example response of a call, with the fields that a step shows; amounts that the step sends come back. */
function responseOf({ call, with: sent, shows, has, prints }: GuideStep): string {
  if (shows.length === 0) return ''
  const { route } = routeOf(call)
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const { example } = PATHS[path]?.[route.method.toLowerCase()]?.responses['200']?.content['application/json'] ?? {}
  const shown = shows.map((name) => [name, typeof sent[name] === 'number' ? sent[name] : example?.responseBody[name]])
  const body = { ...Object.fromEntries(shown), ...has }
  const [printed] = prints?.path ?? []
  if (printed !== undefined && prints !== undefined && shows.includes(String(printed))) body[printed] = prints.is
  return `\nThe response, shortened:\n\n${fenced('json', JSON.stringify({ requestSuccessful: true, responseBody: body }, null, 2))}`
}

function pageOf(guide: CodeGuide, note: string): string {
  const steps = guide.steps.map(
    (step) => `## ${step.title}

${step.text}

${tabs(({ step: codeOf }) => codeOf(step, guide))}${responseOf(step)}`,
  )
  return `${note}

# ${guide.title}

${guide.intro} Run \`npm start\` in one terminal. Paste the commands below into another, in the same folder.

## Get your keys

The commands below use curl. To use another language, copy all its blocks, in order, into one file in your clone. The comment in the first block shows the file's name and how to run it; for Go, use \`main.go\` in a new folder. To install an SDK in a project of your own, see its page: [TypeScript](../../sdk/readme.md#install), [PHP](../../sdk/php/readme.md#install), [Python](../../sdk/python/readme.md#install), [Go](../../sdk/go/readme.md#install). The SDKs log in automatically.

The curl commands store each response in a shell variable; to see all of it, print it: \`echo "$${guide.steps[0]?.as}"\`. If curl reports an error, such as \`curl: (22)\`, the variable contains the error response.

${tabs(({ setUp }) => setUp(guide))}
${steps.join('\n')}${guide.end === '' ? '' : `\n${guide.end}`}`
}

/** The generated guides, by path. */
export const guideFiles = (note: string): readonly (readonly [string, string])[] =>
  CODE_GUIDES.map((guide) => [`docs/guides/${guide.name}.md`, pageOf(guide, note)] as const)
