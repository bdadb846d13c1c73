import { OWN_FIELDS } from '@kobo/contract/openapi'
import { type Html, html, jsonForHtml } from '../../../platform/formats/html.ts'
import { type ApiResponse, type Call, type Document, type Operation, type Parameter, resolved } from './document.ts'
import { fieldList } from './fields.ts'
import { anchorOf, inlineMarkdown, markdown } from './markdown.ts'

export const groupAddress = (group: string): string => `/docs/reference/${anchorOf(group)}`

/** A group of operations: its purpose, and each operation with fields, responses and errors. */
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
${tryPanel(document, call)}
${responseSection(document, operation)}
</section>`
}

/** A path that can wrap after each slash on a narrow screen. */
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

/** The access of an operation: open, by API keys, or by token. */
const accessOf = ({ security }: Operation): { readonly isOpen: boolean; readonly takesKeys: boolean } => ({
  isOpen: security?.length === 0,
  takesKeys: security?.some((way) => 'keys' in way) === true,
})

/** The request as a curl command, with the variables of the first-payment guide. */
export function curlOf(document: Document, { method, path, operation }: Call): string {
  const parameters = parametersOf(document, operation)
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example ?? `{${name}}`)),
  )
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  const body = exampleOf(operation)
  const { isOpen, takesKeys } = accessOf(operation)
  return [
    `curl ${query.length > 0 ? '-G ' : method === 'GET' || body !== undefined ? '' : `-X ${method} `}${
      body !== undefined && method !== 'POST' ? `-X ${method} ` : ''
    }"$baseUrl${url}"`,
    ...(takesKeys ? ['-u "$apiKey:$secretKey"'] : isOpen ? [] : ['-H "Authorization: Bearer $token"']),
    ...query.map(({ name, example }) => `--data-urlencode '${name}=${String(example ?? '')}'`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellText(body)}'`]),
  ].join(' \\\n  ')
}

/** JSON between single quotes, with the merchant's own values as variables of the shell. */
const shellText = (body: unknown): string =>
  JSON.stringify(
    body,
    (name, value: unknown) => (typeof value === 'string' && name in OWN_FIELDS ? `'"$${OWN_FIELDS[name]}"'` : value),
    2,
  ).replaceAll(String.raw`\"`, '"')

/** The data that the page's script needs to send the request; invisible without the script. */
const tryPanel = (document: Document, { method, path, operation }: Call): Html =>
  html`<details class="try" hidden><summary>Try it</summary><script type="application/json">${jsonForHtml({
    method,
    path,
    ...accessOf(operation),
    parameters: parametersOf(document, operation)
      .filter(({ in: place }) => place !== 'header')
      .map(({ name, in: place, required, example }) => ({ name, place, required, example })),
    body: exampleOf(operation),
  })}</script></details>`

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

/** The events, which are requests that we send. */
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
