import type { browseRequests, getMerchantRequest, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { indent } from '../parts/format.ts'
import { DAYS } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { searchUrl } from '../parts/list/reference.ts'
import { LoadError, Loading } from '../parts/placeholders.tsx'
import { shellQuote } from '../parts/shell-quote.ts'

type RequestRecord = Reply<typeof getMerchantRequest>

/** The request as a curl command, without its access token. */
function asCurl({ method, url, route, requestBody }: RequestRecord): string {
  const parts = [
    `curl -X ${method} ${shellQuote(location.origin + (url ?? route))}`,
    `-H "authorization: Bearer $ACCESS_TOKEN"`,
    ...(requestBody === null ? [] : [`-H 'content-type: application/json'`, `-d ${shellQuote(requestBody)}`]),
  ]
  return parts.join(' \\\n  ')
}

interface BodyProps {
  readonly title: string
  readonly id: string
  readonly body: string | null
  readonly none: string
}

const Body = ({ title, id, body, none }: BodyProps): JSX.Element => (
  <section class="panel stack-tight" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {body === null ? (
      <p class="quiet">{none}</p>
    ) : (
      <>
        <pre class="text">{indent(body)}</pre>
        <p>
          <CopyButton text={body} what={title.toLowerCase()} />
        </p>
      </>
    )}
  </section>
)

/** The request and the response. */
function Bodies({ id }: { readonly id: string }): JSX.Element {
  const { body: request, problem } = useReply(routes.getMerchantRequest, { params: { id } })
  if (request === undefined) return problem === undefined ? <Loading /> : <LoadError problem={problem} />
  if (request.url === null) return <p class="quiet">Request and response bodies are not stored in live mode.</p>
  return (
    <>
      <section class="panel stack-tight" aria-labelledby="curl">
        <h2 id="curl">curl command</h2>
        <pre class="text">{asCurl(request)}</pre>
        <p>
          <CopyButton text={asCurl(request)} what="the command" title="Copy as curl" />
        </p>
      </section>
      <Body title="Request body" id="request-body" body={request.requestBody} none="The request had no body." />
      <Body title="Response body" id="response-body" body={request.answerBody} none="The response had no body." />
      <p class="quiet small">Card numbers, codes, tokens and identity numbers are masked before they are stored.</p>
    </>
  )
}

export default listScreen<typeof browseRequests>({
  name: 'requests',
  title: 'Requests',
  singular: 'Request',
  list: routes.browseRequests,
  empty: 'Your server’s API requests appear here for a few days, with our responses.',
  columns: [
    { title: 'Route', value: ({ method, route }) => `${method} ${route}`, kind: 'code' },
    { title: 'Date', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Outcome', value: ({ outcome }) => outcome, kind: 'status' },
    {
      title: 'Response',
      value: ({ status, refusal }) => (refusal === null ? status : `${status} ${refusal}`),
      isWide: true,
    },
    {
      title: 'Reference',
      value: ({ reference }) => reference,
      link: ({ reference }) => searchUrl(reference ?? ''),
      isWide: true,
    },
    { title: 'Duration', value: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`, isWide: true },
  ],
  facts: [
    { title: 'Request ID', value: ({ requestId }) => requestId, kind: 'code' },
    { title: 'IP address', value: ({ address }) => address },
    {
      title: 'Requests before this one that were not logged',
      value: ({ leftOut }) => (leftOut === 0 ? null : `${leftOut} (too many requests at once)`),
    },
  ],
  filters: [
    { kind: 'choice', name: 'outcome', title: 'Outcome', values: ['SUCCEEDED', 'REFUSED', 'FAILED'] },
    { kind: 'text', name: 'route', title: 'Route' },
    { kind: 'text', name: 'reference', title: 'Reference' },
    ...DAYS,
  ],
  Below: ({ item }) => <Bodies id={item.id} />,
})
