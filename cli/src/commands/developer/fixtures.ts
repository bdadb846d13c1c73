import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import * as contract from '@kobo/contract'
import { type Command, print } from '../../command.ts'
import { connect, REMOTE_DETAILS, REMOTE_OPTIONS, REMOTE_USAGE, type Remote } from './remote.ts'
import { accountOf, aPaidPayment, mandate, openPayment, payInto, refund, transfer } from './sandbox-actions.ts'

/** Creates one object of each kind that a merchant's program may meet. */
const FIXTURES: Readonly<Record<string, (remote: Remote) => Promise<string>>> = {
  openPayment: async (remote) => (await openPayment(remote, 9_000)).transactionReference,
  paidPayment: async (remote) => (await aPaidPayment(remote)).transactionReference,
  partPayment: (remote) => paidWith(remote, 4_000),
  overpayment: (remote) => paidWith(remote, 9_500),
  refund: (remote) => refund(remote, 'good'),
  failedRefund: (remote) => refund(remote, 'failing'),
  transfer: (remote) => transfer(remote, 'good'),
  failedTransfer: (remote) => transfer(remote, 'failing'),
  mandate,
  reservedAccount: reserveAccount,
}

async function paidWith(remote: Remote, amount: number): Promise<string> {
  const { transactionReference } = await openPayment(remote, 9_000)
  await payInto(remote, await accountOf(remote, transactionReference), amount)
  return transactionReference
}

async function reserveAccount({ call, credentials: { contractCode } }: Remote): Promise<string> {
  const accountReference = `account-${randomUUID()}`
  await call(contract.reserveAccount, {
    body: {
      accountReference,
      accountName: 'Ada Obi',
      currencyCode: 'NGN',
      contractCode,
      customerEmail: 'ada@example.com',
      customerName: 'Ada Obi',
      bvn: '22212345678',
      getAllAvailableBanks: true,
    },
  })
  return accountReference
}

export const fixtures: Command = {
  usage: REMOTE_USAGE,
  summary: 'Creates sandbox test data: one payment, refund, transfer, mandate and account of each kind',
  details: `\nPrints the references as JSON.\n${REMOTE_DETAILS}`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: REMOTE_OPTIONS })
    const remote = await connect(context, values)
    const made: Record<string, string> = {}
    try {
      for (const [what, make] of Object.entries(FIXTURES)) made[what] = await make(remote)
    } finally {
      print(context, made)
    }
    return 0
  },
}
