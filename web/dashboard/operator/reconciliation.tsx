import type { listExceptions, Reply } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { useReply } from '../api/use-reply.ts'
import type { Column } from '../parts/list/column.ts'
import { Rows } from '../parts/list/rows.tsx'
import { LoadingOrError } from '../parts/placeholders.tsx'
import type { ScreenProps } from '../shell/screen.ts'
import { ExceptionPage, Exceptions, Resolved } from './reconciliation/exceptions.tsx'
import { PartnerPage } from './reconciliation/partner.tsx'

type Shown = Reply<typeof listExceptions>

/** The overview of partners and exceptions, or the page of a partner or exception. */
export default function Reconciliation({ id, me }: ScreenProps): JSX.Element {
  const { body, problem, again } = useReply(routes.listExceptions, {})
  if (body === undefined) return <LoadingOrError problem={problem} />
  if (id === undefined) return <All {...body} />
  const mayManage = me.permissions.includes('operator.manage')
  const partner = body.partners.find((one) => one.partner === id)
  const exceptions = body.exceptions.filter((one) => one.partner === id)
  if (partner !== undefined) return <PartnerPage key={id} {...{ partner, exceptions, mayManage, again }} />
  const item = body.exceptions.find((one) => one.id === id)
  return item === undefined ? <Resolved /> : <ExceptionPage item={item} mayDecide={mayManage} again={again} />
}

function All({ partners, exceptions }: Shown): JSX.Element {
  return (
    <div class="stack">
      <h1>Reconciliation</h1>
      <p class="quiet">
        Each bank’s statement is compared with the ledger. Balances are at the end of the last statement day. Open a
        partner to import a statement or close a day.
      </p>
      <Rows
        title="Partners"
        rows={partners}
        empty={
          <>
            No account is reconciled yet. Register one with <code>kobo statement account</code>.
          </>
        }
        columns={PARTNERS}
      />
      <Exceptions exceptions={exceptions} />
    </div>
  )
}

const PARTNERS: readonly Column<Shown['partners'][number]>[] = [
  { title: 'Partner', value: ({ partner }) => partner, link: ({ partner }) => `/dashboard/reconciliation/${partner}` },
  { title: 'Last statement day', value: ({ statementUpTo }) => statementUpTo, kind: 'day', isWide: true },
  { title: 'Last closed day', value: ({ closedThrough }) => closedThrough, kind: 'day', isWide: true },
  { title: 'Bank balance', value: ({ bank }) => bank, kind: 'naira' },
  { title: 'Ledger balance', value: ({ books }) => books, kind: 'naira', isWide: true },
  { title: 'Unexplained difference', value: ({ unexplained }) => unexplained, kind: 'naira' },
]
