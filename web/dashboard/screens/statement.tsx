import type { browseStatement, getStatementBalances } from '@kobo/contract'
import type { Address } from '@kobo/contract/client'
import type { JSX } from 'preact'
import { naira } from '../../ui/money.ts'
import { AMOUNTS, DAYS, lookUp, queryOf } from '../list/column.ts'
import { listScreen } from '../list/screen.tsx'
import type { ScreenProps } from '../screen.ts'
import { useReply } from '../use-reply.ts'

const BALANCES: Address<typeof getStatementBalances> = { method: 'GET', path: '/dashboard/api/statement/balances' }
const WALLET = { kind: 'text', name: 'accountNumber', title: 'Wallet' } as const

/** What the wallet held at the beginning and at the end. */
function Balances({ query }: ScreenProps): JSX.Element {
  const { body } = useReply(BALANCES, { query: queryOf([...DAYS, WALLET], query) })
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
  one: 'Line of the statement',
  list: { method: 'GET', path: '/dashboard/api/lists/statement' },
  empty: 'What comes into the wallet and leaves it stands here, with the balance after each.',
  columns: [
    { title: 'Date', value: ({ createdOn }) => createdOn, kind: 'moment' },
    { title: 'What', value: ({ message }) => message, isWide: true },
    { title: 'In or out', value: ({ type }) => type, kind: 'status', isWide: true },
    { title: 'Amount', value: ({ type, amount }) => (type === 'DEBIT' ? -amount : amount), kind: 'naira' },
    { title: 'Balance', value: ({ balanceAfter }) => balanceAfter, kind: 'naira' },
  ],
  facts: [
    { title: 'Balance before', value: ({ balanceBefore }) => balanceBefore, kind: 'naira' },
    { title: 'Narration', value: ({ narration }) => narration },
    { title: 'Reference', value: ({ reference }) => reference, link: ({ reference }) => lookUp(reference) },
    { title: 'Our reference', value: ({ transactionReference }) => transactionReference },
  ],
  filters: [
    { kind: 'choice', name: 'type', title: 'In or out', words: ['CREDIT', 'DEBIT'] },
    ...AMOUNTS,
    ...DAYS,
    WALLET,
  ],
  address: ({ reference }) => lookUp(reference),
  Above: Balances,
})
