import { type Html, html, jsonForHtml } from '../../platform/html.ts'
import { type Answer, type Call, type Document, type Operation, type Parameter, resolved } from './document.ts'
import { fieldList } from './fields.ts'
import { anchorOf, inlineMarkdown, markdown } from './markdown.ts'

export const groupAddress = (group: string): string => `/docs/reference/${anchorOf(group)}`

/** A group of calls: what it is for, and each call with fields, answers and refusals. */
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
${askedOf(document, operation)}
<h3>Sample</h3>
<pre tabindex="0" aria-label="Sample: ${operation.summary}"><code>${curlOf(document, call)}</code></pre>
${tryPanel(document, call)}
${answered(document, operation)}
</section>`
}

/** A path that a narrow screen may break after each slash. */
const breakable = (path: string): readonly Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)

const parametersOf = (document: Document, { parameters = [] }: Operation): readonly Parameter[] =>
  parameters.map((parameter) => resolved(document, 'parameters', parameter) as Parameter)

const PLACES = { path: 'in the path', query: 'after the ?', header: 'header' } as const

function askedOf(document: Document, operation: Operation): Html {
  const parameters = parametersOf(document, operation)
  const body = operation.requestBody?.content['application/json'].schema
  const fields = body === undefined ? undefined : fieldList(document, body)
  return html`${
    parameters.length === 0
      ? ''
      : html`<h3>Parameters</h3>
<ul class="fields">${parameters.map(
          ({ name, in: place, required, description }) =>
            html`<li><code>${name}</code> <span class="type">${PLACES[place]}</span>${
              required && html` <span class="required">required</span>`
            }${description !== undefined && html`<span class="about">${inlineMarkdown(description)}</span>`}</li>`,
        )}</ul>`
  }${fields !== undefined && html`<h3>Body</h3>${fields}`}`
}

const exampleOf = ({ requestBody }: Operation): unknown => requestBody?.content['application/json'].example

/** Who may call: anyone, who shows keys, or who has a token. */
const accessOf = ({ security }: Operation): { readonly isOpen: boolean; readonly takesKeys: boolean } => ({
  isOpen: security?.length === 0,
  takesKeys: security?.some((way) => 'keys' in way) === true,
})

/** The call as a shell would make it, with the variables of the first-payment guide. */
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
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ].join(' \\\n  ')
}

/** What the page's script needs to send the call; without a script there is nothing to see. */
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

function answered(document: Document, { responses }: Operation): Html {
  const { 200: success, ...refusals } = responses
  const answer = success === undefined ? undefined : (resolved(document, 'responses', success) as Answer)
  const content = answer?.content?.['application/json']
  const fields = content === undefined ? undefined : fieldList(document, content.schema)
  return html`${
    content !== undefined &&
    html`<h3>Answer</h3>
<pre tabindex="0" aria-label="Answer"><code>${JSON.stringify(content.example, null, 2)}</code></pre>
${fields !== undefined && html`<details><summary>Fields of the answer</summary>${fields}</details>`}`
  }${
    Object.keys(refusals).length > 0 &&
    html`<details><summary>Refusals</summary>${Object.entries(refusals).map(
      ([status, refusal]) =>
        html`<h4>${status}</h4>${markdown((resolved(document, 'responses', refusal) as Answer).description)}`,
    )}</details>`
  }`
}

/** The events, which are calls that we make. */
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
