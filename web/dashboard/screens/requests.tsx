import type { browseRequests, getMerchantRequest, InDashboard, Reply } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { CopyButton } from '../copy-button.tsx'
import { DAYS, lookUp } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import { quoted } from '../shell-word.ts'
import { useReply } from '../use-reply.ts'
import { Waiting } from '../waiting.tsx'

const ONE: Address<InDashboard<typeof getMerchantRequest>> = {
  method: 'GET',
  path: '/dashboard/api/v1/merchant/requests/:id',
}

type Noted = Reply<typeof getMerchantRequest>

/** The request as a call of one's own. The token is not in it: whoever calls puts in one of theirs. */
function asCurl({ method, url, route, requestBody }: Noted): string {
  const parts = [
    `curl -X ${method} ${quoted(location.origin + (url ?? route))}`,
    `-H "authorization: Bearer $ACCESS_TOKEN"`,
    ...(requestBody === null ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(requestBody)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A body as people read it, where it is whole. */
function spread(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
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
        <pre class="text">{spread(body)}</pre>
        <p>
          <CopyButton text={body} what={title.toLowerCase()} />
        </p>
      </>
    )}
  </section>
)

/** What was asked and what was answered. */
function Bodies({ id }: { readonly id: string }): JSX.Element {
  const { body: request, problem } = useReply(ONE, { params: { id } })
  if (problem !== undefined) return <p class="notice bad">{problem}</p>
  if (request === undefined) return <Waiting />
  if (request.url === null) return <p class="quiet">In live what was said is not kept.</p>
  return (
    <>
      <section class="panel stack-tight" aria-labelledby="call">
        <h2 id="call">The call</h2>
        <pre class="text">{asCurl(request)}</pre>
        <p>
          <CopyButton text={asCurl(request)} what="the call" title="Copy as curl" />
        </p>
      </section>
      <Body title="What was asked" id="asked" body={request.requestBody} none="It had no body." />
      <Body title="What was answered" id="answered" body={request.answerBody} none="No text was answered." />
      <p class="quiet small">Card numbers, codes, tokens and identities are masked before they are kept.</p>
    </>
  )
}

export default listScreen<typeof browseRequests>({
  name: 'requests',
  title: 'Requests',
  one: 'Request',
  list: { method: 'GET', path: '/dashboard/api/lists/requests' },
  empty: 'What your server asks of the API stands here for some days, with what it was answered.',
  columns: [
    { title: 'Route', value: ({ method, route }) => `${method} ${route}`, kind: 'code' },
    { title: 'When', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Outcome', value: ({ outcome }) => outcome, kind: 'status' },
    {
      title: 'Answer',
      value: ({ status, refusal }) => (refusal === null ? status : `${status} ${refusal}`),
      isWide: true,
    },
    {
      title: 'About',
      value: ({ reference }) => reference,
      link: ({ reference }) => lookUp(reference ?? ''),
      isWide: true,
    },
    { title: 'Took', value: ({ milliseconds }) => `${milliseconds.toFixed(1)} ms`, isWide: true },
  ],
  facts: [
    { title: 'Request id', value: ({ requestId }) => requestId, kind: 'code' },
    { title: 'From', value: ({ address }) => address },
    {
      title: 'Left out before it',
      value: ({ leftOut }) => (leftOut === 0 ? null : `${leftOut}, since too many came at once`),
    },
  ],
  filters: [
    { kind: 'choice', name: 'outcome', title: 'Outcome', words: ['SUCCEEDED', 'REFUSED', 'FAILED'] },
    { kind: 'text', name: 'route', title: 'Route' },
    { kind: 'text', name: 'reference', title: 'Reference' },
    ...DAYS,
  ],
  Below: ({ item }) => <Bodies id={item.id} />,
})
