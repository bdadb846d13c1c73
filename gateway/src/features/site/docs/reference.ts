import { GIVEN_FIELDS, OWN_FIELDS } from '@kobo/contract/openapi'
import { type Html, html, jsonForHtml } from '../../../platform/formats/html.ts'
import { type ApiResponse, type Call, type Document, type Operation, type Parameter, resolved } from './document.ts'
import { fieldList } from './fields.ts'
import { anchorOf, inlineMarkdown, markdown } from './markdown.ts'

export const groupAddress = (group: string): string => `/docs/reference/${anchorOf(group)}`

/** Renders a group of operations: its purpose, and each operation with fields, responses and errors. */
export const groupReference = (document: Document, title: string, text: string, calls: readonly Call[]): Html =>
  html`<h1>${title}</h1>
${markdown(text)}
${calls.map((call) => callReference(document, call))}`

function callReference(document: Document, call: Call): Html {
  const { method, path, operation } = call
  return html`<section class="call" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h2 id="${operation.operationId}-title">${operation.summary}</h2>
<p class="path"><span class="method">${method}</span> <code>${breakable(path)}</code></p>
${operation.description === undefined ? '' : markdown(operation.description)}
${requestSection(document, operation)}
<h3>Sample</h3>
<pre tabindex="0" aria-label="Sample: ${operation.summary}"><code>${curlOf(document, call)}</code></pre>
${givenNote(document, call)}
${inboxNote(document, operation)}
${tryPanel(document, call)}
${responseSection(document, operation)}
</section>`
}

/** Names the calls whose responses have the values of a sample's variables. */
function givenNote(document: Document, call: Call): Html | false {
  const names = new Set([...curlOf(document, call).matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
  const given = Object.values(document.paths)
    .flatMap((byMethod) => Object.values(byMethod))
    .flatMap(({ operationId, summary, tags: [group = ''] }) =>
      [...names]
        .filter((name) => GIVEN_FIELDS[name] === operationId)
        .map(
          (name) =>
            html`<code>$${name}</code> is in the response of <a href="${groupAddress(group)}#${operationId}">${summary}</a>.`,
        ),
    )
  return given.length > 0 && html`<p>${given.map((note) => html`${note} `)}</p>`
}

/** Says where a user of the sandbox finds the code that a call needs. */
const inboxNote = ({ paths }: Document, operation: Operation): Html | false =>
  paths['/sandbox/inbox'] !== undefined &&
  'authorizationCode' in Object(exampleOf(operation)) &&
  html`<p>In the sandbox, the code is in the <a href="${groupAddress('Sandbox')}#readInbox">inbox</a>.</p>`

/** Lets a path wrap after each slash on a narrow screen. */
const breakable = (path: string): readonly Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

const parametersOf = (document: Document, { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.map((parameter) => resolved(document, 'parameters', parameter) as Parameter)

const PARAMETER_PLACES = { path: 'in the path', query: 'query', header: 'header' } as const

function requestSection(document: Document, operation: Operation): Html {
  const parameters = parametersOf(document, operation)
  const body = operation.requestBody?.content['application/json'].schema
  const fields = body === undefined ? undefined : fieldList(document, body)
  return html`${
    parameters.length === 0
      ? ''
      : html`<h3>Parameters</h3>
<ul class="fields">${parameters.map(
          ({ name, in: place, required, description }) =>
            html`<li><code>${name}</code> <span class="type">${PARAMETER_PLACES[place]}</span>${
              required && html` <span class="required">required</span>`
            }${description !== undefined && html`<span class="about">${inlineMarkdown(description)}</span>`}</li>`,
        )}</ul>`
  }${fields !== undefined && html`<h3>Body</h3>${fields}`}`
}

const exampleOf = ({ requestBody }: Operation): unknown => requestBody?.content['application/json'].example

/** Returns how an operation is accessed: openly, with API keys, or with a token. */
const accessOf = ({ security }: Operation): { readonly isOpen: boolean; readonly takesKeys: boolean } => ({
  isOpen: security?.length === 0,
  takesKeys: security?.some((way) => 'keys' in way) === true,
})

/** The query parameter in the example, for calls that need one of several. */
const ONE_OF: Readonly<Record<string, readonly [name: string, example: string]>> = {
  queryTransaction: ['paymentReference', 'order-1001'],
  getCustomerWalletBalance: ['walletReference', 'wallet-1001'],
  listWalletTransactions: ['walletReference', 'wallet-1001'],
}
const isSent = ({ operationId }: Operation, { name, required }: Parameter): boolean =>
  required || ONE_OF[operationId]?.[0] === name
const sampleOf = ({ operationId }: Operation, { example }: Parameter): unknown => example ?? ONE_OF[operationId]?.[1]

/** Returns the name of a parameter in `./kobo credentials`, if its value is the merchant's own. */
const ownOf = ({ operationId }: Operation, name: string): string | undefined =>
  operationId === 'getWalletBalance' ? 'walletAccountNumber' : OWN_FIELDS[name]

/** The sandbox’s calls that take an account number from an earlier response. Other calls take any account number. */
const INTO_ACCOUNT: ReadonlySet<string> = new Set(['payIntoAccount', 'enquireName'])

/** Returns a sample's shell variable for a field or parameter whose value is the merchant's own or from a response. */
const variableOf = (operation: Operation, name: string): string | undefined => {
  const { key = name } = name === 'reference' ? (BY_OPERATION[operation.operationId] ?? {}) : {}
  const isGiven = key in GIVEN_FIELDS && (key !== 'accountNumber' || INTO_ACCOUNT.has(operation.operationId))
  return ownOf(operation, name) ?? (isGiven ? key : undefined)
}

/** Writes the request as a curl command, with the variables of the first-payment guide. */
export function curlOf(document: Document, { method, path, operation }: Call): string {
  const parameters = parametersOf(document, operation)
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const variable = variableOf(operation, name)
    return variable === undefined
      ? encodeURIComponent(String(parameters.find((one) => one.name === name)?.example))
      : `$${variable}`
  })
  const query = parameters.filter((one) => one.in === 'query' && isSent(operation, one))
  const body = exampleOf(operation)
  const { isOpen, takesKeys } = accessOf(operation)
  return [
    `curl ${query.length > 0 ? '-G ' : method === 'GET' || body !== undefined ? '' : `-X ${method} `}${
      body !== undefined && method !== 'POST' ? `-X ${method} ` : ''
    }"$baseUrl${url}"`,
    ...(takesKeys ? ['-u "$apiKey:$secretKey"'] : isOpen ? [] : ['-H "Authorization: Bearer $token"']),
    ...query.map((one) => {
      const { name } = one
      const variable = variableOf(operation, name)
      return `--data-urlencode ${variable === undefined ? `'${name}=${String(sampleOf(operation, one) ?? '')}'` : `"${name}=$${variable}"`}`
    }),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellText(operation, body)}'`]),
  ].join(' \\\n  ')
}

/** Writes JSON for use between single quotes, with shell variables. */
const shellText = (operation: Operation, body: unknown): string =>
  JSON.stringify(
    body,
    (name, value: unknown) => {
      const variable = typeof value === 'string' ? variableOf(operation, name) : undefined
      return variable === undefined ? value : `'"$${variable}"'`
    },
    2,
  ).replaceAll(String.raw`\"`, '"')

/** The path of a list that has existing values of a field, and the field's name in its entries. */
interface Source {
  readonly list: string
  readonly key: string
}

const PAYMENTS = '/api/v1/transactions/search'
const LISTS: Readonly<Record<string, string>> = {
  transactionReference: PAYMENTS,
  paymentReference: PAYMENTS,
  subAccountCode: '/api/v1/sub-accounts',
  limitProfileCode: '/api/v1/limit-profile',
  mandateCode: '/api/v1/direct-debit/mandates',
  invoiceReference: '/api/v1/invoice/all',
  paycodeReference: '/api/v1/paycode',
  walletReference: '/api/v1/disbursements/wallet',
}
const TRANSFER = { list: '/api/v2/disbursements/single/transactions', key: 'reference' }
const BATCH = { list: '/api/v2/disbursements/bulk/transactions', key: 'batchReference' }
const BY_OPERATION: Readonly<Record<string, Source>> = {
  getTransfer: TRANSFER,
  authorizeTransfer: TRANSFER,
  resendTransferCode: TRANSFER,
  getBatch: BATCH,
  authorizeBatch: BATCH,
  resendBatchCode: BATCH,
  findSettledTransactions: { list: '/api/v1/settlements', key: 'settlementReference' },
}
/** The status that a payment must have for a call to use it. */
const STATUS: Readonly<Record<string, string>> = {
  initiateRefund: 'PAID',
  openSandboxDispute: 'PAID',
  initBankTransfer: 'PENDING',
  initUssd: 'PENDING',
  chargeCard: 'PENDING',
  cancelTransaction: 'PENDING',
}

/** Finds the list in which "Try it" finds an existing value: by the path before the parameter, or by its name. */
function sourceOf({ paths }: Document, { path, operation }: Call, name: string): Source | undefined {
  const above = path.includes(`{${name}}`) ? path.slice(0, path.indexOf(`/{${name}}`)) : undefined
  const list = [above, LISTS[name]].find((one) => one !== undefined && paths[one]?.['get'] !== undefined)
  const status = STATUS[operation.operationId]
  if (list === undefined) return /reference$/i.test(name) ? BY_OPERATION[operation.operationId] : undefined
  return { list: status === undefined ? list : `${list}?paymentStatus=${status}`, key: name }
}

/** Renders the data with which the page's script sends the request. It is invisible without the script. */
const tryPanel = (document: Document, call: Call): Html => {
  const { method, path, operation } = call
  const parameters = parametersOf(document, operation).filter(({ in: place }) => place !== 'header')
  const body = exampleOf(operation)
  const names = [
    ...parameters.filter((one) => isSent(operation, one)).map(({ name }) => name),
    ...Object.keys(body ?? {}),
  ]
  return html`<details class="try" hidden><summary>Try it</summary><script type="application/json">${jsonForHtml({
    method,
    path,
    ...accessOf(operation),
    parameters: parameters.map((one) => ({
      name: one.name,
      place: one.in,
      isSent: isSent(operation, one),
      own: ownOf(operation, one.name),
      example: isSent(operation, one) ? sampleOf(operation, one) : undefined,
    })),
    body,
    takesNewReference: method === 'POST' && BY_OPERATION[operation.operationId] === undefined,
    sources: Object.fromEntries(names.map((name) => [name, sourceOf(document, call, name)])),
  })}</script></details>`
}

function responseSection(document: Document, { responses }: Operation): Html {
  const { 200: success, ...refusals } = responses
  const response = success === undefined ? undefined : (resolved(document, 'responses', success) as ApiResponse)
  const content = response?.content?.['application/json']
  const fields = content === undefined ? undefined : fieldList(document, content.schema)
  return html`${
    content !== undefined &&
    html`<h3>Response</h3>
<pre tabindex="0" aria-label="Response"><code>${JSON.stringify(content.example, null, 2)}</code></pre>
${fields !== undefined && html`<details><summary>Response fields</summary>${fields}</details>`}`
  }${
    Object.keys(refusals).length > 0 &&
    html`<details><summary>Errors</summary>${Object.entries(refusals).map(
      ([status, refusal]) =>
        html`<h4>${status}</h4>${markdown((resolved(document, 'responses', refusal) as ApiResponse).description)}`,
    )}</details>`
  }`
}

/** Renders the reference of events, which are requests that we send. */
export const eventReference = (document: Document, title: string, text: string): Html =>
  html`<h1>${title}</h1>
${markdown(text)}
${Object.values(document.webhooks).map(({ post }) => {
  const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} }
  return html`<section class="call" id="${post.operationId}" aria-labelledby="${post.operationId}-title">
<h2 id="${post.operationId}-title">${post.summary}</h2>
${markdown(post.description ?? '')}
<pre tabindex="0" aria-label="Example of ${post.operationId}"><code>${JSON.stringify(example, null, 2)}</code></pre>
<details><summary>Fields</summary>${fieldList(document, schema)}</details>
</section>`
})}`
