import type { browseStatement } from '@kobo/contract'
import type { JSX } from 'preact'
import * as routes from '../../routes.ts'
import { naira } from '../../ui/money.ts'
import { useReply } from '../api/use-reply.ts'
import { AMOUNTS, DAYS, listQuery } from '../parts/list/filter.ts'
import { listScreen } from '../parts/list/list-screen.tsx'
import { searchUrl } from '../parts/list/reference.ts'
import type { ScreenProps } from '../shell/screen.ts'

const WALLET = { kind: 'text', name: 'accountNumber', title: 'Wallet account number' } as const

/** The wallet's balance at the start and at the end of the period. */
function Balances({ query }: ScreenProps): JSX.Element {
  const { body } = useReply(routes.getStatementBalances, { query: listQuery([...DAYS, WALLET], query) })
  const shown = (amount: number | undefined): string => (amount === undefined ? '…' : naira(amount))
  return (
    <dl class="figures">
      <div class="figure">
        <dt>Opening balance</dt>
        <dd>{shown(body?.openingBalance)}</dd>
      </div>
      <div class="figure">
        <dt>Closing balance</dt>
        <dd>{shown(body?.closingBalance)}</dd>
      </div>
    </dl>
  )
}

export default listScreen<typeof browseStatement>({
  name: 'statement',
  title: 'Wallet statement',
  singular: 'Statement entry',
  list: routes.browseStatement,
  emptyTitle: 'No entries yet',
  empty: 'Every credit and debit of your wallet appears here, with the balance after it.',
  columns: [
    { title: 'Date', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'Description', value: ({ message }) => message },
    { title: 'Type', value: ({ type }) => type, kind: 'status', isWide: true },
    { title: 'Amount', value: ({ type, amount }) => (type === 'DEBIT' ? -amount : amount), kind: 'naira' },
    { title: 'Balance', value: ({ balanceAfter }) => balanceAfter, kind: 'naira' },
  ],
  facts: [
    { title: 'Balance before', value: ({ balanceBefore }) => balanceBefore, kind: 'naira' },
    { title: 'Narration', value: ({ narration }) => narration },
    { title: 'Reference', value: ({ reference }) => reference, link: ({ reference }) => searchUrl(reference) },
    { title: 'Transaction reference', value: ({ transactionReference }) => transactionReference },
  ],
  filters: [{ kind: 'choice', name: 'type', title: 'Type', values: ['CREDIT', 'DEBIT'] }, ...AMOUNTS, ...DAYS, WALLET],
  address: ({ reference }) => searchUrl(reference),
  Above: Balances,
})
